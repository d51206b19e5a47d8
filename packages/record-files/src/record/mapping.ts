import { isObject } from "@gatehouse-parking/contract";
import { encodings } from "../encoding.js";
import { inputFormats } from "../read-table.js";
import type { KnownReading } from "../recognize.js";
import { MappingError, type MappingRefusal } from "../refusals.js";
import { readTargets, type ColumnTarget } from "./column-target.js";
import { isTimeZone } from "./local-time.js";
import { applyAnswers, type MappingQuestion } from "./questions.js";
import { readFilters, type RowFilter } from "./row-filter.js";
import { readChoice, readRules, ruleNames, type Rules } from "./rules.js";

/**
 * Says where the columns of a foreign file go, and how its values are written. In a mapping file it looks like this:
 *
 *     { "columns": { "Ticket": "transactionId",
 *                    "Kind": { "to": "type", "values": { "HOURLY": "Transient" } },
 *                    "Paid": ["transactionDate", { "to": "sessionEnd", "time": "MM/dd/yyyy h:mm a" }],
 *                    "Attendant": null },
 *       "constants": { "bookingSource": "Website" },
 *       "leaveOut": [{ "column": "Status", "values": ["VOID"] }],
 *       "number": "$1,234.50", "empty": ["n/a", "-"], "timeZone": "America/Chicago" }
 *
 * A column that is not mentioned keeps its own name; null leaves it out. What stands beside "columns" holds for all
 * columns that say nothing else themselves.
 */
export interface Mapping {
  /** A column without targets is left out. */
  columns: ReadonlyMap<string, readonly ColumnTarget[]>;
  /** JSON texts by path; values of columns take precedence. */
  constants: ReadonlyMap<string, string>;
  rules?: Rules;
  /** "location" means the zone of each record's location. */
  timeZone?: string;
  repeatedTimes?: RepeatedTimes;
  /** How the file is to be read. */
  file?: KnownReading;
  /** Rows that are not imported. */
  filters?: readonly RowFilter[];
  questions?: readonly MappingQuestion[];
  /** Questions without an answer, and assumptions without a confirmation. */
  open?: readonly MappingQuestion[];
  /** Whether the mapping was made for this file, so that a date without a time is a mistake. */
  isForFile?: boolean;
}

export const repeatedTimes = ["earlier", "later", "refuse"] as const;
/** How to read a local time that occurs twice at a clock change. */
export type RepeatedTimes = (typeof repeatedTimes)[number];

export const emptyMapping: Mapping = { columns: new Map(), constants: new Map() };

/** Parses the content of a mapping file. Open questions do not prevent a check, only an import. */
export function toMapping(content: unknown): Mapping {
  const { content: members, questions, open } = applyAnswers(isObject(content) ? content : { "": content });
  const { columns = {}, constants = {}, ...others } = members;
  const unknown = Object.keys(others).find((name) => !otherMembers.has(name));
  if (unknown !== undefined || !isObject(columns) || !isObject(constants))
    return refuse({ code: "mappingShape", data: unknown === undefined ? {} : { unknown } });
  const targets = new Map(
    Object.entries(columns).map(([name, target]) => [name, readTargets(name, target)] as const),
  );
  const repeated = readChoice("repeatedTimes", others["repeatedTimes"], repeatedTimes, refuse);
  return {
    columns: targets,
    constants: new Map(Object.entries(constants).map(([path, value]) => [path, JSON.stringify(value)])),
    rules: readRules(others, refuse),
    ...readZone(others["timeZone"]),
    ...(repeated === undefined ? {} : { repeatedTimes: repeated }),
    file: readReading(others["file"]),
    filters: readFilters(others["leaveOut"]),
    questions,
    open,
    isForFile: questions.length > 0 || [...targets.values()].flat().some(saysHowTimesAreWritten),
  };
}

function saysHowTimesAreWritten({ rules, timeOfDay }: ColumnTarget): boolean {
  return rules?.time !== undefined || timeOfDay !== undefined;
}

const otherMembers: ReadonlySet<string> = new Set([
  ...[...ruleNames, "timeZone", "repeatedTimes", "file", "leaveOut"],
]);

function refuse(refusal: MappingRefusal): never {
  throw new MappingError(refusal);
}

/** Questions that must be answered, and assumptions that must be confirmed, before an import. */
export function openQuestions(mapping: Mapping): readonly MappingQuestion[] {
  return mapping.open ?? [];
}

/** Call this before an import. Throws MappingError if a question is open. */
export function requireAnswers(mapping: Mapping): void {
  const ids = openQuestions(mapping).map(({ id }) => id);
  if (ids.length > 0) refuse({ code: "openQuestions", data: { ids } });
}

/** Whether converting the rows needs the locations of the organization. */
export function needsLocations({ columns }: Mapping): boolean {
  return [...columns.values()].flat().some(({ location }) => location !== undefined);
}

function readZone(zone: unknown): { timeZone?: string } {
  if (zone === undefined) return {};
  if (typeof zone !== "string" || (zone !== "location" && !isTimeZone(zone)))
    return refuse({ code: "notZone", data: { zone } });
  return { timeZone: zone };
}

function readReading(content: unknown): KnownReading {
  if (content === undefined) return {};
  const known = ["format", "encoding", "delimiter", "quote", "headerLine", "headerRows", "sheet"];
  if (!isObject(content) || Object.keys(content).some((name) => !known.includes(name)))
    return refuse({ code: "fileShape", data: { known } });
  const { delimiter, quote, headerLine, headerRows, sheet } = content;
  if (delimiter !== undefined && (typeof delimiter !== "string" || !isDelimiter(delimiter)))
    return refuse({ code: "notDelimiter", data: {} });
  if (quote !== undefined && quote !== "" && quote !== '"' && quote !== "'")
    return refuse({ code: "notQuote", data: {} });
  if (headerLine !== undefined && !(Number.isInteger(headerLine) && (headerLine as number) > 0))
    return refuse({ code: "notLine", data: {} });
  if (headerRows !== undefined && ![0, 1, 2].includes(headerRows as number))
    return refuse({ code: "notHeaderRows", data: {} });
  if (sheet !== undefined && typeof sheet !== "string") return refuse({ code: "notSheet", data: {} });
  return {
    format: readChoice("format", content["format"], inputFormats, refuse),
    encoding: readChoice("encoding", content["encoding"], encodings, refuse),
    delimiter,
    quote,
    headerLine: headerLine as number | undefined,
    headerRows: headerRows as number | undefined,
    sheet,
  };
}

/** Limits the cost of comparing delimiters. */
const maxDelimiterLength = 16;

export function isDelimiter(text: string): boolean {
  return text !== "" && text.length <= maxDelimiterLength && !/["\r\n]/.test(text);
}
