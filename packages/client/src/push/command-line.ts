import { readFileSync } from "node:fs";
import { importResourceNames, type ImportResourceName } from "@gatehouse-parking/contract";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { keyVariable } from "./api-key.js";
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
    .addOption(new Option("--url <address>", `address of the service (or ${urlVariable})`))
    .addOption(new Option("--key-file <file>", `file that holds the API key (or ${keyVariable})`))
    .addOption(new Option("--ca <file>", "trust this certificate authority (PEM), such as a local one"))
    .addOption(new Option("--json", "print JSON instead of text"))
    .addOption(
      new Option(
        "--keep-trying <duration>",
        "how long to try again while the service cannot be reached or is in trouble, such as 30m or 8h",
      ).argParser(readDuration),
    );
}

function withPushOptions(command: Command): Command {
  return withServiceOptions(command)
    .addOption(
      new Option("--format <format>", "format, if the file name does not tell it").choices(inputFormats),
    )
    .addOption(
      new Option("--delimiter <mark>", "what separates the cells of a CSV file; tab for a tab").argParser(
        readDelimiter,
      ),
    )
    .addOption(
      new Option("--encoding <name>", "encoding, if it is not recognized or not rightly").choices(encodings),
    )
    .addOption(
      new Option("--quote <mark>", "what cells of a CSV file are quoted with; none for nothing").argParser(
        readQuote,
      ),
    )
    .addOption(
      new Option(
        "--header-line <number>",
        "line that names the columns of a CSV file or a spreadsheet",
      ).argParser(readLine),
    )
    .addOption(
      new Option("--sheet <name>", "sheet of a spreadsheet (default: the first that holds something)"),
    )
    .addOption(
      new Option("--mapping <file>", "JSON file that says where columns go and how values are written"),
    )
    .addOption(
      new Option(
        "--suggest-mapping <file>",
        "write a mapping file made from the names and the content of the columns; send nothing",
      ).conflicts(["mapping", "dryRun", "validateOnly", "restart"]),
    )
    .addOption(
      new Option(
        "--time-format <pattern>",
        "how times are written, such as 'MM/dd/yyyy h:mm a', unix, unix-ms or serial; can be given several times",
      ).argParser(addTo),
    )
    .addOption(
      new Option(
        "--number-format <example>",
        "how the file writes 1234.50, such as '1.234,50' or '$1,234.50'",
      ),
    )
    .addOption(
      new Option(
        "--empty <word>",
        "what counts as an empty cell, such as n/a; can be given several times",
      ).argParser(addTo),
    )
    .addOption(
      new Option("--true <word>", "another word for true; can be given several times").argParser(addTo),
    )
    .addOption(
      new Option("--false <word>", "another word for false; can be given several times").argParser(addTo),
    )
    .addOption(new Option("--trim", "drop spaces around text"))
    .addOption(
      new Option(
        "--ignore-unknown-columns",
        "leave out columns, or members of JSON records, that are no field",
      ),
    )
    .addOption(
      new Option(
        "--time-zone <zone>",
        "zone of times without one, such as America/Chicago; location: that of each record's location",
      ),
    )
    .addOption(
      new Option(
        "--repeated-times <which>",
        "what becomes of local times that occurred twice because the clocks went back (default: earlier)",
      ).choices(repeatedTimes),
    )
    .addOption(
      new Option(
        "--output <folder>",
        "where outcomes and journal go (default: FILE.push beside the file; stdin.push, so name one for each stream)",
      ),
    )
    .addOption(new Option("--dry-run", "check the records offline; send nothing").conflicts("validateOnly"))
    .addOption(new Option("--validate-only", "let the service check the records; store nothing"))
    .addOption(new Option("--restart", "forget how far an earlier push came, and start over"));
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
