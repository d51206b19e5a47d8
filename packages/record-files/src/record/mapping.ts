import { isObject } from "@gatehouse-parking/contract";
import { encodings } from "../encoding.js";
import { inputFormats } from "../read-table.js";
import type { ToldReading } from "../recognize.js";
import { isTimeZone } from "./local-time.js";
import { readRules, ruleNames, type Rules } from "./rules.js";

/**
 * Says where the columns of a foreign file go, and how its values are written. In a mapping file it looks like this:
 *
 *     { "columns": { "Ticket": "transactionId",
 *                    "Kind": { "to": "type", "values": { "HOURLY": "Transient" } },
 *                    "Paid": { "to": "transactionDate", "time": "MM/dd/yyyy h:mm a" },
 *                    "Attendant": null },
 *       "constants": { "bookingSource": "Website" },
 *       "number": "$1,234.50", "empty": ["n/a", "-"], "timeZone": "America/Chicago" }
 *
 * A column that is not mentioned keeps its own name; null leaves it out. What stands beside "columns" holds for all
 * columns that say nothing else themselves.
 */
export interface Mapping {
  columns: ReadonlyMap<string, ColumnTarget | null>;
  /** JSON texts by path; a column that has a value wins. */
  constants: ReadonlyMap<string, string>;
  rules?: Rules;
  /** "location": that of each record's location. */
  timeZone?: string;
  repeatedTimes?: RepeatedTimes;
  /** How the file is to be read. */
  file?: ToldReading;
}

export interface ColumnTarget {
  to: string;
  /** Replacements, as JSON texts; a value that is not listed stays as it is. */
  values: ReadonlyMap<string, string>;
  rules?: Rules;
  /** Another column, whose cell is put behind this one's: the time of a date. */
  with?: string;
  /** How a full name is cut; then `to` is an object with firstName and lastName. */
  name?: NameOrder;
  /** What the cell tells of a location. */
  location?: LocationHint;
}

export const repeatedTimes = ["earlier", "later", "refuse"] as const;
/** What becomes of a local time that came twice because the clocks were put back. */
export type RepeatedTimes = (typeof repeatedTimes)[number];
export const nameOrders = ["first last", "last first", "last, first"] as const;
export type NameOrder = (typeof nameOrders)[number];
export const locationHints = ["uuid", "tpReferenceId", "name", "any"] as const;
export type LocationHint = (typeof locationHints)[number];

export const emptyMapping: Mapping = { columns: new Map(), constants: new Map() };

type Fail = (problem: string) => never;

/** Makes a mapping of what a mapping file holds. `file` is how messages call it. */
export function toMapping(content: unknown, file: string): Mapping {
  const members = isObject(content) ? content : { "": content };
  const { columns = {}, constants = {}, ...others } = members;
  const unknown = Object.keys(others).find((name) => !otherMembers.has(name));
  if (unknown !== undefined || !isObject(columns) || !isObject(constants)) {
    throw new Error(
      `The mapping file ${file} must be an object with the members "columns" and "constants"${unknown ? `, not "${unknown}"` : ""}`,
    );
  }
  const fail: Fail = (problem) => {
    throw new Error(`The mapping file ${file}: ${problem}`);
  };
  return {
    columns: new Map(Object.entries(columns).map(([name, target]) => [name, readTarget(name, target, file)])),
    constants: new Map(Object.entries(constants).map(([path, value]) => [path, JSON.stringify(value)])),
    rules: readRules(others, fail),
    ...readZone(others["timeZone"], fail),
    ...readChoice("repeatedTimes", others["repeatedTimes"], repeatedTimes, fail),
    file: readReading(others["file"], fail),
  };
}

const otherMembers: ReadonlySet<string> = new Set([...ruleNames, "timeZone", "repeatedTimes", "file"]);
const targetMembers: ReadonlySet<string> = new Set([
  ...ruleNames,
  ...["to", "values", "with", "name", "location"],
]);

function readTarget(name: string, target: unknown, file: string): ColumnTarget | null {
  if (target === null) return null;
  if (typeof target === "string") return { to: target, values: new Map() };
  if (!isObject(target) || typeof target["to"] !== "string" || !isObject(target["values"] ?? {})) {
    throw new Error(
      `The mapping file ${file} must give the column "${name}" a path, null, or an object with "to" and "values"`,
    );
  }
  const fail: Fail = (problem) => {
    throw new Error(`The mapping file ${file}, column "${name}": ${problem}`);
  };
  const unknown = Object.keys(target).find((member) => !targetMembers.has(member));
  if (unknown !== undefined)
    fail(`"${unknown}" is none of ${[...targetMembers].map((member) => `"${member}"`).join(", ")}`);
  const other = target["with"];
  if (other !== undefined && typeof other !== "string") fail('"with" must be the name of a column');
  const values = Object.entries((target["values"] ?? {}) as Record<string, unknown>);
  const rules = readRules(target, fail);
  if (other !== undefined && !rules.time)
    fail('"with" puts date and time together, so "time" must say how they are written together');
  return {
    to: target["to"],
    values: new Map(values.map(([value, replacement]) => [value, JSON.stringify(replacement)])),
    rules,
    ...(other === undefined ? {} : { with: other }),
    ...readChoice("name", target["name"], nameOrders, fail),
    ...readChoice("location", target["location"], locationHints, fail),
  };
}

function readChoice<Name extends string, Choice extends string>(
  name: Name,
  value: unknown,
  choices: readonly Choice[],
  fail: Fail,
): { [Key in Name]?: Choice } {
  if (value === undefined) return {};
  const choice = choices.find((known) => known === value);
  if (choice === undefined)
    return fail(`"${name}" must be one of ${choices.map((word) => `"${word}"`).join(", ")}`);
  return { [name]: choice } as { [Key in Name]?: Choice };
}

function readZone(zone: unknown, fail: Fail): { timeZone?: string } {
  if (zone === undefined) return {};
  if (typeof zone !== "string" || (zone !== "location" && !isTimeZone(zone)))
    fail(`"timeZone" must be a zone such as America/Chicago, or location, not ${JSON.stringify(zone)}`);
  return { timeZone: zone as string };
}

function readReading(content: unknown, fail: Fail): ToldReading {
  if (content === undefined) return {};
  const known = ["format", "encoding", "delimiter", "quote", "headerLine", "sheet"];
  if (!isObject(content) || Object.keys(content).some((name) => !known.includes(name)))
    return fail(`"file" must be an object with some of ${known.map((name) => `"${name}"`).join(", ")}`);
  const { delimiter, quote, headerLine, sheet } = content;
  if (delimiter !== undefined && (typeof delimiter !== "string" || !isDelimiter(delimiter)))
    fail('"delimiter" must be a mark such as ";" or "\\t"');
  if (quote !== undefined && quote !== "" && quote !== '"' && quote !== "'")
    fail('"quote" must be a quote, or "" for none');
  if (headerLine !== undefined && !(Number.isInteger(headerLine) && (headerLine as number) > 0))
    fail('"headerLine" must be a whole number from 1');
  if (sheet !== undefined && typeof sheet !== "string") fail('"sheet" must be the name of a sheet');
  return {
    ...readChoice("format", content["format"], inputFormats, fail),
    ...readChoice("encoding", content["encoding"], encodings, fail),
    delimiter: delimiter as string | undefined,
    quote: quote as string | undefined,
    headerLine: headerLine as number | undefined,
    sheet: sheet as string | undefined,
  };
}

/** Every character of a file may begin a delimiter, which is then compared as a whole. */
const maxDelimiterLength = 16;

export function isDelimiter(text: string): boolean {
  return text !== "" && text.length <= maxDelimiterLength && !/["\r\n]/.test(text);
}
