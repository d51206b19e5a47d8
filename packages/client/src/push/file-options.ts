import { readFile } from "node:fs/promises";
import { isObject, type Location } from "@gatehouse-parking/contract";
import {
  emptyMapping,
  isTimeZone,
  LenientLocations,
  LocationIndex,
  MappingError,
  messageOf,
  mappingMessages,
  needsLocations,
  readRules,
  toMapping,
  unknownLocation,
  zoneFor,
  type Mapping,
  type PrepareOptions,
  type KnownReading,
} from "@gatehouse-parking/record-files";
import { withAnswers } from "./answers.js";
import type { PushOptions } from "./command-line.js";
import { mappingFileError } from "./messages.js";

/** Options from the command line and the mapping file: how to read a file and convert its rows. */
export interface FileOptions {
  prepare: PrepareOptions;
  told: KnownReading;
  /** What a dry run without a service cannot check. */
  unchecked: readonly Unchecked[];
}

export type Unchecked = "localTimes" | "locations";

/** Undefined if there is no service to ask. */
export type LoadLocations = (() => Promise<Location[]>) | undefined;

/** The command line overrides the mapping file. */
export async function readFileOptions(
  options: PushOptions,
  mappingFile: string | undefined,
  loadLocations: LoadLocations,
): Promise<FileOptions> {
  const file = mappingFile === undefined ? withoutMapping(options) : await readMapping(mappingFile, options);
  const mapping: Mapping = {
    ...file,
    rules: { ...file.rules, ...rulesOfOptions(options) },
    ...(options.repeatedTimes ? { repeatedTimes: options.repeatedTimes } : {}),
  };
  const timeZone = options.timeZone ?? mapping.timeZone;
  requireZone(timeZone);
  const isZoned = timeZone === "location";
  const isLookedUp = needsLocations(mapping);
  const locations = isLookedUp || isZoned ? await loadLocations?.() : undefined;
  const isOffline = options.dryRun === true && locations === undefined;
  return {
    prepare: {
      mapping,
      ignoreUnknownColumns: options.ignoreUnknownColumns ?? false,
      timeZone: isZoned && isOffline ? standInZone : zoneFor(timeZone, locations),
      asksAboutTimes: true,
      locations:
        isLookedUp && isOffline
          ? new LenientLocations([], unknownLocation)
          : locations && new LocationIndex(locations),
    },
    unchecked: isOffline
      ? [...(isZoned ? ["localTimes" as const] : []), ...(isLookedUp ? ["locations" as const] : [])]
      : [],
    told: { ...file.file, ...readingOptions(options) },
  };
}

/** The options that say how the file is read, as a mapping file names them. */
export function readingOptions(options: PushOptions): KnownReading {
  const { format, encoding, delimiter, quote, headerLine, headerRows, sheet } = options;
  return given({ format, encoding, delimiter, quote, headerLine, headerRows, sheet });
}

/** The options that say how the values are read, as a mapping file names them. */
export function valueOptions(options: PushOptions) {
  const { timeFormat: time, numberFormat: number, empty, true: yes, false: no, trim } = options;
  return given({ time, number, empty, true: yes, false: no, trim });
}

export function given<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

function rulesOfOptions(options: PushOptions): Mapping["rules"] {
  return readRules(valueOptions(options), (refusal) => {
    const flag = { notTimePattern: "--time-format", notNumberExample: "--number-format" }[
      refusal.code as string
    ];
    throw new Error(`${flag ?? "--true"}: ${messageOf(mappingMessages, refusal)}`);
  });
}

/** Answers belong to the questions of a mapping file. A suggested mapping gets them when it is written. */
function withoutMapping({ answers, suggestMapping }: PushOptions): Mapping {
  if (answers !== undefined && suggestMapping === undefined)
    throw new Error("--answers needs the mapping file with the questions: add --mapping FILE");
  return emptyMapping;
}

export async function readMapping(file: string, options: PushOptions = {}): Promise<Mapping> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new Error(`Cannot read the mapping file ${file}: ${(error as Error).message}`, { cause: error });
  }
  const answered = isObject(content) ? await withAnswers(content, options) : content;
  try {
    return toMapping(answered);
  } catch (error) {
    throw error instanceof MappingError ? mappingFileError(error, file) : error;
  }
}

/** With it, everything about a time is checked except the moment. */
const standInZone = "UTC";

function requireZone(timeZone: string | undefined): void {
  if (timeZone !== undefined && timeZone !== "location" && !isTimeZone(timeZone))
    throw new Error(
      `--time-zone must be a time zone such as America/Chicago, or location, not "${timeZone}"`,
    );
}
