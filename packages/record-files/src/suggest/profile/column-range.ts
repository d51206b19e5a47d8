import { parseNumber, type NumberFormat } from "../../record/conversions/number-format.js";
import { readTimeFormat, type TimeFormat, type WrittenTime } from "../../record/conversions/time-format.js";
import { numberText } from "../../record/conversions/number-text.js";
import { plainWord } from "../../record/rules.js";
import { spellingOfNumbers } from "../content/numbers.js";
import { spellingOfTimes } from "../content/times.js";
import type { Weighted } from "../content/weighted.js";
import { decidingValues, type ColumnProfile } from "./column-profile.js";

/** The smallest and the largest value of a column of times or numbers, as the file writes them. */
export interface ColumnRange {
  smallest: string;
  largest: string;
}

/** What a mapping says about a column. */
export interface RangeOptions {
  /** Words that mean an empty cell, in plain form. */
  empty: ReadonlySet<string>;
  time?: readonly TimeFormat[] | undefined;
  number?: NumberFormat | undefined;
}

/** Undefined for texts, for values that can be read in two ways, and where the extremes are not known exactly. */
export function columnRange(
  profile: ColumnProfile,
  { empty, time, number }: RangeOptions,
): ColumnRange | undefined {
  const values = decidingValues(profile).filter((value) => !empty.has(plainWord(value)));
  const weighted = values.map((value): Weighted => ({ value, rows: 1 }));
  const numbers = number ? rangeBy(values, (value) => Number(parseNumber(value, number))) : undefined;
  if (numbers) return isSorted(profile, exponents) ? numbers : undefined;
  const times = (time && rangeBy(values, timeReader(time))) ?? rangeOfTimes(values, weighted);
  if (times) return isSorted(profile, monthNames) ? times : undefined;
  return isSorted(profile, exponents) ? rangeOfNumbers(values, weighted) : undefined;
}

/** In the shape of a value. The names of months are not in the order of their letters; the T of ISO 8601 is not a name. */
const monthNames: Unsorted = (shape) => {
  const start = shape.search(/(?:^|[^9])[Aa]|9Aa/);
  return start !== -1 && shape.includes("9", start + 1);
};
const exponents: Unsorted = (shape) => /9[Aa]-?9/.test(shape);

type Unsorted = (shape: string) => boolean;

/** Whether the values with extreme digits are the extremes. */
function isSorted({ hasAllValues, hasAllShapes, shapes }: ColumnProfile, unsorted: Unsorted): boolean {
  return hasAllValues || (hasAllShapes && !shapes.some(({ shape }) => unsorted(shape)));
}

function rangeOfTimes(values: readonly string[], weighted: readonly Weighted[]): ColumnRange | undefined {
  const spelling = spellingOfTimes(weighted);
  if (!spelling || spelling.rivals.length > 0) return undefined;
  const formats = (spelling.patterns ?? []).map(readTimeFormat).filter((format) => format !== undefined);
  return rangeBy(values, spelling.patterns ? timeReader(formats) : (value) => Date.parse(zoned(value)));
}

function zoned(value: string): string {
  const text = value.replace(" ", "T");
  const time = text.indexOf("T");
  return time === -1 || /(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(text.slice(time)) ? text : `${text}Z`;
}

function timeReader(formats: readonly TimeFormat[]): (value: string) => number {
  return (value) => {
    for (const format of formats) {
      const written = format.read(value) ?? format.dateOnly?.read(value);
      if (written) return momentOf(written);
    }
    return NaN;
  };
}

function momentOf({ date, time = "00:00:00", zone = "Z" }: WrittenTime): number {
  return Date.parse(`${date}T${time}${zone}`);
}

function rangeOfNumbers(values: readonly string[], weighted: readonly Weighted[]): ColumnRange | undefined {
  const spelling = spellingOfNumbers(weighted);
  if (!spelling || spelling.rivals.length > 0) return undefined;
  const { numbers } = spelling;
  return rangeBy(values, (value, index) => numbers[index] ?? Number(numberText(value)));
}

function rangeBy(
  values: readonly string[],
  read: (value: string, index: number) => number,
): ColumnRange | undefined {
  const known = values
    .map((value, index) => ({ value, number: read(value, index) }))
    .filter(({ number }) => !Number.isNaN(number))
    .toSorted((one, other) => one.number - other.number);
  const [first, last] = [known[0], known.at(-1)];
  return first && last && first.value !== last.value
    ? { smallest: first.value, largest: last.value }
    : undefined;
}
