import { commonTimeFormats } from "../record/conversions/common-time-formats.js";
import { parseNumber, readNumberFormat, type NumberFormat } from "../record/conversions/number-format.js";
import { readTimeFormat, type TimeFormat } from "../record/conversions/time-format.js";
import { emptyWords, falseWords, plainHeader, trueWords } from "./vocabulary.js";

/** A sample of one column. */
export interface ColumnSample {
  name: string;
  /** The non-empty values, trimmed. */
  values: readonly string[];
}

/**
 * The format of a column: the contract's own, one known format, several with different meanings, or unknown.
 */
export type Spelling =
  | { kind: "usual" }
  | { kind: "declared"; as: string }
  | { kind: "ambiguous"; readings: string[]; value: string }
  | { kind: "foreign" };

/** Whether a value means "empty". */
export function isEmptyWord(value: string): boolean {
  return emptyWords.includes(value.trim().toLowerCase());
}

const isoTime =
  /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:[Zz]|[+-]\d{2}(?::?\d{2})?))?)?$/;
const zoneAtEnd = /(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;

export function spellingOfTimes(values: readonly string[]): Spelling {
  if (values.length === 0) return { kind: "usual" };
  if (values.every((value) => isoTime.test(value))) return { kind: "usual" };
  const patterns = [...commonTimeFormats(), ...epochs(values)];
  return spellingBy(
    values,
    patterns,
    (value, { read }) => JSON.stringify(read(value)),
    ({ pattern }) => pattern,
  );
}

/** Unix times and serial dates look like any number, so they must be in plausible years. */
function epochs(values: readonly string[]): TimeFormat[] {
  const isIn = (from: number, to: number) =>
    values.every(
      (value) => /^\d+(?:\.\d{1,15})?$/.test(value) && Number(value) >= from && Number(value) < to,
    );
  const name = isIn(946_684_800, 4_102_444_800)
    ? "unix"
    : isIn(946_684_800_000, 4_102_444_800_000)
      ? "unix-ms"
      : isIn(36_526, 73_051)
        ? "serial"
        : undefined;
  return name === undefined ? [] : [readTimeFormat(name) as TimeFormat];
}

/** Whether the times include a zone. */
export function haveZone(values: readonly string[], spelling: Spelling): boolean {
  if (spelling.kind === "declared") return readTimeFormat(spelling.as)?.hasZone ?? false;
  return values.every((value) => value.length > 10 && zoneAtEnd.test(value.slice(10)));
}

const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;

export function spellingOfNumbers(values: readonly string[]): Spelling {
  // A point before three digits may separate thousands; other values must decide.
  const isPlain = values.every((value) => plainNumber.test(value));
  const units = new Set(
    values.map((value) => value.replaceAll(/[\d.,'\u2019()+\s\u00a0\u202f\u2212-]/g, "")),
  );
  const [unit = ""] = [...units].filter((text) => text !== "");
  const isOneUnit = [...units].every((text) => text === "" || text === unit);
  if (!isOneUnit || unit === "%") return { kind: "foreign" };
  const isBehind = values.some((value) => value.endsWith(unit));
  const formats = ["1,234.50", "1.234,50", "1 234,50", "1'234.50", "1234.50", "1234,50"]
    .map((core) => (unit === "" ? core : isBehind ? `${core} ${unit}` : `${unit}${core}`))
    .map(readNumberFormat)
    .filter((format): format is NumberFormat => format !== undefined);
  const spelling = spellingBy(values, formats, parseNumber, ({ example }) => example);
  return spelling.kind === "declared" && isPlain ? { kind: "usual" } : spelling;
}

/** Finds the formats that match all values. Formats with equal results count as one. */
function spellingBy<Format>(
  values: readonly string[],
  formats: readonly Format[],
  read: (value: string, format: Format) => string | undefined,
  nameOf: (format: Format) => string,
): Spelling {
  const byMeaning = new Map<string, { format: Format; meanings: string[] }>();
  for (const format of formats) {
    const meanings = readAll(values, (value) => read(value, format));
    const key = meanings?.join("|");
    if (meanings && key !== undefined && !byMeaning.has(key)) byMeaning.set(key, { format, meanings });
  }
  const [first, second] = byMeaning.values();
  if (!first) return { kind: "foreign" };
  if (!second) return { kind: "declared", as: nameOf(first.format) };
  const at = first.meanings.findIndex((meaning, position) => meaning !== second.meanings[position]);
  return {
    kind: "ambiguous",
    readings: [...byMeaning.values()].map(({ format }) => nameOf(format)),
    value: values[at] as string,
  };
}

/** Undefined as soon as one value cannot be read. */
function readAll(
  values: readonly string[],
  read: (value: string) => string | undefined,
): string[] | undefined {
  const meanings: string[] = [];
  for (const value of values) {
    const meaning = read(value);
    if (meaning === undefined) return undefined;
    meanings.push(meaning);
  }
  return meanings;
}

const clock = /^\d{1,2}:\d{2}(?::\d{2})?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?$/;

export function areClockTimes(values: readonly string[]): boolean {
  return values.length > 0 && values.every((value) => clock.test(value));
}

const words = (list: string) => new Set(list.split(" "));
const wordsForTrue = words(trueWords);
const wordsForFalse = words(falseWords);
const usualFlags = words("true false yes no y n 1 0");

/** Additional words for true and false in a column; undefined if it contains other values. */
export function flagWords(values: readonly string[]): { true: string[]; false: string[] } | undefined {
  const found = { true: new Set<string>(), false: new Set<string>() };
  for (const value of values) {
    const plain = plainHeader(value);
    if (usualFlags.has(value.toLowerCase())) continue;
    if (wordsForTrue.has(plain)) found.true.add(value);
    else if (wordsForFalse.has(plain)) found.false.add(value);
    else return undefined;
  }
  return { true: [...found.true], false: [...found.false] };
}
