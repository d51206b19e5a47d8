import { isObject } from "@gatehouse-parking/contract";
import { encodings } from "../encoding.js";
import { inputFormats } from "../read-table.js";
import type { KnownReading } from "../recognize.js";
import { MappingError, type MappingRefusal } from "../refusals.js";
import { isTimeZone } from "./local-time.js";
import { readRules, ruleNames, type Refuse, type Rules } from "./rules.js";

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
  /** JSON texts by path; values of columns take precedence. */
  constants: ReadonlyMap<string, string>;
  rules?: Rules;
  /** "location" means the zone of each record's location. */
  timeZone?: string;
  repeatedTimes?: RepeatedTimes;
  /** How the file is to be read. */
  file?: KnownReading;
}

export interface ColumnTarget {
  to: string;
  /** Replacements as JSON texts; unlisted values stay unchanged. */
  values: ReadonlyMap<string, string>;
  rules?: Rules;
  /** Another column whose cell is appended, such as the time of a date. */
  with?: string;
  /** How to split a full name; `to` is then an object with firstName and lastName. */
  name?: NameOrder;
  /** How the cell identifies a location. */
  location?: LocationHint;
}

export const repeatedTimes = ["earlier", "later", "refuse"] as const;
/** How to read a local time that occurs twice at a clock change. */
export type RepeatedTimes = (typeof repeatedTimes)[number];
export const nameOrders = ["first last", "last first", "last, first"] as const;
export type NameOrder = (typeof nameOrders)[number];
export const locationHints = ["uuid", "tpReferenceId", "name", "any"] as const;
export type LocationHint = (typeof locationHints)[number];

export const emptyMapping: Mapping = { columns: new Map(), constants: new Map() };

/** Parses the content of a mapping file. */
export function toMapping(content: unknown): Mapping {
  const members = isObject(content) ? content : { "": content };
  const { columns = {}, constants = {}, ...others } = members;
  const unknown = Object.keys(others).find((name) => !otherMembers.has(name));
  if (unknown !== undefined || !isObject(columns) || !isObject(constants))
    return refuse({ code: "mappingShape", data: unknown === undefined ? {} : { unknown } });
  return {
    columns: new Map(Object.entries(columns).map(([name, target]) => [name, readTarget(name, target)])),
    constants: new Map(Object.entries(constants).map(([path, value]) => [path, JSON.stringify(value)])),
    rules: readRules(others, refuse),
    ...readZone(others["timeZone"]),
    ...readChoice("repeatedTimes", others["repeatedTimes"], repeatedTimes, refuse),
    file: readReading(others["file"]),
  };
}

const otherMembers: ReadonlySet<string> = new Set([...ruleNames, "timeZone", "repeatedTimes", "file"]);
const targetMembers = [...ruleNames, "to", "values", "with", "name", "location"];

function refuse(refusal: MappingRefusal): never {
  throw new MappingError(refusal);
}

function readTarget(column: string, target: unknown): ColumnTarget | null {
  if (target === null) return null;
  if (typeof target === "string") return { to: target, values: new Map() };
  const refuse: Refuse = (refusal) => {
    throw new MappingError(refusal, column);
  };
  if (!isObject(target) || typeof target["to"] !== "string" || !isObject(target["values"] ?? {}))
    return refuse({ code: "targetShape", data: {} });
  const unknown = Object.keys(target).find((member) => !targetMembers.includes(member));
  if (unknown !== undefined) refuse({ code: "unknownMember", data: { name: unknown, known: targetMembers } });
  const other = target["with"];
  if (other !== undefined && typeof other !== "string") return refuse({ code: "notColumn", data: {} });
  const values = Object.entries((target["values"] ?? {}) as Record<string, unknown>);
  const rules = readRules(target, refuse);
  if (other !== undefined && !rules.time) refuse({ code: "withoutTime", data: {} });
  return {
    to: target["to"],
    values: new Map(values.map(([value, replacement]) => [value, JSON.stringify(replacement)])),
    rules,
    ...(other === undefined ? {} : { with: other }),
    ...readChoice("name", target["name"], nameOrders, refuse),
    ...readChoice("location", target["location"], locationHints, refuse),
  };
}

function readChoice<Name extends string, Choice extends string>(
  member: Name,
  value: unknown,
  choices: readonly Choice[],
  refuse: Refuse,
): { [Key in Name]?: Choice } {
  if (value === undefined) return {};
  const choice = choices.find((known) => known === value);
  if (choice === undefined) return refuse({ code: "notOneOf", data: { member, choices } });
  return { [member]: choice } as { [Key in Name]?: Choice };
}

function readZone(zone: unknown): { timeZone?: string } {
  if (zone === undefined) return {};
  if (typeof zone !== "string" || (zone !== "location" && !isTimeZone(zone)))
    return refuse({ code: "notZone", data: { zone } });
  return { timeZone: zone };
}

function readReading(content: unknown): KnownReading {
  if (content === undefined) return {};
  const known = ["format", "encoding", "delimiter", "quote", "headerLine", "sheet"];
  if (!isObject(content) || Object.keys(content).some((name) => !known.includes(name)))
    return refuse({ code: "fileShape", data: { known } });
  const { delimiter, quote, headerLine, sheet } = content;
  if (delimiter !== undefined && (typeof delimiter !== "string" || !isDelimiter(delimiter)))
    return refuse({ code: "notDelimiter", data: {} });
  if (quote !== undefined && quote !== "" && quote !== '"' && quote !== "'")
    return refuse({ code: "notQuote", data: {} });
  if (headerLine !== undefined && !(Number.isInteger(headerLine) && (headerLine as number) > 0))
    return refuse({ code: "notLine", data: {} });
  if (sheet !== undefined && typeof sheet !== "string") return refuse({ code: "notSheet", data: {} });
  return {
    ...readChoice("format", content["format"], inputFormats, refuse),
    ...readChoice("encoding", content["encoding"], encodings, refuse),
    delimiter,
    quote,
    headerLine: headerLine as number | undefined,
    sheet,
  };
}

/** Limits the cost of comparing delimiters. */
const maxDelimiterLength = 16;

export function isDelimiter(text: string): boolean {
  return text !== "" && text.length <= maxDelimiterLength && !/["\r\n]/.test(text);
}

/**
 * Splits a full name. A single word is a last name. Without a comma, the last name is one word and the rest
 * is the first name.
 */
export function firstAndLast(text: string, order: NameOrder): { firstName: string; lastName: string } {
  const name = text.trim();
  if (order === "last, first") {
    const comma = name.indexOf(",");
    if (comma === -1) return { firstName: "", lastName: name };
    return { firstName: name.slice(comma + 1).trim(), lastName: name.slice(0, comma).trim() };
  }
  const words = name.split(/\s+/);
  if (words.length === 1) return { firstName: "", lastName: name };
  const lastName = (order === "first last" ? words.pop() : words.shift()) as string;
  return { firstName: words.join(" "), lastName };
}
