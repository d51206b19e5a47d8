import type { Command } from "commander";
import { stringifyExactly } from "@gatehouse-parking/json-text";
import { styleText } from "node:util";
import type pg from "pg";
import type { Config } from "../config.js";
import { runningAddress } from "../instances.js";
import { configuredPorts, serviceAddress } from "../server/service-address.js";

/** The actor in the audit log for all commands. */
export const commandLineActor = "command line";

const examplesHeading = "\nExamples:\n";

/** Adds --json and the examples in the help, which every command has. */
export function describedCommand(command: Command, examples: string[]): Command {
  return command
    .option("--json", "print one JSON document on stdout and everything else on stderr")
    .addHelpText("after", examplesHeading + examples.map((line) => `  $ gatehouse ${line}`).join("\n"));
}

/** Prints the result of a command as JSON, or as the text that `forPeople` returns. */
export function printResult(options: { json?: boolean }, value: unknown, forPeople: () => string): void {
  process.stdout.write(`${options.json ? stringifyExactly(value, 2) : forPeople()}\n`);
}

/** Prints remarks on stderr, so that stdout has only the result. */
export function remark(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Removes newlines and control characters, which could move the terminal's cursor. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return "-";
  const text = Array.isArray(value) ? value.map(String).join(", ") : String(value);
  if (text === "") return "-";
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "\u00b7");
}

/** Formats rows as a table whose columns are as wide as their widest cell. */
export function table(headings: string[], rows: unknown[][], whenEmpty: string): string {
  if (rows.length === 0) return whenEmpty;
  const lines = [headings, ...rows.map((row) => row.map(cell))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => width(line[column] ?? ""))));
  const [heading = "", ...rest] = lines.map((line) =>
    line
      .map((text, column) => text + " ".repeat((widths[column] ?? 0) - width(text)))
      .join("  ")
      .trimEnd(),
  );
  return [emphasis(heading), ...rest].join("\n");
}

/** Formats one object with one field per line. */
export function card(fields: Record<string, unknown>): string {
  const longest = Math.max(...Object.keys(fields).map(width));
  return Object.entries(fields)
    .map(([name, value]) => `${emphasis(name)}${" ".repeat(longest - width(name))}  ${cell(value)}`)
    .join("\n");
}

export function emphasis(text: string): string {
  return inColour() ? styleText("bold", text) : text;
}

export function warningColour(text: string): string {
  return inColour() ? styleText("red", text) : text;
}

/** Node checks NO_COLOR, FORCE_COLOR and TERM=dumb for terminals. */
function inColour(): boolean {
  return process.stdout.isTTY && process.stdout.hasColors();
}

function width(text: string): number {
  return [...text].length;
}

/**
 * The base address for links: the address of the running service, or the configured one. A running service may use
 * other ports.
 */
export async function linkAddress(pool: pg.Pool, config: Config): Promise<string> {
  const running = config.publicUrl === undefined ? await runningAddress(pool) : undefined;
  return running ?? serviceAddress(config, configuredPorts(config));
}
