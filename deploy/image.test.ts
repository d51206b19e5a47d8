import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readConfig } from "../packages/service/src/config.js";
import { environmentOf, readDockerfile } from "./testing/dockerfile.js";
import { unknownVariables } from "./testing/known-variables.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const instructions = readDockerfile(read("Dockerfile"));
const argumentsOf = (name: string) =>
  instructions.filter((instruction) => instruction.name === name).map((instruction) => instruction.arguments);
const tracked = new Set(execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n"));
const isTracked = (file: string) =>
  tracked.has(file) || [...tracked].some((name) => name.startsWith(`${file}/`));

/** The sources of every COPY, and whether they come from the build stage. */
const copied = argumentsOf("COPY").map((text) => {
  const words = text.split(/ +/);
  const isBuilt = words[0] === "--from=build";
  return { isBuilt, sources: words.slice(isBuilt ? 1 : 0, -1) };
});

test("the base is one exact version, the same for building and running, of a Node that the service supports", () => {
  const bases = argumentsOf("FROM").map((text) => text.replace(/ AS \w+$/, ""));
  expect(new Set(bases).size).toBe(1);
  expect(bases[0]).toMatch(/^node:24\.\d+\.\d+-bookworm-slim$/);
});

test("everything that is copied into the build exists, and nothing of it is left out of the context", () => {
  const ignored = read(".dockerignore").trim().split("\n");
  for (const source of copied.filter(({ isBuilt }) => !isBuilt).flatMap(({ sources }) => sources)) {
    expect(isTracked(source), source).toBe(true);
    expect(ignored, source).not.toContain(source.split("/")[0]);
  }
});

test("everything that is copied out of the build is in the repository, installed, or built by a workspace", () => {
  for (const source of copied.filter(({ isBuilt }) => isBuilt).flatMap(({ sources }) => sources)) {
    const file = path.posix.relative("/app", source);
    const isBuiltByWorkspace =
      path.basename(file) === "dist" && tracked.has(`${path.dirname(file)}/package.json`);
    expect(file === "node_modules" || isBuiltByWorkspace || isTracked(file), source).toBe(true);
  }
});

test("it runs as a user other than root, given by number", () => {
  expect(argumentsOf("USER")).toEqual(["1000:1000"]);
});

test("its health is whether the process answers, not whether the database does", () => {
  const [check = ""] = argumentsOf("HEALTHCHECK");
  expect(check).toContain("/livez");
  expect(check).not.toContain("/readyz");
});

test("it runs the command with the flags of npm start, and gets the signal itself", () => {
  const [command = "[]"] = argumentsOf("CMD");
  const [program, ...rest] = JSON.parse(command) as string[];
  expect(program).toBe("node");
  const { scripts } = JSON.parse(read("package.json"));
  for (const flag of rest.filter((word) => word.startsWith("--"))) expect(scripts.start).toContain(flag);
  const [entry = "", subcommand] = rest.filter((word) => !word.startsWith("--"));
  expect(existsSync(path.join(root, entry))).toBe(true);
  expect(subcommand).toBe("serve");
});

test("its variables exist, and without DATABASE_URL it asks for one instead of keeping data that vanishes", () => {
  const environment = environmentOf(instructions);
  expect(unknownVariables(environment)).toEqual([]);
  expect(() => readConfig(environment)).toThrow("DATABASE_URL");
  const given = { ...environment, DATABASE_URL: "postgres://gatehouse@db:5432/gatehouse" };
  expect(readConfig(given).host).toBe("0.0.0.0");
});
