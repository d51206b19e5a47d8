import { durationOf } from "../config/readers.js";
import { invalidInput } from "../refusals/user-error.js";
import type { Command } from "commander";
import type { CommandContext } from "../feature.js";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Parses 90s, 30m, 24h or 7d to milliseconds. */
export function parseDuration(text: string): number {
  const value = durationOf(text.trim());
  if (value === undefined) throw invalidInput(`"${text}" is not a duration such as 30m, 24h or 7d`);
  return value;
}

/** For repeatable options that accept one or more values each time. */
export function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

/** Adds the subcommands that features declare as "COMMAND SUBCOMMAND". */
export async function addSubcommands(command: Command, context: CommandContext): Promise<Command> {
  for (const { commands = {} } of context.features)
    for (const [name, load] of Object.entries(commands))
      if (name.startsWith(`${command.name()} `)) command.addCommand(await load(context));
  return command;
}

/** Longer input is a mistake, such as a file redirected by accident. */
const maxSecretLength = 4_096;

/**
 * Reads a secret from the first line of stdin, or from a terminal without echo. It is never an argument, because other
 * users of the machine can see arguments.
 */
export async function readSecret(what: string): Promise<string> {
  const secret = process.stdin.isTTY ? await ask(`${what}: `) : await firstLine();
  if (secret === "") throw invalidInput(`The ${what.toLowerCase()} is expected on standard input`);
  return secret;
}

async function ask(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true });
  try {
    return await terminal.question("");
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}

async function firstLine(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += chunk as string;
    if (text.includes("\n") || text.length > maxSecretLength) break;
  }
  const line = (text.split("\n")[0] as string).replace(/\r$/, "");
  if (line.length > maxSecretLength)
    throw invalidInput(`Standard input has more than ${maxSecretLength} characters`);
  return line;
}
