import { isStorableText, isUuid, isWithinLength, parseTimestamp } from "@gatehouse-parking/contract";
import { MalformedJson, scanValue } from "@gatehouse-parking/json-text";
import { checkTimeZone } from "../locations/manage-locations.js";

/** How a value is written in a line: numbers as numbers, JSON as it was sent, everything else as strings. */
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

/** The valid values of a column. */
export interface Domain {
  kind: FieldKind;
  isNullable: boolean;
  /**
   * The error message after the name of the field; undefined if the value is valid. Strings are decoded, JSON and numbers
   * are as spelled.
   */
  problem(text: string): string | undefined;
  /** The column's type guarantees it, so stored values are not checked. */
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
/** Lists, exports and retention rely on the time order of ids. */
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

export function text(maxLength: number): Domain {
  return domain(
    "text",
    `must be text of at most ${maxLength} characters, without U+0000 or unpaired surrogates`,
    (value) => isWithinLength(value, maxLength) && isStorableText(value),
  );
}

/** The same, and not blank. */
export function name(maxLength: number): Domain {
  return domain(
    "text",
    `must be text of 1 to ${maxLength} characters, not blank, without U+0000 or unpaired surrogates`,
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

/** Caches the checks, which take microseconds each. */
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
/** For 64-bit columns. Larger values cannot be shown exactly. */
export const largeCount: Domain = integer(0, Number.MAX_SAFE_INTEGER);

export function choice(numbers: readonly number[]): Domain {
  const words = numbers.map(String);
  return domain("integer", `must be one of ${words.join(", ")}`, (value) => words.includes(value));
}

/** PostgreSQL writes the year 0000 as 1 BC. */
function withYearZero(value: string): string {
  return value.endsWith(" BC") && value.startsWith("0001-") ? `0000${value.slice(4, -3)}` : value;
}

export const moment: Domain = domain(
  "moment",
  "must be a UTC timestamp in the years 0000 to 9999, such as 2026-04-01T14:30:00+00:00",
  (value) => value.endsWith("+00:00", value.length - (value.endsWith(" BC") ? 3 : 0)) && isMoment(value),
);

function isMoment(value: string): boolean {
  return parseTimestamp(withYearZero(value)) !== undefined;
}

/** One day more than timestamps on both sides, because of time zones. */
const dateShape = /^(?:\d{4}-\d\d-\d\d|10000-01-01|0001-\d\d-\d\d BC|0002-12-31 BC)$/;
export const date: Domain = domain(
  "date",
  "must be a date in the years 0000 to 9999, such as 2026-04-01",
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

/** JSON that passes a check. Values that nest too deep are rejected before parsing. */
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

/** An object with a maximum depth. Its values are not checked. */
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
