import type { Command } from "commander";
import { stringifyExactly } from "@gatehouse-parking/json-text";

/** The actor that the audit log names for everything done here. */
export const commandLineActor = "command line";

const examplesHeading = "\nExamples:\n";

/** What every command has: --json, and examples in its help. */
export function describedCommand(command: Command, examples: string[]): Command {
  return command
    .option("--json", "print one JSON document on stdout and everything else on stderr")
    .addHelpText("after", examplesHeading + examples.map((line) => `  $ gatehouse ${line}`).join("\n"));
}

/** The result of a command: a document for programs, or what `forPeople` makes of it. */
export function printResult(options: { json?: boolean }, value: unknown, forPeople: () => string): void {
  process.stdout.write(`${options.json ? stringifyExactly(value, 2) : forPeople()}\n`);
}

/** Remarks beside the result, which no program reads. */
export function remark(text: string): void {
  process.stderr.write(`${text}\n`);
}
