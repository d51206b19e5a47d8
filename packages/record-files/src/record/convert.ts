import { parseTimestamp } from "@gatehouse-parking/contract";
import type { RowProblem, RowRefusal } from "../refusals.js";
import { isJsonObject, type RecordTree, type ObjectReader } from "./record-builder.js";
import type { Field, FieldTree } from "./fields.js";
import { matchingTimeFormats } from "./conversions/common-time-formats.js";
import { parseNumber } from "./conversions/number-format.js";
import type { WrittenTime } from "./conversions/time-format.js";
import { momentOf } from "./local-time.js";
import type { RepeatedTimes } from "./mapping.js";
import { plainWord, type Rules } from "./rules.js";

/**
 * Converts values to the types of the contract: "12.50" becomes a number, "yes" true, "Reservation" 4. A
 * value that cannot be converted stays unchanged, and the record check reports it. If the mapping declares a
 * format, a value with another format is reported here.
 */
export interface Conversion {
  /** The zone of times without one; undefined leaves them unchanged. */
  timeZone: string | undefined;
  repeatedTimes: RepeatedTimes;
  /** Whether to ask for the format of unknown times. */
  asksAboutTimes: boolean;
  reader: ObjectReader;
  /** The declared formats of a path. */
  rulesOf(path: string): Rules;
  /** The source columns of a path. */
  columnsOf(path: string): readonly string[] | undefined;
  /** Receives values that do not match their declared format. */
  problems: RowProblem[];
  /** Times that were ambiguous because of a clock change. */
  ambiguousTimes: number;
}

export function convertRecord(draft: RecordTree, tree: FieldTree, conversion: Conversion, prefix = ""): void {
  for (const [name, value] of draft) {
    const nested = tree.nested.get(name);
    const field = tree.fields.get(name);
    if (nested) {
      const inner = conversion.reader.objectIn(value);
      if (!inner) continue;
      convertRecord(inner, nested, conversion, `${prefix}${name}.`);
      draft.set(name, inner);
    } else if (field && typeof value === "string") {
      draft.set(name, convertValue(value, field, prefix + name, conversion));
    }
  }
}

function convertValue(text: string, field: Field, path: string, conversion: Conversion): string {
  const isString = text.startsWith('"');
  const rules = conversion.rulesOf(path);
  if (field.kind === "text") {
    if (isNumber(text)) return JSON.stringify(text);
    return isString && rules.trim ? JSON.stringify((JSON.parse(text) as string).trim()) : text;
  }
  // A time may be a number: a Unix time or a spreadsheet's serial date.
  if (!isString && !(field.kind === "time" && rules.time && isNumber(text))) return text;
  const value = (isString ? (JSON.parse(text) as string) : text).trim();
  switch (field.kind) {
    case "amount":
      return numberIn(value, path, rules, conversion) ?? text;
    case "integer":
      return enumValue(value, field.names) ?? numberIn(value, path, rules, conversion) ?? text;
    case "flag":
      return flagIn(value, rules) ?? text;
    case "metadata":
      return isJsonObject(value) ? value : text;
    case "time":
      return (
        (rules.time
          ? writtenTime(value, path, field, rules.time, conversion)
          : timeText(value, path, conversion)) ?? text
      );
  }
}

function numberIn(
  value: string,
  path: string,
  { number }: Rules,
  conversion: Conversion,
): string | undefined {
  if (!number) return numberText(value);
  const parsed = parseNumber(value, number);
  if (parsed === undefined)
    refuse(conversion, path, value, { code: "notNumber", data: { example: number.example } });
  return parsed;
}

function flagIn(value: string, rules: Rules): string | undefined {
  const word = plainWord(value);
  if (rules.true?.has(word)) return "true";
  return rules.false?.has(word) ? "false" : flags.get(word);
}

/** Reads a time in the declared formats. */
function writtenTime(
  value: string,
  path: string,
  field: Field,
  formats: NonNullable<Rules["time"]>,
  conversion: Conversion,
): string | undefined {
  // A time with a zone is unambiguous.
  if (timeShape.exec(value)?.[5] !== undefined) return timeText(value, path, conversion);
  const found = new Map<string, WrittenTime>();
  for (const format of formats) {
    const time = format.read(value);
    if (time) found.set(JSON.stringify(time), time);
  }
  const [written, other] = found.values();
  if (!written || other) {
    const patterns = formats.map(({ pattern }) => pattern);
    refuse(conversion, path, value, { code: other ? "ambiguousTime" : "notTime", data: { patterns } });
    return undefined;
  }
  const { date, time, zone } = written;
  if (time === undefined && field.takesDates) return JSON.stringify(date);
  const local = `${date}T${time ?? "00:00:00"}`;
  if (zone !== undefined) return JSON.stringify(local + zone);
  if (conversion.timeZone === undefined) {
    refuse(conversion, path, value, { code: "zoneless", data: {} });
    return undefined;
  }
  return inZone(local, value, path, conversion.timeZone, conversion);
}

function isNumber(text: string): boolean {
  return /^-?\d/.test(text);
}

/**
 * A JSON number with the same digits. Allows a sign, leading zeros and a bare decimal point, but never a
 * comma.
 */
function numberText(value: string): string | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/.exec(value);
  if (!match || !/\d/.test(value.replace(/[eE].*/, ""))) return undefined;
  const [, sign, digits = "", fraction, exponent = ""] = match;
  const whole = digits.replace(/^0+/, "") || "0";
  return `${sign === "-" ? "-" : ""}${whole}${fraction ? `.${fraction}` : ""}${exponent}`;
}

/** Compares names without case and separators: "Pending approval" and pending_approval are equal. */
export function enumValue(value: string, names: Field["names"]): string | undefined {
  if (!names) return undefined;
  const plain = plainName(value);
  const name = Object.keys(names).find((known) => plainName(known) === plain);
  return name && String(names[name]);
}

function plainName(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]/g, "");
}

const flags: ReadonlyMap<string, string> = new Map([
  ...["true", "yes", "y", "1"].map((word) => [word, "true"] as const),
  ...["false", "no", "n", "0"].map((word) => [word, "false"] as const),
]);

const timeShape =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2})?(\.\d+)?(?: ?([Zz]|[+-]\d{2}(?::?\d{2})?))?$/;

/** Converts common ISO 8601 variants to the form that the service accepts, and local times to UTC. */
function timeText(value: string, path: string, conversion: Conversion): string | undefined {
  const match = timeShape.exec(value);
  if (!match) {
    if (conversion.asksAboutTimes) askForFormat(value, path, conversion);
    return undefined;
  }
  const [, date = "", time = "", seconds = ":00", fraction = "", zone] = match;
  if (zone) return JSON.stringify(`${date}T${time}${seconds}${fraction}${zone.toUpperCase()}`);
  if (!conversion.timeZone) return undefined;
  return inZone(`${date}T${time}${seconds}${fraction}`, value, path, conversion.timeZone, conversion);
}

/**
 * Foreign date formats are never guessed: only the owner of the file knows whether 03/04 is in March or
 * April.
 */
function askForFormat(value: string, path: string, conversion: Conversion): void {
  const patterns = matchingTimeFormats(value).map(({ pattern }) => pattern);
  if (patterns.length > 0) refuse(conversion, path, value, { code: "undeclaredTime", data: { patterns } });
}

function refuse({ problems, columnsOf }: Conversion, path: string, value: string, refusal: RowRefusal): void {
  const columns = columnsOf(path);
  problems.push({ ...refusal, path, value, ...(columns && columns[0] !== path ? { columns } : {}) });
}

/** Converts a local time to UTC. */
function inZone(
  local: string,
  value: string,
  path: string,
  timeZone: string,
  conversion: Conversion,
): string | undefined {
  const wallMs = parseTimestamp(`${local.slice(0, 19)}Z`);
  if (wallMs === undefined) return undefined;
  const moment = momentOf(wallMs, timeZone);
  if (moment.kind === "never") {
    refuse(conversion, path, value, { code: "skippedTime", data: { timeZone } });
    return undefined;
  }
  if (moment.kind === "twice") {
    if (conversion.repeatedTimes === "refuse") {
      refuse(conversion, path, value, { code: "repeatedTime", data: { timeZone } });
      return undefined;
    }
    conversion.ambiguousTimes += 1;
  }
  const isLast = moment.kind === "twice" && conversion.repeatedTimes === "later";
  const utcMs = isLast ? moment.lastUtcMs : moment.utcMs;
  return JSON.stringify(`${new Date(utcMs).toISOString().slice(0, 19)}${local.slice(19)}Z`);
}
