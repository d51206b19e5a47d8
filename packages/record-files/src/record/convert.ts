import { parseTimestamp } from "@gatehouse-parking/contract";
import type { RowProblem, RowRefusal } from "../refusals.js";
import { cleanText, isErrorValue, isShortenedNumber } from "../rows/cell-text.js";
import { isJsonObject, type RecordTree, type ObjectReader } from "./record-builder.js";
import { refuseDates } from "./column-target.js";
import type { Field, FieldTree } from "./fields.js";
import { matchingTimeFormats } from "./conversions/common-time-formats.js";
import { parseNumber } from "./conversions/number-format.js";
import { numberText } from "./conversions/number-text.js";
import type { TimeFormat, WrittenTime } from "./conversions/time-format.js";
import { momentOf } from "./local-time.js";
import type { RepeatedTimes } from "./mapping.js";
import { plainWord, type Rules } from "./rules.js";
import type { FieldRules } from "./rules-by-path.js";

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
  rulesOf(path: string): FieldRules;
  /** The source columns of a path. */
  columnsOf(path: string): readonly string[] | undefined;
  /** Receives values that do not match their declared format. */
  problems: RowProblem[];
  /** Whether a date without a time is a problem where a field needs one. Otherwise it is midnight. */
  needsTimeOfDay: boolean;
  /** Times that are never before another field, by their path. */
  ends: Map<string, TimeOfEnd>;
  /** Times that were ambiguous because of a clock change. */
  ambiguousTimes: number;
  /** Dates that became midnight. */
  datesWithoutTime: number;
}

/** A time as it is written, which may have to move to the next day. */
interface TimeOfEnd {
  local: string;
  value: string;
  after: string;
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
    if (!isString && !isNumber(text)) return text;
    if (isDamaged(text)) refuseDamaged(text, path, conversion);
    if (!isString) return JSON.stringify(text);
    return rules.trim ? JSON.stringify(cleanText(JSON.parse(text) as string)) : text;
  }
  // A time may be a number: a Unix time or a spreadsheet's serial date.
  if (!isString && !(field.kind === "time" && rules.time && isNumber(text))) return text;
  const value = cleanText(isString ? (JSON.parse(text) as string) : text);
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
          : timeText(value, path, field, conversion)) ?? text
      );
  }
}

const hash = 0x23;

/** A quick look at a JSON text: whether a spreadsheet may have lost its value. */
function isDamaged(text: string): boolean {
  return text.charCodeAt(1) === hash || /^"? *[+-]?\d[.,]?\d*[eE][+\d]/.test(text);
}

function refuseDamaged(text: string, path: string, conversion: Conversion): void {
  const value = text.startsWith('"') ? (JSON.parse(text) as string).trim() : text;
  if (isErrorValue(value)) refuse(conversion, path, value, { code: "errorValue", data: {} });
  if (isShortenedNumber(value)) refuse(conversion, path, value, { code: "shortenedNumber", data: {} });
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
  formats: readonly TimeFormat[],
  conversion: Conversion,
): string | undefined {
  // A time with a zone is unambiguous, unless its year is of another calendar.
  if (timeShape.exec(value)?.[5] !== undefined && !isOfOtherCalendar(value))
    return timeText(value, path, field, conversion);
  const found = readings(value, formats);
  // A row may lack the time that the others have.
  const dates =
    found.length > 0
      ? []
      : readings(
          value,
          formats.flatMap(({ dateOnly }) => dateOnly ?? []),
        );
  const [written, other] = [...found, ...dates];
  if (!written || other) {
    const patterns = formats.map(({ pattern }) => pattern);
    refuse(conversion, path, value, { code: other ? "ambiguousTime" : "notTime", data: { patterns } });
    return undefined;
  }
  const { date, time, zone } = written;
  if (time === undefined) {
    const needsTime = conversion.needsTimeOfDay || dates.length > 0;
    return dateText({ date, value, path, field, needsTime }, conversion);
  }
  const local = `${date}T${time}`;
  return zone === undefined
    ? inZone(local, value, path, conversion.timeZone, conversion)
    : zonedTime(local, zone, value, path, conversion);
}

/** The different meanings of a text. */
function readings(value: string, formats: readonly TimeFormat[]): WrittenTime[] {
  const found = new Map<string, WrittenTime>();
  for (const format of formats) {
    const time = format.read(value);
    if (time) found.set(JSON.stringify(time), time);
  }
  return [...found.values()];
}

interface DateWithoutTime {
  date: string;
  value: string;
  path: string;
  field: Field;
  /** Whether the date is a problem if the field needs a time. */
  needsTime: boolean;
}

function dateText(
  { date, value, path, field, needsTime }: DateWithoutTime,
  conversion: Conversion,
): string | undefined {
  if (isOfOtherCalendar(date)) return refuseCalendar(date, value, path, conversion);
  const { timeOfDay } = conversion.rulesOf(path);
  if (timeOfDay !== undefined && timeOfDay !== refuseDates)
    return inZone(`${date}T${timeOfDay}`, value, path, conversion.timeZone, conversion);
  if (field.takesDates) return JSON.stringify(date);
  if (needsTime || timeOfDay === refuseDates) {
    refuse(conversion, path, value, { code: "noTimeOfDay", data: {} });
    return undefined;
  }
  conversion.datesWithoutTime += 1;
  return inZone(`${date}T00:00:00`, value, path, conversion.timeZone, conversion);
}

function isNumber(text: string): boolean {
  return /^-?\d/.test(text);
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

const dayMs = 86_400_000;

const timeShape =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2})?(\.\d+)?(?: ?([Zz]|[+-]\d{2}(?::?\d{2})?))?$/;

const dateShape = /^\d{4}-\d{2}-\d{2}$/;

/** Converts common ISO 8601 variants to the form that the service accepts, and local times to UTC. */
function timeText(value: string, path: string, field: Field, conversion: Conversion): string | undefined {
  if (dateShape.test(value) && (isOfOtherCalendar(value) || isDateHandled(path, conversion)))
    return dateText({ date: value, value, path, field, needsTime: conversion.needsTimeOfDay }, conversion);
  const match = timeShape.exec(value);
  if (!match) {
    if (conversion.asksAboutTimes) askForFormat(value, path, conversion);
    return undefined;
  }
  const [, date = "", time = "", seconds = ":00", fraction = "", zone] = match;
  if (zone)
    return zonedTime(`${date}T${time}${seconds}${fraction}`, zone.toUpperCase(), value, path, conversion);
  if (!conversion.timeZone) return undefined;
  return inZone(`${date}T${time}${seconds}${fraction}`, value, path, conversion.timeZone, conversion);
}

/** Otherwise the record check reports the date. */
function isDateHandled(path: string, { needsTimeOfDay, rulesOf }: Conversion): boolean {
  return needsTimeOfDay || rulesOf(path).timeOfDay !== undefined;
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

/** Years of the Buddhist, Islamic, Persian and Minguo calendars. No file has such years of the Gregorian one. */
function isOfOtherCalendar(local: string): boolean {
  const year = Number(local.slice(0, 4));
  return year < 1600 || (year >= 2400 && year < 2700);
}

function refuseCalendar(local: string, value: string, path: string, conversion: Conversion): undefined {
  refuse(conversion, path, value, { code: "otherCalendar", data: { year: Number(local.slice(0, 4)) } });
}

/** A time with its zone. */
function zonedTime(
  local: string,
  zone: string,
  value: string,
  path: string,
  conversion: Conversion,
): string | undefined {
  if (isOfOtherCalendar(local)) return refuseCalendar(local, value, path, conversion);
  return JSON.stringify(local + zone);
}

/** Converts a local time to UTC. */
function inZone(
  local: string,
  value: string,
  path: string,
  timeZone: string | undefined,
  conversion: Conversion,
): string | undefined {
  if (isOfOtherCalendar(local)) return refuseCalendar(local, value, path, conversion);
  if (timeZone === undefined) {
    refuse(conversion, path, value, { code: "zoneless", data: {} });
    return undefined;
  }
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
  const { after } = conversion.rulesOf(path);
  if (after !== undefined) conversion.ends.set(path, { local, value, after });
  const isLast = moment.kind === "twice" && conversion.repeatedTimes === "later";
  const utcMs = isLast ? moment.lastUtcMs : moment.utcMs;
  return JSON.stringify(`${new Date(utcMs).toISOString().slice(0, 19)}${local.slice(19)}Z`);
}

/** Moves each end that would be before its start to the next day, if it is not before the start then. */
export function moveToNextDay(draft: RecordTree, conversion: Conversion): void {
  for (const [path, { local, value, after }] of [...conversion.ends]) {
    const [start, end] = [momentIn(draft.get(after)), momentIn(draft.get(path))];
    if (start === undefined || end === undefined || end >= start) continue;
    const wallMs = parseTimestamp(`${local.slice(0, 19)}Z`) ?? 0;
    const nextDay = new Date(wallMs + dayMs).toISOString().slice(0, 10);
    const moved = inZone(nextDay + local.slice(10), value, path, conversion.timeZone, conversion);
    if (moved !== undefined && (momentIn(moved) ?? 0) >= start) draft.set(path, moved);
  }
}

function momentIn(value: string | RecordTree | undefined): number | undefined {
  return typeof value === "string" && value.startsWith('"') ? parseTimestamp(value.slice(1, -1)) : undefined;
}
