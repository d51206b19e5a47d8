import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import type { Command } from "commander";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { dropDatabase, onServer, withDatabase } from "../../../testing/database-server.js";
import { buildProgram } from "../../cli/program.js";

/** The commands that may create a database. A new command is not one of them unless it is listed here. */
const creating = ["serve", "migrate", "demo", "restore"];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-wrong-folder-"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** Every command without subcommands, as words, with values for its required options. */
async function everyCommandLine(): Promise<[string, string[]][]> {
  const leaves = (command: Command, words: string[]): [string, string[]][] =>
    command.commands.length === 0
      ? [[words.join(" "), [...words, ...demanded(command, words.join(" "))]]]
      : command.commands.flatMap((child) => leaves(child, [...words, child.name()]));
  return leaves(await buildProgram([]), []);
}

/** Options that some commands check before they connect to the database. */
const further: Record<string, string[]> = {
  backup: ["/dev/null/backup.tar.gz"],
  export: ["--organization", "UUID"],
  "organization configure": ["--captcha", "off"],
  "location update": ["--name", "North"],
};
const values: Record<string, string> = { "lead-limit": "5/60", file: import.meta.filename };

function demanded(command: Command, name: string): string[] {
  const valueOf = (what: string, choices: readonly string[] | undefined): string =>
    choices?.[0] ?? values[what] ?? "x";
  const given = command.registeredArguments
    .filter(({ required }) => required)
    .map((argument) => valueOf(argument.name(), argument.argChoices));
  const options = command.options
    .filter(({ mandatory }) => mandatory)
    .flatMap((option) => [`--${option.name()}`, valueOf(option.name(), option.argChoices)]);
  return [...given, ...options, ...(further[name] ?? [])];
}

async function failureOf(words: string[]): Promise<string> {
  const stdin = vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from(["pass\n"]) as never);
  try {
    await (await buildProgram(words)).parseAsync(words, { from: "user" });
    return "It did not fail.";
  } catch (error) {
    return (error as Error).message;
  } finally {
    stdin.mockRestore();
  }
}

const commandLines = (await everyCommandLine()).filter(([name]) => !creating.includes(name));

test("the list covers every command except four", () => {
  expect(commandLines.length).toBeGreaterThan(30);
});

test.each(commandLines)(
  "in the wrong folder %s fails, names the folder and creates nothing",
  async (_name, words) => {
    vi.stubEnv("DATABASE_URL", undefined);
    vi.stubEnv("GATEHOUSE_DATA_DIR", path.join(folder, "data"));
    const message = await failureOf(words);
    expect(message).toContain(`There is no database in ${path.join(folder, "data")}. `);
    expect(message).toContain("GATEHOUSE_DATA_DIR");
    expect(message).toContain("gatehouse migrate");
    expect(await readdir(folder)).toEqual([]);
  },
);

test("verify and organization create fail on an empty PostgreSQL database and create no tables", async () => {
  const server = inject("databaseServer");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer(server, `create database ${name}`);
  onTestFinished(() => dropDatabase(server, name));
  vi.stubEnv("DATABASE_URL", withDatabase(server, name));
  for (const words of [["verify"], ["organization", "create", "--name", "Acme"], ["verify"]])
    expect(await failureOf(words)).toBe("The database has no tables yet. Run: gatehouse migrate");
});
