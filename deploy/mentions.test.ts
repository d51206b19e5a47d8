import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { buildProgram } from "../packages/service/src/cli/program.js";
import { knownVariables } from "./testing/known-variables.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const tracked = execFileSync("git", ["ls-files", "deploy"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n");
const files = [...tracked.filter((file) => !file.endsWith(".ts")), "Dockerfile", "compose.yaml"];
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

test("every variable that these files mention exists", () => {
  const known = knownVariables();
  for (const file of files)
    for (const [name] of read(file).matchAll(/\b(?:GATEHOUSE|DATABASE|LOG)_[A-Z][A-Z_]*\b/g))
      expect(known, `${name} in ${file}`).toContain(name);
});

test("every command that these files run exists", async () => {
  const program = await buildProgram([]);
  const commands = program.commands.map((command) => command.name());
  const mentioned = files.flatMap((file) =>
    [...read(file).matchAll(/(?:`|-- |bin\/|run )gatehouse(?:\.js)? ([a-z]+)\b/g)].map(
      ([, command]) => command,
    ),
  );
  expect(mentioned.length).toBeGreaterThan(5);
  for (const command of mentioned) expect(commands).toContain(command);
});

test("every link in their pages leads somewhere", () => {
  for (const file of files.filter((each) => each.endsWith(".md")))
    for (const [, target = ""] of read(file).matchAll(/\]\((?!https?:)([^)#]+)/g))
      expect(existsSync(path.join(root, path.dirname(file), target)), `${target} in ${file}`).toBe(true);
});
