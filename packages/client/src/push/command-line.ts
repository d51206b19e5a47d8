import { readFileSync } from "node:fs";
import { importResourceNames, type ImportResourceName } from "@gatehouse-parking/contract";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { inWords, pushOrder } from "./folder.js";
import {
  encodings,
  inputFormats,
  isDelimiter,
  repeatedTimes,
  type Encoding,
  type InputFormat,
  type RepeatedTimes,
} from "@gatehouse-parking/record-files";

export const urlVariable = "GATEHOUSE_URL";
export const keyVariable = "GATEHOUSE_API_KEY";

/** What the user asked for. */
export type PushCommand =
  /** A resource and its file, or a folder with files of several. */
  | { target: { resource: ImportResourceName; file: string } | { folder: string }; options: PushOptions }
  | { target: "locations"; options: ServiceOptions };

export interface ServiceOptions {
  url?: string;
  keyFile?: string;
  ca?: string;
  json?: boolean;
  keepTryingMs?: number;
}

export interface PushOptions extends ServiceOptions {
  format?: InputFormat;
  delimiter?: string;
  encoding?: Encoding;
  quote?: string;
  headerLine?: number;
  sheet?: string;
  mapping?: string;
  suggestMapping?: string;
  timeFormat?: string[];
  numberFormat?: string;
  empty?: string[];
  true?: string[];
  false?: string[];
  trim?: boolean;
  repeatedTimes?: RepeatedTimes;
  ignoreUnknownColumns?: boolean;
  timeZone?: string;
  output?: string;
  dryRun?: boolean;
  validateOnly?: boolean;
  restart?: boolean;
}

const filePatterns = pushOrder.map((resource) => `${resource}.*`);

const examples = `
Examples:
  $ gatehouse-push locations
  $ gatehouse-push transactions export.csv --suggest-mapping mapping.json
  $ gatehouse-push transactions sessions.csv --dry-run
  $ gatehouse-push transactions sessions.csv --url https://gatehouse.example.com --key-file key.txt
  $ gatehouse-push accounts accounts.json --time-zone America/Chicago
  $ gatehouse-push transactions sessions.csv --time-format 'MM/dd/yyyy h:mm a' --number-format '$1,234.50' --empty n/a
  $ zcat sessions.ndjson.gz | gatehouse-push transactions - --format ndjson
  $ gatehouse-push ./export            ${inWords(pushOrder, "and")}, in this order

The API key is read from --key-file or from ${keyVariable}; it is never an argument.
HTTPS_PROXY and NO_PROXY are followed.
Exit code: 0 nothing failed (what is stored already counts as done), 2 some records failed, 75 the service could not be
reached or was in trouble (run the same command again later), 1 otherwise.`;

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Reads the arguments. Undefined: the help or the version was asked for and shown. */
export function readCommandLine(
  args: readonly string[],
  output: { out: (text: string) => void; error: (text: string) => void },
): PushCommand | undefined {
  let chosen: PushCommand | undefined;
  const program = new Command("gatehouse-push")
    .description("Imports CSV, NDJSON and JSON files of any size, and spreadsheets, into Gatehouse.")
    .version(version)
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError("Run gatehouse-push --help to see how it is used.")
    .configureOutput({ writeOut: output.out, writeErr: output.error })
    .addHelpText("after", examples);

  for (const resource of importResourceNames) {
    withPushOptions(program.command(`${resource} <file>`))
      .description(`push a file of ${resource}; - is standard input`)
      .action((file: string, options: PushOptions) => {
        chosen = { target: { resource, file }, options: withDuration(options) };
      });
  }
  withPushOptions(program.command("folder <folder>", { isDefault: true }))
    .description(`push the files ${inWords(filePatterns, "and")} of a folder, in this order`)
    .action((folder: string, options: PushOptions, self: Command) => {
      if (options.format ?? options.suggestMapping)
        self.error(
          `error: ${options.format ? "--format" : "--suggest-mapping"} is for single files; take the files of the folder one by one`,
        );
      chosen = { target: { folder }, options: withDuration(options) };
    });

  withServiceOptions(program.command("locations"))
    .description("list the organization's locations as CSV, with the uuid that records need")
    .action((options: ServiceOptions) => {
      chosen = { target: "locations", options: withDuration(options) };
    });

  try {
    program.parse(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return undefined;
    throw error;
  }
  return chosen;
}

/** The flag's name does not tell the unit; everything else of ours does. */
function withDuration<Options extends ServiceOptions>(options: Options & { keepTrying?: number }): Options {
  const { keepTrying, ...rest } = options;
  return { ...rest, ...(keepTrying === undefined ? {} : { keepTryingMs: keepTrying }) } as Options;
}

function withServiceOptions(command: Command): Command {
  return command
    .option("--url <address>", `address of the service (or ${urlVariable})`)
    .option("--key-file <file>", `file that holds the API key (or ${keyVariable})`)
    .option("--ca <file>", "trust this certificate authority (PEM), such as a local one")
    .option("--json", "print JSON instead of text")
    .option(
      "--keep-trying <duration>",
      "how long to try again while the service cannot be reached or is in trouble, such as 30m or 8h",
      readDuration,
    );
}

const repeatable = "can be given several times";

function withPushOptions(command: Command): Command {
  const format = new Option("--format <format>", "format, if the file name does not tell it");
  const encoding = new Option("--encoding <name>", "encoding, if it is not recognized or not rightly");
  const suggestMapping = new Option(
    "--suggest-mapping <file>",
    "write a mapping file made from the names and the content of the columns; send nothing",
  );
  const repeated = new Option(
    "--repeated-times <which>",
    "what becomes of local times that occurred twice because the clocks went back (default: earlier)",
  );
  const dryRun = new Option("--dry-run", "check the records offline; send nothing");
  return withServiceOptions(command)
    .addOption(format.choices(inputFormats))
    .option("--delimiter <mark>", "what separates the cells of a CSV file; tab for a tab", readDelimiter)
    .addOption(encoding.choices(encodings))
    .option("--quote <mark>", "what cells of a CSV file are quoted with; none for nothing", readQuote)
    .option("--header-line <number>", "line that names the columns of a CSV file or a spreadsheet", readLine)
    .option("--sheet <name>", "sheet of a spreadsheet (default: the first that holds something)")
    .option("--mapping <file>", "JSON file that says where columns go and how values are written")
    .addOption(suggestMapping.conflicts(["mapping", "dryRun", "validateOnly", "restart"]))
    .option(
      "--time-format <pattern>",
      `how times are written, such as 'MM/dd/yyyy h:mm a', unix, unix-ms or serial; ${repeatable}`,
      addTo,
    )
    .option("--number-format <example>", "how the file writes 1234.50, such as '1.234,50' or '$1,234.50'")
    .option("--empty <word>", `what counts as an empty cell, such as n/a; ${repeatable}`, addTo)
    .option("--true <word>", `another word for true; ${repeatable}`, addTo)
    .option("--false <word>", `another word for false; ${repeatable}`, addTo)
    .option("--trim", "drop spaces around text")
    .option("--ignore-unknown-columns", "leave out columns, or members of JSON records, that are no field")
    .option(
      "--time-zone <zone>",
      "zone of times without one, such as America/Chicago; location: that of each record's location",
    )
    .addOption(repeated.choices(repeatedTimes))
    .option(
      "--output <folder>",
      "where outcomes and journal go (default: FILE.push beside the file; stdin.push, so name one for each stream)",
    )
    .addOption(dryRun.conflicts("validateOnly"))
    .option("--validate-only", "let the service check the records; store nothing")
    .option("--restart", "forget how far an earlier push came, and start over");
}

function readDelimiter(text: string): string {
  if (!isDelimiter(text))
    throw new InvalidArgumentError("It must be a mark such as ; or |, or tab for a tab.");
  return text === "tab" ? "\t" : text;
}

function readQuote(text: string): string {
  if (text !== '"' && text !== "'" && text !== "none")
    throw new InvalidArgumentError("It must be a double quote, a single quote, or none.");
  return text === "none" ? "" : text;
}

function readLine(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("It must be a whole number, 1 or more.");
  return Number(text);
}

function addTo(word: string, words: string[] = []): string[] {
  return [...words, word];
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function readDuration(text: string): number {
  const match = /^(\d{1,4})([smhd])$/.exec(text);
  if (!match) throw new InvalidArgumentError("It must be a number with s, m, h or d, such as 30m.");
  return Number(match[1]) * (unitMs[match[2] as string] as number);
}
