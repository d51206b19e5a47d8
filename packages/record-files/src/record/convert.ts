import { parseTimestamp } from "@gatehouse-parking/contract";
import type { Draft } from "./draft.js";
import type { Field, FieldTree } from "./fields.js";
import { timeFormatsOf } from "./conversions/known-times.js";
import { parseNumber } from "./conversions/number-format.js";
import type { WrittenTime } from "./conversions/time-format.js";
import { momentOf } from "./local-time.js";
import type { RepeatedTimes } from "./mapping.js";
import { isJsonObject, type ObjectReader } from "./object-reader.js";
import { shown, type RowProblem } from "./problems.js";
import { plainWord, type Rules } from "./rules.js";

/**
 * Gives values the types of the contract: "12.50" becomes a number, "yes" true, "Reservation" 4. What cannot be
 * converted stays as it is, and the checker says what is wrong with it, here with --dry-run as well as in the service.
 * Where a mapping says how values are written, one that is not written so is a problem right here.
 */
export interface Conversion {
  /** The zone of times without one; undefined if there is none, and they are left as they are. */
  timeZone: string | undefined;
  repeatedTimes: RepeatedTimes;
  /** Whether whoever is told can say how times are written. */
  asksAboutTimes: boolean;
  reader: ObjectReader;
  /** How the values of a path are written. */
  rulesOf(path: string): Rules;
  /** The column that a path gets its value from. */
  columnOf(path: string): string | undefined;
  /** Filled with values that cannot be converted although it is said how they are written. */
  problems: RowProblem[];
  /** How many times were ambiguous because the clocks were put back. */
  ambiguousTimes: number;
}

export function convertDraft(draft: Draft, tree: FieldTree, conversion: Conversion, prefix = ""): void {
  for (const [name, value] of draft) {
    const nested = tree.nested.get(name);
    const field = tree.fields.get(name);
    if (nested) {
      const inner = conversion.reader.objectIn(value);
      if (!inner) continue;
      convertDraft(inner, nested, conversion, `${prefix}${name}.`);
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
  // A time may be written as a number: seconds, or days of a spreadsheet.
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
  if (parsed === undefined) refuse(conversion, path, value, `is not written like ${number.example}`);
  return parsed;
}

function flagIn(value: string, rules: Rules): string | undefined {
  const word = plainWord(value);
  if (rules.true?.has(word)) return "true";
  return rules.false?.has(word) ? "false" : flags.get(word);
}

/** A time that is written as the mapping says. */
function writtenTime(
  value: string,
  path: string,
  field: Field,
  formats: NonNullable<Rules["time"]>,
  conversion: Conversion,
): string | undefined {
  // A time with its zone can mean nothing else, wherever it comes from.
  if (timeShape.exec(value)?.[5] !== undefined) return timeText(value, path, conversion);
  const patterns = formats.map(({ pattern }) => pattern).join(" or ");
  const found = new Map<string, WrittenTime>();
  for (const format of formats) {
    const time = format.read(value);
    if (time) found.set(JSON.stringify(time), time);
  }
  const [written, other] = found.values();
  if (!written || other) {
    const problem = other ? `fits several of ${patterns}` : `is no time written as ${patterns}`;
    refuse(conversion, path, value, problem);
    return undefined;
  }
  const { date, time, zone } = written;
  if (time === undefined && field.takesDates) return JSON.stringify(date);
  const local = `${date}T${time ?? "00:00:00"}`;
  if (zone !== undefined) return JSON.stringify(local + zone);
  if (conversion.timeZone === undefined) {
    const advice = 'name it with --time-zone, or with "timeZone" in the mapping file';
    refuse(conversion, path, value, "has no zone", advice);
    return undefined;
  }
  return inZone(local, value, path, conversion.timeZone, conversion);
}

function isNumber(text: string): boolean {
  return /^-?\d/.test(text);
}

/** A JSON number with the same digits. A sign, leading zeros and a bare point are forgiven; a comma never is. */
function numberText(value: string): string | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/.exec(value);
  if (!match || !/\d/.test(value.replace(/[eE].*/, ""))) return undefined;
  const [, sign, digits = "", fraction, exponent = ""] = match;
  const whole = digits.replace(/^0+/, "") || "0";
  return `${sign === "-" ? "-" : ""}${whole}${fraction ? `.${fraction}` : ""}${exponent}`;
}

/** Names are compared without case and separators, so "Pending approval" and pending_approval are both understood. */
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

/** The usual spellings of a time in the one the service takes; a time without a zone is moved from its zone to UTC. */
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

/** A date that other systems write is never guessed at: whether 03/04 is in March or in April, the file's owner knows. */
function askForFormat(value: string, path: string, conversion: Conversion): void {
  const patterns = timeFormatsOf(value).map(({ pattern }) => pattern);
  if (patterns.length === 0) return;
  const advice = `say so with --time-format "${patterns[0]}", or with "time" in the mapping file`;
  refuse(
    conversion,
    path,
    value,
    patterns.length === 1 ? "is not in ISO 8601" : `can be read as ${patterns.join(" and as ")}`,
    patterns.length === 1
      ? `if it is written as ${patterns[0]}, ${advice}`
      : `if the first is right, ${advice}`,
  );
}

/** Says of a value where it was to go, its column, what was in the file, and what is wrong with it. */
function refuse(
  { problems, columnOf }: Conversion,
  path: string,
  value: string,
  problem: string,
  advice?: string,
): void {
  const column = columnOf(path);
  const from = column === undefined || column === path ? "" : ` (column "${column}")`;
  const text = `${path}${from} ${shown(value)} ${problem}`;
  if (advice === undefined) problems.push({ path, value, problem, text });
  else problems.push({ path, value, problem, advice, text: `${text}; ${advice}` });
}

function refuseTime({ problems }: Conversion, path: string, value: string, problem: string): void {
  problems.push({ path, value, problem, text: `${path} ${value} ${problem}` });
}

/** The moment that a clock showed this time, in UTC. */
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
    refuseTime(conversion, path, value, `does not exist in ${timeZone}: the clocks were put forward`);
    return undefined;
  }
  if (moment.kind === "twice") {
    if (conversion.repeatedTimes === "refuse") {
      refuseTime(conversion, path, value, `came twice in ${timeZone}: the clocks were put back`);
      return undefined;
    }
    conversion.ambiguousTimes += 1;
  }
  const isLast = moment.kind === "twice" && conversion.repeatedTimes === "later";
  const utcMs = isLast ? moment.lastUtcMs : moment.utcMs;
  return JSON.stringify(`${new Date(utcMs).toISOString().slice(0, 19)}${local.slice(19)}Z`);
}
