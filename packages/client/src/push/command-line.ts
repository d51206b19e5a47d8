import { readFileSync } from "node:fs";
import { importResourceNames, type ImportResourceName } from "@gatehouse-parking/contract";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { typedOptions, type TypedOption } from "./command-text.js";
import { joinWords, pushOrder } from "./folder.js";
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

/** The parsed command line. */
export type PushCommand =
  /** A resource and its file, or a folder with files of several resources. */
  | {
      target: { resource: ImportResourceName; file: string } | { folder: string };
      options: PushOptions;
      /** The options as typed, to suggest other commands. */
      typed: TypedOption[];
    }
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
  headerRows?: number;
  sheet?: string;
  mapping?: string;
  suggestMapping?: string;
  answers?: string;
  confirmAssumptions?: boolean;
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
  preview?: boolean;
  validateOnly?: boolean;
  restart?: boolean;
  background?: boolean;
  /** false: --no-wait. */
  wait?: boolean;
}

const filePatterns = pushOrder.map((resource) => `${resource}.*`);

const examples = `
Examples:
  $ gatehouse-push locations
  $ gatehouse-push transactions export.csv --suggest-mapping mapping.json
  $ gatehouse-push transactions sessions.csv --dry-run
  $ gatehouse-push transactions sessions.csv --url https://gatehouse.example.com --key-file key.txt
  $ gatehouse-push accounts accounts.json --time-zone America/Chicago
  $ gatehouse-push transactions april.csv --time-format 'MM/dd/yyyy h:mm a' --time-zone America/Chicago --number-format '$1,234.50' --empty n/a
  $ zcat sessions.ndjson.gz | gatehouse-push transactions - --format ndjson
  $ gatehouse-push ./export  # ${joinWords(pushOrder, "and")}, in this order

The API key comes from --key-file or ${keyVariable}, never from an argument.
HTTPS_PROXY and NO_PROXY are supported.
Exit codes: 0 nothing failed (existing records count as done), 2 some records failed, 3 none failed, but some are stored
already with other values, 75 the service was unreachable or failing (run the same command again later), 1 any other
error.`;

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Parses the arguments. Returns undefined after printing the help or the version. */
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
    .showHelpAfterError("Run gatehouse-push --help for usage.")
    .configureOutput({ writeOut: output.out, writeErr: output.error })
    .addHelpText("after", examples);

  const typedIn = ({ options }: Command) =>
    typedOptions(args, (flag) => options.some(({ long, required }) => long === flag && required));
  for (const resource of importResourceNames) {
    withPushOptions(program.command(`${resource} <file>`))
      .description(`push a file of ${resource}; use - for standard input`)
      .action((file: string, options: PushOptions, self: Command) => {
        refuseForBackground(self, options, { isStream: file === "-" });
        chosen = { target: { resource, file }, options: withDuration(options), typed: typedIn(self) };
      });
  }
  withPushOptions(program.command("folder <folder>", { isDefault: true }))
    .description(`push the files ${joinWords(filePatterns, "and")} of a folder, in this order`)
    .action((folder: string, options: PushOptions, self: Command) => {
      const single = (["format", "suggestMapping", "answers"] as const).find(
        (name) => options[name] !== undefined,
      );
      if (single !== undefined)
        self.error(
          `error: ${flagOf(self, single)} works only for single files; push the files of the folder one by one`,
        );
      refuseForBackground(self, options, { isFolder: true });
      chosen = { target: { folder }, options: withDuration(options), typed: typedIn(self) };
    });

  withServiceOptions(program.command("locations"))
    .description("list the organization's locations as CSV, including the uuid for records")
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

function flagOf({ options }: Command, name: string): string {
  return options.find((option) => option.attributeName() === name)?.long ?? name;
}

/** Why these options cannot be combined. */
function refuseForBackground(
  command: Command,
  { background = false, wait = true }: PushOptions,
  { isStream = false, isFolder = false },
): void {
  const problems = [
    [
      !wait && !background,
      "--no-wait works only with --background; otherwise nothing continues after the command",
    ],
    [
      background && isStream,
      "--background needs a file, because the service has to know its size in advance",
    ],
    [
      !wait && isFolder,
      "--no-wait works only for single files; each file of a folder may refer to those before it",
    ],
  ] as const;
  const found = problems.find(([isFound]) => isFound);
  if (found) command.error(`error: ${found[1]}`);
}

/** Our names end with the unit; the option's name does not. */
function withDuration<Options extends ServiceOptions>(options: Options & { keepTrying?: number }): Options {
  const { keepTrying, ...rest } = options;
  return { ...rest, ...(keepTrying === undefined ? {} : { keepTryingMs: keepTrying }) } as Options;
}

function withServiceOptions(command: Command): Command {
  return command
    .option("--url <address>", `address of the service (or ${urlVariable})`)
    .option("--key-file <file>", `file that contains the API key (or ${keyVariable})`)
    .option("--ca <file>", "trust this certificate authority (PEM file)")
    .option("--json", "print JSON instead of text")
    .option(
      "--keep-trying <duration>",
      "how long to retry while the service is unreachable or failing, such as 30m or 8h",
      readDuration,
    );
}

const repeatable = "can be repeated";

function withPushOptions(command: Command): Command {
  const format = new Option("--format <format>", "file format, if the file name does not show it");
  const encoding = new Option("--encoding <name>", "encoding, if detection fails");
  const headerRows = new Option(
    "--header-rows <number>",
    "rows of the header: 0 for none, 2 for groups above names (default: detected)",
  );
  const suggestMapping = new Option(
    "--suggest-mapping <file>",
    "write a mapping file based on column names and content; send nothing",
  );
  const repeated = new Option(
    "--repeated-times <which>",
    "how to read local times that occur twice at a clock change (default: earlier)",
  );
  const background = new Option(
    "--background",
    "upload the file and let the service import it; needs the permission uploads:write",
  );
  const dryRun = new Option("--dry-run", "check the records offline; send nothing");
  return withServiceOptions(command)
    .addOption(format.choices(inputFormats))
    .option("--delimiter <mark>", "cell separator of a CSV file; tab for a tab", readDelimiter)
    .addOption(encoding.choices(encodings))
    .option("--quote <mark>", "quote character of a CSV file, or none", readQuote)
    .option("--header-line <number>", "number of the header line of a CSV file or a spreadsheet", readLine)
    .addOption(headerRows.choices(["0", "1", "2"]).argParser(Number))
    .option("--sheet <name>", "sheet of a spreadsheet (default: the first that is not empty)")
    .option("--mapping <file>", "JSON file that maps columns and declares value formats")
    .addOption(suggestMapping.conflicts(["mapping", "dryRun", "validateOnly", "restart"]))
    .option("--answers <file>", "JSON file with the answers to the questions of the mapping, by id")
    .option("--confirm-assumptions", "confirm the assumptions of the mapping")
    .option(
      "--time-format <pattern>",
      `time format, such as 'MM/dd/yyyy h:mm a', unix, unix-ms or serial; ${repeatable}`,
      addTo,
    )
    .option("--number-format <example>", "how the file writes 1234.50, such as '1.234,50' or '$1,234.50'")
    .option("--empty <word>", `text that means an empty cell, such as n/a; ${repeatable}`, addTo)
    .option("--true <word>", `additional word for true; ${repeatable}`, addTo)
    .option("--false <word>", `additional word for false; ${repeatable}`, addTo)
    .option("--trim", "trim spaces around text")
    .option("--ignore-unknown-columns", "ignore columns, or members of JSON records, that are not fields")
    .option(
      "--time-zone <zone>",
      "time zone of times without one, such as America/Chicago; location: the zone of each record's location",
    )
    .addOption(repeated.choices(repeatedTimes))
    .option(
      "--output <folder>",
      "folder for outcomes and journal (default: FILE.push next to the file, stdin.push for standard input; use a separate folder for each stream)",
    )
    .addOption(dryRun.conflicts("validateOnly"))
    .option(
      "--preview",
      "with --dry-run: show some rows before and after the conversion, and the values of each column",
    )
    .option("--validate-only", "let the service validate the records; store nothing")
    .option("--restart", "ignore the progress of an earlier push and start over")
    .addOption(background.conflicts(["dryRun", "suggestMapping"]))
    .option("--no-wait", "with --background: end as soon as the service has started");
}

function readDelimiter(text: string): string {
  if (!isDelimiter(text))
    throw new InvalidArgumentError("It must be a separator such as ; or |, or tab for a tab.");
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
