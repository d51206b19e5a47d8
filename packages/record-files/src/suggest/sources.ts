import { clockPatterns } from "./content/times.js";
import { readTimeFormat } from "../record/conversions/time-format.js";
import type { Column } from "./columns.js";
import type { Concept } from "./vocabulary/header-words.js";

/** A column, or a date and the time of day that belongs to it. */
export interface Source {
  column: Column;
  /** The column of the time of day. */
  clock?: Column;
  concepts: ReadonlySet<Concept>;
  unknown: readonly string[];
}

const whenConcepts: ReadonlySet<Concept> = new Set(["date", "time", "moment"]);

/**
 * Pairs dates with times of day. "Entry date" belongs to "Entry time"; a bare "Date" belongs to every time that has no date of
 * its own, such as "Time in" and "Time out".
 */
export function sourcesOf(columns: readonly Column[]): Source[] {
  const clocks = columns.filter(isClockColumn);
  const dates = columns.filter((column) => isDateColumn(column) && !clocks.includes(column));
  const pairs: Source[] = [];
  const free: Column[] = [];
  for (const clock of clocks) {
    const own = dates.filter((date) => subjectOf(date) === subjectOf(clock));
    const [date] = own;
    if (date && own.length === 1) pairs.push(pairOf(date, clock));
    else free.push(clock);
  }
  const bare = dates.filter((date) => subjectOf(date) === "" || dates.length === 1);
  const [date] = bare;
  if (date && bare.length === 1) for (const clock of free) pairs.push(pairOf(date, clock));
  const paired = new Set(pairs.map((pair) => pair.column));
  const used = new Set(pairs.map((pair) => pair.clock));
  return columns.flatMap((column) =>
    paired.has(column)
      ? pairs.filter((pair) => pair.column === column)
      : used.has(column)
        ? []
        : [{ column, concepts: column.meaning.concepts, unknown: column.meaning.unknown }],
  );
}

function pairOf(date: Column, clock: Column): Source {
  return {
    column: date,
    clock,
    concepts: new Set([...date.meaning.concepts, ...clock.meaning.concepts]),
    unknown: [...new Set([...date.meaning.unknown, ...clock.meaning.unknown])],
  };
}

/** A duration looks like a time of day, so its name decides. */
function isClockColumn({ looks, meaning, values }: Column): boolean {
  if (meaning.concepts.has("duration")) return false;
  const isNamedTime = ["time", "entry", "exit"].some((concept) => (meaning.concepts as ReadonlySet<string>).has(concept));
  return looks.has("clock") || (isNamedTime && values.length > 0 && values.every(({ value }) => /^(?:[01]\d|2[0-3])[0-5]\d$/.test(value)));
}

/** A moment that is always midnight is a date, as spreadsheets write it. */
export function isDateColumn({ looks, times }: Column): boolean {
  return looks.has("date") || (times !== undefined && times.isMidnight);
}

/** What a header is about beside being a date or a time. */
function subjectOf({ meaning }: Column): string {
  const concepts = [...meaning.concepts].filter((concept) => !whenConcepts.has(concept));
  return [...concepts, ...meaning.unknown].toSorted().join(" ");
}

/** The formats of a date and a time of day that are joined by a space. */
export function joinedPatterns(datePatterns: readonly string[], clock: Column): string[] {
  const texts = clock.values.map(({ value }) => value);
  const clocks = clockPatterns.filter((pattern) => {
    const format = readTimeFormat(`yyyy-MM-dd ${pattern}`);
    return texts.some((text) => format?.read(`2026-01-01 ${text}`));
  });
  return datePatterns.flatMap((date) => clocks.map((pattern) => `${date} ${pattern}`));
}
