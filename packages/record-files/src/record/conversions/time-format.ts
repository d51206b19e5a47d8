import { calendars, readEra } from "./calendars.js";
import { readHalf } from "./day-halves.js";
import { monthOf } from "./month-names.js";
import { ofEpoch, ofSerial } from "./numeric-times.js";
import { plainDigits } from "./plain-digits.js";

/**
 * A time format: a pattern such as `MM/dd/yyyy h:mm a`, or one of the names below. Patterns come from users,
 * so they are not compiled to regular expressions.
 */
export interface TimeFormat {
  /** The pattern as the user wrote it. */
  pattern: string;
  read(text: string): WrittenTime | undefined;
  /** Whether the format includes the time of day. */
  hasTime: boolean;
  hasZone: boolean;
  /** The same format without its time; undefined if the date cannot stand alone. */
  dateOnly?: TimeFormat | undefined;
}

/** The parts of a time as written. */
export interface WrittenTime {
  /** YYYY-MM-DD */
  date: string;
  /** HH:mm:ss with an optional fraction; undefined for a date alone. */
  time: string | undefined;
  /** Z or an offset; undefined if absent. */
  zone: string | undefined;
}

interface Fields {
  /** The year before the first one of an era. */
  yearBefore: number | undefined;
  /** Of a year with two digits in another calendar. */
  century: number | undefined;
  year: number;
  month: number;
  day: number;
  hour: number;
  /** Hour 0 of a 12-hour clock, which some systems write for 12 a.m. */
  isHourZero: boolean;
  minute: number;
  second: number;
  fraction: string;
  isAfternoon: boolean | undefined;
  /** Whether 24:00 is the end of the day. */
  mayEndDay: boolean;
  zone: string | undefined;
}

/** What a pattern says. */
interface Layout {
  tokens: readonly (Token | string)[];
  /** The name of another calendar than the Gregorian one. */
  calendar: string | undefined;
  hasTime: boolean;
}

interface Token {
  letter: string;
  length: number;
}

const maxPatternLength = 80;
const maxValueLength = 100;
/** With surrounding spaces. */
const maxPaddedLength = 1_000;
/** Two-digit years up to this one belong to the current century. */
const lastShortYear = 79;

const named: Readonly<Record<string, (text: string) => WrittenTime | undefined>> = {
  unix: (text) => ofEpoch(text, 0),
  "unix-ms": (text) => ofEpoch(text, 3),
  serial: (text) => ofSerial(text),
  "serial-1904": (text) => ofSerial(text, true),
};

/** Undefined for an invalid pattern. It needs year, month and day, and hours if it has minutes. */
export function readTimeFormat(pattern: string): TimeFormat | undefined {
  const byName = named[pattern];
  if (byName) return { pattern, read: byName, hasTime: true, hasZone: !pattern.startsWith("serial") };
  const prefix = /^\[([a-z-]+)\]/.exec(pattern);
  const calendar = prefix?.[1];
  if (calendar !== undefined && !Object.hasOwn(calendars, calendar)) return undefined;
  const tokens = tokensOf(pattern.slice(prefix?.[0].length ?? 0));
  if (!tokens) return undefined;
  const has = (letter: string) =>
    tokens.some((token) => typeof token !== "string" && token.letter === letter);
  const isDate = has("y") && has("M") && has("d");
  const isTime = has("H") || has("k") || (has("h") && has("a"));
  if (!isDate || (!isTime && (has("m") || has("s") || has("h") || has("a")))) return undefined;
  if (isTime && !has("m")) return undefined;
  if (tokens.some(isOwnYear) && calendar === undefined && !has("G")) return undefined;
  const layout = { tokens, calendar, hasTime: isTime };
  return {
    pattern,
    read: (text) => readText(text, layout),
    hasTime: isTime,
    hasZone: has("X"),
    dateOnly: isTime ? dateOnlyOf(pattern, layout) : undefined,
  };
}

/** The years of other calendars have one to four digits. */
function isOwnYear(token: Token | string): boolean {
  return typeof token !== "string" && token.letter === "y" && token.length % 2 === 1;
}

/** The part of a pattern from its first to its last letter of a date, if it has no letter of a time. */
function dateOnlyOf(pattern: string, { tokens, calendar }: Layout): TimeFormat | undefined {
  const isOfDate = (token: Token | string) => typeof token !== "string" && "GyMdE".includes(token.letter);
  const dates = tokens.slice(tokens.findIndex(isOfDate), tokens.findLastIndex(isOfDate) + 1);
  if (dates.some((token) => typeof token !== "string" && !isOfDate(token))) return undefined;
  const layout = { tokens: dates, calendar, hasTime: false };
  return { pattern, read: (text) => readText(text, layout), hasTime: false, hasZone: false };
}

/** The letters of patterns and their allowed lengths. Other characters are literals. */
const lettersOfPatterns: Readonly<Record<string, readonly number[]>> = {
  G: [1],
  y: [1, 2, 3, 4],
  M: [1, 2, 3, 4],
  d: [1, 2],
  E: [1, 2, 3, 4],
  H: [1, 2],
  h: [1, 2],
  k: [1, 2],
  m: [1, 2],
  s: [1, 2],
  S: [1, 2, 3, 6, 9],
  a: [1],
  X: [1, 2, 3],
};

function tokensOf(pattern: string): (Token | string)[] | undefined {
  if (pattern.length > maxPatternLength) return undefined;
  const tokens: (Token | string)[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < pattern.length;) {
    const letter = pattern[at] as string;
    if (letter === "'") {
      const end = pattern.indexOf("'", at + 1);
      if (end === -1) return undefined;
      tokens.push(pattern.slice(at + 1, end));
      at = end + 1;
    } else if (/[A-Za-z]/.test(letter)) {
      let length = 1;
      while (pattern[at + length] === letter) length += 1;
      // T separates date and time in ISO 8601 and needs no quotes.
      if (letter === "T" && length === 1) tokens.push("T");
      else if (!lettersOfPatterns[letter]?.includes(length) || seen.has(letter)) return undefined;
      else tokens.push({ letter, length });
      seen.add(letter);
      at += length;
    } else {
      tokens.push(letter);
      at += 1;
    }
  }
  return tokens;
}

function readText(written: string, { tokens, calendar, hasTime }: Layout): WrittenTime | undefined {
  if (written.length > maxPaddedLength) return undefined;
  const text = plainDigits(written.trim());
  if (text.length > maxValueLength) return undefined;
  const fields: Fields = {
    yearBefore: undefined,
    century: calendar === undefined ? undefined : calendars[calendar]?.century,
    year: 0,
    month: 0,
    day: 0,
    hour: 0,
    isHourZero: false,
    minute: 0,
    second: 0,
    fraction: "",
    isAfternoon: undefined,
    mayEndDay: false,
    zone: undefined,
  };
  let at = 0;
  for (const [position, token] of tokens.entries()) {
    const isAfterHour = isUnpadded(tokens, position - 1);
    const isTight = (isDigits(tokens[position - 1]) && !isAfterHour) || isDigits(tokens[position + 1]);
    const next =
      typeof token === "string"
        ? skipLiteral(text, at, token)
        : isUnpadded(tokens, position)
          ? readUnpaddedHour(text, at, fields)
          : readToken(text, at, token, fields, isTight);
    if (next === undefined) return undefined;
    at = next;
  }
  return at === text.length ? assemble(fields, calendar, hasTime) : undefined;
}

/** Whether digits follow or precede directly, so that the full number of digits is required. */
function isDigits(token: Token | string | undefined): boolean {
  if (token === undefined || typeof token === "string") return false;
  return "ydHhkmsS".includes(token.letter) || (token.letter === "M" && token.length < 3);
}

/** Whether the token is the hour of `Hmm`, a time such as 945 or 1630 without leading zeros. */
function isUnpadded(tokens: readonly (Token | string)[], position: number): boolean {
  const [hour, minute] = [tokens[position], tokens[position + 1]];
  const isHour = typeof hour === "object" && hour.letter === "H" && hour.length === 1;
  const isMinute = typeof minute === "object" && minute.letter === "m" && minute.length === 2;
  return isHour && isMinute && !isDigits(tokens[position + 2]);
}

/** The minutes have the last two of at most four digits. Without the zero, 19 is 00:19. */
function readUnpaddedHour(text: string, at: number, fields: Fields): number | undefined {
  const end = endOf(text, at, /\d/);
  if (end === at || end - at > 4) return undefined;
  const minutes = Math.max(at, end - 2);
  fields.hour = Number(text.slice(at, minutes));
  return minutes;
}

const space = /^[\s\u00a0\u202f]$/;

function skipLiteral(text: string, start: number, literal: string): number | undefined {
  if (!space.test(literal)) return text.startsWith(literal, start) ? start + literal.length : undefined;
  let at = start;
  while (at < text.length && space.test(text[at] as string)) at += 1;
  return at > start ? at : undefined;
}

function readToken(
  text: string,
  at: number,
  { letter, length }: Token,
  fields: Fields,
  isTight: boolean,
): number | undefined {
  if (letter === "a") {
    const half = readHalf(text, at);
    fields.isAfternoon = half?.isAfternoon;
    return half?.end;
  }
  if (letter === "X") return readOffset(text, at, fields);
  if (letter === "G") {
    const era = readEra(text, at);
    fields.yearBefore = era?.yearBefore;
    return era?.end;
  }
  if (letter === "y" && fields.yearBefore !== undefined && text[at] === "元") {
    fields.year = 1;
    return at + 1;
  }
  if (letter === "E" || (letter === "M" && length > 2)) {
    const end = endOf(text, at, /[\p{L}\p{M}.]/u);
    if (end === at) return undefined;
    if (letter === "E") return end;
    fields.month = monthOf(text.slice(at, end)) ?? 0;
    return fields.month === 0 ? undefined : end;
  }
  const most = letter === "y" ? (length === 1 ? 4 : length) : letter === "S" ? Math.max(length, 9) : 2;
  const least = letter === "y" ? length : letter === "S" ? 1 : isTight ? 2 : 1;
  let end = at;
  while (end < text.length && end - at < most && /\d/.test(text[end] as string)) end += 1;
  if (end - at < least) return undefined;
  const digits = text.slice(at, end);
  switch (letter) {
    case "y":
      fields.year = length === 2 ? longYear(Number(digits), fields) : Number(digits);
      break;
    case "M":
      fields.month = Number(digits);
      break;
    case "d":
      fields.day = Number(digits);
      break;
    case "H":
      fields.hour = Number(digits);
      break;
    case "k":
      fields.hour = Number(digits);
      fields.mayEndDay = true;
      break;
    case "h":
      if (Number(digits) > 12) return undefined;
      fields.isHourZero = Number(digits) === 0;
      fields.hour = Number(digits) % 12;
      break;
    case "m":
      fields.minute = Number(digits);
      break;
    case "s":
      fields.second = Number(digits);
      break;
    default:
      fields.fraction = digits;
  }
  return end;
}

function longYear(year: number, { yearBefore, century }: Fields): number {
  if (yearBefore !== undefined) return year;
  return year + (century ?? (year > lastShortYear ? 1900 : 2000));
}

function endOf(text: string, start: number, letters: RegExp): number {
  let at = start;
  while (at < text.length && letters.test(text[at] as string)) at += 1;
  return at;
}

function readOffset(text: string, at: number, fields: Fields): number | undefined {
  const match = /^(?:[Zz]|GMT|UTC|[+-]\d{2}(?::?\d{2})?)/.exec(text.slice(at, at + 6));
  if (!match) return undefined;
  fields.zone = match[0] === "GMT" || match[0] === "UTC" ? "Z" : match[0].toUpperCase();
  return at + match[0].length;
}

function assemble(fields: Fields, calendar: string | undefined, isTime: boolean): WrittenTime | undefined {
  const { minute, second, fraction, zone } = fields;
  const isEndOfDay = fields.mayEndDay && fields.hour === 24 && minute === 0 && second === 0;
  const hour = isEndOfDay ? 0 : fields.hour + (fields.isAfternoon ? 12 : 0);
  if (fields.isHourZero && fields.isAfternoon) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = calendar === undefined ? fields : calendars[calendar]?.gregorian(fields);
  if (!date) return undefined;
  const { month, day } = date;
  const year = date.year + (fields.yearBefore ?? 0);
  if (year < 1 || fields.year < 1) return undefined;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined;
  if (isEndOfDay) midnight.setUTCDate(day + 1);
  const time = `${two(hour)}:${two(minute)}:${two(second)}${fraction === "" ? "" : `.${fraction}`}`;
  return { date: midnight.toISOString().slice(0, 10), time: isTime ? time : undefined, zone };
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
