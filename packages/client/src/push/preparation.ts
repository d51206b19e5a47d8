import type { Location } from "@gatehouse-parking/contract";
import {
  emptyMapping,
  isTimeZone,
  LocationBook,
  readRules,
  type Mapping,
  type PrepareOptions,
  type ToldReading,
} from "@gatehouse-parking/record-files";
import type { PushOptions } from "./command-line.js";
import { readMapping } from "./mapping-file.js";

/** How a file is read and how its rows become records, by the command line and the mapping file. */
export interface Preparation {
  prepare: PrepareOptions;
  told: ToldReading;
}

/** The organization's locations; undefined if there is no service to ask. */
export type AskLocations = (() => Promise<Location[]>) | undefined;

/** What the command line says wins over what the mapping file says. */
export async function readPreparation(
  options: PushOptions,
  mappingFile: string | undefined,
  askLocations: AskLocations,
): Promise<Preparation> {
  const file = mappingFile === undefined ? emptyMapping : await readMapping(mappingFile);
  const mapping: Mapping = {
    ...file,
    rules: { ...file.rules, ...rulesOfOptions(options) },
    ...(options.repeatedTimes ? { repeatedTimes: options.repeatedTimes } : {}),
  };
  const isLookedUp = [...mapping.columns.values()].some((target) => target?.location !== undefined);
  const timeZone = options.timeZone ?? mapping.timeZone;
  const locations =
    isLookedUp || timeZone === "location" ? await locationsFor(timeZone, askLocations) : undefined;
  return {
    prepare: {
      mapping,
      ignoreUnknownColumns: options.ignoreUnknownColumns ?? false,
      timeZone: zoneFor(timeZone, locations),
      asksAboutTimes: true,
      locations: locations && new LocationBook(locations),
    },
    told: {
      format: options.format ?? file.file?.format,
      encoding: options.encoding ?? file.file?.encoding,
      delimiter: options.delimiter ?? file.file?.delimiter,
      quote: options.quote ?? file.file?.quote,
      headerLine: options.headerLine ?? file.file?.headerLine,
      sheet: options.sheet ?? file.file?.sheet,
    },
  };
}

function rulesOfOptions(options: PushOptions): Mapping["rules"] {
  const given = {
    time: options.timeFormat,
    number: options.numberFormat,
    empty: options.empty,
    true: options.true,
    false: options.false,
    trim: options.trim,
  };
  return readRules(given, (problem) => {
    throw new Error(`--${flagNames[/^"(\w+)"/.exec(problem)?.[1] ?? ""] ?? ""}: ${problem}`);
  });
}

const flagNames: Readonly<Record<string, string>> = {
  time: "time-format",
  number: "number-format",
  true: "true",
  false: "false",
};

async function locationsFor(
  timeZone: string | undefined,
  ask: AskLocations,
): Promise<Location[] | undefined> {
  if (ask) return ask();
  if (timeZone === "location")
    throw new Error("--time-zone location needs the service; with --dry-run, name a zone");
  return undefined;
}

function zoneFor(
  timeZone: string | undefined,
  locations: readonly Location[] | undefined,
): PrepareOptions["timeZone"] {
  if (timeZone === "location")
    return new Map((locations ?? []).map((location) => [location.uuid.toLowerCase(), location.timeZone]));
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new Error(`--time-zone must be a zone such as America/Chicago, or location, not "${timeZone}"`);
  return timeZone;
}
