import { shapeOf } from "./shape.js";

export interface ValueCount {
  value: string;
  /** A lower bound if the column has too many different values to count them all. */
  count: number;
}

export interface ShapeCount {
  shape: string;
  count: number;
  /** Values with the smallest and largest number at each position, so that they decide what all rows would. */
  examples: string[];
}

/** What one column of the whole file contains. */
export interface ColumnProfile {
  name: string;
  /** Cells with and without a value. */
  filled: number;
  empty: number;
  /** Cells with spaces or invisible characters around or in their value. */
  unclean: number;
  /** The most frequent values first. */
  values: ValueCount[];
  /** Whether `values` lists every value of the column. */
  hasAllValues: boolean;
  /** The most frequent shapes first. */
  shapes: ShapeCount[];
  hasAllShapes: boolean;
  /** The first different values, in the order of the file. */
  first: string[];
  longest: string;
}

/** Characters that all columns of a file may keep together. */
export interface TextBudget {
  left: number;
}

const maxValues = 1_000;
const maxValueLength = 200;
const maxShapes = 200;
const maxFirst = 10;
const maxDigitGroups = 8;
/** In a column whose values repeat this often, a new value is a reason to look at its row. */
const rowsPerValue = 10;

interface ShapeState {
  count: number;
  first: string;
  smallest: string;
  largest: string;
  groups: { min: string; minValue: string; max: string; maxValue: string }[];
}

/** Collects the profile of a column in bounded memory. */
export class ColumnProfiler {
  readonly #name: string;
  readonly #budget: TextBudget;
  #filled = 0;
  #empty = 0;
  #unclean = 0;
  #longest = "";
  #first: string[] = [];
  /** Lossy counting: a value that comes after others were dropped may have been counted less than it occurs. */
  readonly #values = new Map<string, { count: number; missed: number }>();
  #prunes = 0;
  #added = 0;
  #hasAllValues = true;
  readonly #shapes = new Map<string, ShapeState>();
  #hasAllShapes = true;

  constructor(name: string, budget: TextBudget) {
    this.#name = name;
    this.#budget = budget;
  }

  /** Adds a value that is not blank. Returns whether the column has had no value like it. */
  add(value: string, isUnclean = false): boolean {
    this.#filled += 1;
    if (isUnclean) this.#unclean += 1;
    const text = value.length > maxValueLength ? value.slice(0, maxValueLength) : value;
    if (text.length > this.#longest.length) this.#longest = text;
    const isNewValue = this.#count(text, text !== value);
    const isNewShape = this.#shape(text);
    return isNewShape || (isNewValue && this.#added * rowsPerValue <= this.#filled);
  }

  /** Returns whether an empty cell is unusual here. */
  addEmpty(): boolean {
    this.#empty += 1;
    return this.#filled > rowsPerValue * this.#empty;
  }

  #count(value: string, isCut: boolean): boolean {
    if (isCut) this.#hasAllValues = false;
    const held = this.#values.get(value);
    if (held) {
      held.count += 1;
      return false;
    }
    if (this.#first.length < maxFirst) this.#first.push(value);
    if (!this.#pays(value)) {
      this.#hasAllValues = false;
      return false;
    }
    this.#values.set(value, { count: 1, missed: this.#prunes });
    this.#added += 1;
    if (this.#values.size > 2 * maxValues) this.#prune();
    return true;
  }

  /** Drops the rare values. What occurs in more than one of 2,000 rows stays. */
  #prune(): void {
    this.#hasAllValues = false;
    this.#prunes += 1;
    for (const [value, { count, missed }] of this.#values) {
      if (count + missed > this.#prunes) continue;
      this.#values.delete(value);
      this.#budget.left += value.length;
    }
  }

  #shape(value: string): boolean {
    const { text, digits: found } = shapeOf(value);
    const digits = [...found.slice(0, maxDigitGroups), ...dateKeys(found, value)];
    const held = this.#shapes.get(text);
    if (!held) {
      if (this.#shapes.size === maxShapes || !this.#pays(text + value)) {
        this.#hasAllShapes = false;
        return false;
      }
      const groups = digits.map((group) => ({ min: group, minValue: value, max: group, maxValue: value }));
      this.#shapes.set(text, { count: 1, first: value, smallest: value, largest: value, groups });
      return true;
    }
    held.count += 1;
    if (value < held.smallest) held.smallest = value;
    if (value > held.largest) held.largest = value;
    for (const [position, group] of held.groups.entries()) {
      // Groups of the same shape are equally long, so they compare like numbers.
      const key = digits[position] as string;
      if (key < group.min) {
        group.min = key;
        group.minValue = value;
      } else if (key > group.max) {
        group.max = key;
        group.maxValue = value;
      }
    }
    return false;
  }

  #pays(text: string): boolean {
    if (this.#budget.left < text.length) return false;
    this.#budget.left -= text.length;
    return true;
  }

  /** `rowCount` is the number of rows of the file. */
  finish(rowCount: number): ColumnProfile {
    const values = [...this.#values]
      .map(([value, { count }]) => ({ value, count }))
      .toSorted((one, other) => other.count - one.count);
    const shapes = [...this.#shapes]
      .map(([shape, { count, first, smallest, largest, groups }]) => ({
        shape,
        count,
        examples: [
          ...new Set([
            first,
            smallest,
            largest,
            ...groups.flatMap(({ minValue, maxValue }) => [minValue, maxValue]),
          ]),
        ],
      }))
      .toSorted((one, other) => other.count - one.count);
    return {
      name: this.#name,
      filled: this.#filled,
      empty: rowCount - this.#filled,
      unclean: this.#unclean,
      values: values.slice(0, maxValues),
      hasAllValues: this.#hasAllValues && values.length <= maxValues,
      shapes,
      hasAllShapes: this.#hasAllShapes,
      first: this.#first,
      longest: this.#longest,
    };
  }
}

/** Texts that are in the order of the moments, if the digits are a date: with the year first, or last. */
function dateKeys(digits: readonly string[], value: string): string[] {
  const [first = "", second = "", third = "", hour, ...rest] = digits;
  if (third === "") return [];
  const isHalved = hour !== undefined && /[AaPp]\.? ?[Mm]?\.?$/.test(value);
  const half = /[Pp]\.? ?[Mm]?\.?$/.test(value) ? "1" : "0";
  const time = [...(isHalved ? [half, hour === "12" ? "00" : hour] : [hour]), ...rest].join("");
  if (first.length === 4) return isHalved ? [first + second + third + time] : [];
  return [third + second + first + time, third + first + second + time];
}

/** Values that decide together how the column is written: all of them, or the frequent and the extreme ones. */
export function decidingValues({ values, hasAllValues, shapes }: ColumnProfile): string[] {
  const listed = values.map(({ value }) => value);
  return hasAllValues ? listed : [...new Set([...listed, ...shapes.flatMap(({ examples }) => examples)])];
}
