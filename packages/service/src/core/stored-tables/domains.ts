import { isStorableText, isUuid, isWithinLength, parseTimestamp } from "@gatehouse-parking/contract";
import { MalformedJson, scanValue } from "@gatehouse-parking/json-text";
import { checkTimeZone } from "../locations/manage-locations.js";

/** How a value is written in a line: text, moments, dates and uuids as strings, numbers as numbers, json as it was sent. */
export type FieldKind =
  | "uuid"
  | "text"
  | "integer"
  | "decimal"
  | "flag"
  | "moment"
  | "date"
  | "json"
  /** In hex. */
  | "bytes";

/** What a column may hold. Every column of an export has one, and the compiler asks for it. */
export interface Domain {
  kind: FieldKind;
  isNullable: boolean;
  /**
   * What is wrong with a value, as a continuation of the field's name; undefined: nothing. Strings come decoded, json and
   * numbers as they are spelled.
   */
  problem(text: string): string | undefined;
  /** The column's type admits nothing else, so values that are stored already are not checked again. */
  isGuarded?: true;
}

export function nullable(domain: Domain): Domain {
  return { ...domain, isNullable: true };
}

export function domain(kind: FieldKind, must: string, fits: (text: string) => boolean): Domain {
  return { kind, isNullable: false, problem: (text) => (fits(text) ? undefined : must) };
}

function guarded(kind: FieldKind, must: string, fits: (text: string) => boolean): Domain {
  return { ...domain(kind, must, fits), isGuarded: true };
}

const isLowerCase = (text: string): boolean => text === text.toLowerCase();

export const uuid: Domain = guarded(
  "uuid",
  "must be a uuid in lower case",
  (text) => isUuid(text) && isLowerCase(text),
);
/** Identifiers are in the order of time, which lists, exports and retention rely on. */
export const timeOrderedUuid: Domain = guarded(
  "uuid",
  "must be a uuid of version 7, in lower case",
  (text) => isUuid(text) && isLowerCase(text) && text[14] === "7",
);
export const flag: Domain = guarded(
  "flag",
  "must be true or false",
  (text) => text === "true" || text === "false",
);

/** Any text of at most so many characters. */
export function text(maxLength: number): Domain {
  return domain(
    "text",
    `must be text of at most ${maxLength} characters, without U+0000 and halves of surrogate pairs`,
    (value) => isWithinLength(value, maxLength) && isStorableText(value),
  );
}

/** The same, and not blank. */
export function name(maxLength: number): Domain {
  return domain(
    "text",
    `must be text of 1 to ${maxLength} characters, not blank, without U+0000 and halves of surrogate pairs`,
    (value) => value.trim() !== "" && isWithinLength(value, maxLength) && isStorableText(value),
  );
}

export function shaped(must: string, shape: RegExp): Domain {
  return domain("text", must, (value) => shape.test(value));
}

export function word(words: readonly string[]): Domain {
  return domain("text", `must be one of ${words.join(", ")}`, (value) => words.includes(value));
}

export const timeZone: Domain = domain(
  "text",
  "must be an IANA time zone such as America/New_York that this installation knows",
  isTimeZone,
);

/** Each of them takes microseconds to find, and few different ones occur. */
const knownZones = new Map<string, boolean>();
const maxKnownZones = 1_000;

function isTimeZone(zone: string): boolean {
  const known = knownZones.get(zone);
  if (known !== undefined) return known;
  let isZone = true;
  try {
    checkTimeZone(zone);
  } catch {
    isZone = false;
  }
  if (knownZones.size < maxKnownZones) knownZones.set(zone, isZone);
  return isZone;
}

const integerShape = /^-?\d{1,16}$/;

export function integer(minimum: number, maximum: number): Domain {
  return domain("integer", `must be an integer from ${minimum} to ${maximum}`, (value) => {
    const number = Number(value);
    return integerShape.test(value) && number >= minimum && number <= maximum;
  });
}

const maxCount = 2 ** 31 - 1;
export const count: Domain = integer(0, maxCount);
/** Columns of 64 bits; what is beyond this cannot be shown exactly. */
export const largeCount: Domain = integer(0, Number.MAX_SAFE_INTEGER);

export function choice(numbers: readonly number[]): Domain {
  const words = numbers.map(String);
  return domain("integer", `must be one of ${words.join(", ")}`, (value) => words.includes(value));
}

/** The year before year 1 is written as 1 BC; the interface calls it 0000 and knows none before it. */
function withYearZero(value: string): string {
  return value.endsWith(" BC") && value.startsWith("0001-") ? `0000${value.slice(4, -3)}` : value;
}

export const moment: Domain = domain(
  "moment",
  "must be a moment in UTC of the years 0000 to 9999, such as 2026-04-01T14:30:00+00:00",
  (value) => value.endsWith("+00:00", value.length - (value.endsWith(" BC") ? 3 : 0)) && isMoment(value),
);

function isMoment(value: string): boolean {
  return parseTimestamp(withYearZero(value)) !== undefined;
}

/** A day earlier or later than the moments are: the clock of a location may show another date. */
const dateShape = /^(?:\d{4}-\d\d-\d\d|10000-01-01|0001-\d\d-\d\d BC|0002-12-31 BC)$/;
export const date: Domain = domain(
  "date",
  "must be a date of the years 0000 to 9999, such as 2026-04-01",
  (value) => dateShape.test(value) && (value.length > 10 || parseTimestamp(value, true) !== undefined),
);

const hex = /^[0-9a-f]*$/;
export function bytes(length: number): Domain {
  return domain(
    "bytes",
    `must be ${length} bytes in hex`,
    (value) => value.length === length * 2 && hex.test(value),
  );
}

/** JSON of any shape that the check accepts. Deeper values are refused before they are parsed. */
export function json(must: string, fits: (value: unknown) => boolean): Domain {
  return domain("json", must, (value) => isJsonThat(value, fits));
}

/** The same, in a column of type text. */
export function jsonText(must: string, fits: (value: unknown) => boolean): Domain {
  return domain("text", must, (value) => isStorableText(value) && isJsonThat(value, fits));
}

const maxParsedDepth = 100;

function isJsonThat(value: string, fits: (parsed: unknown) => boolean): boolean {
  try {
    const { depth } = scanValue(value.trimStart(), 0);
    return depth <= maxParsedDepth && fits(JSON.parse(value));
  } catch (error) {
    if (error instanceof MalformedJson || error instanceof SyntaxError) return false;
    throw error;
  }
}

/** An object, nested at most so deep. Its values are the sender's, and are not looked at. */
export function jsonObject(maxDepth: number): Domain {
  return domain("json", `must be an object, nested at most ${maxDepth} levels deep`, (value) => {
    try {
      return value.trimStart().startsWith("{") && scanValue(value.trimStart(), 0).depth <= maxDepth;
    } catch (error) {
      if (error instanceof MalformedJson) return false;
      throw error;
    }
  });
}
