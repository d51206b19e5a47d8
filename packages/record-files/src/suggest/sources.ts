import { clockPatterns } from "./content/times.js";
import { readTimeFormat } from "../record/conversions/time-format.js";
import type { Column } from "./columns.js";
import type { Concept } from "./vocabulary/header-words.js";

/** A column, or a date and the time of day that belongs to it. */
export interface Source {
  column: Column;
  /** The column of the time of day. */
  clock?: Column;
  /** Month and year, if the column is only the day. */
  parts?: readonly Column[];
  concepts: ReadonlySet<Concept>;
  /** What each word of the header can mean. */
  words: readonly (readonly Concept[])[];
  unknown: readonly string[];
}

const whenConcepts: ReadonlySet<Concept> = new Set(["date", "time", "moment"]);

/**
 * Pairs dates with times of day. "Entry date" belongs to "Entry time"; a bare "Date" belongs to every other time, such as "Time in" and "Time out".
 */
export function sourcesOf(columns: readonly Column[]): Source[] {
  const parts = datePartsOf(columns);
  const clocks = columns.filter((column) => isClockColumn(column) && !parts?.includes(column));
  const dates = parts
    ? parts.slice(0, 1)
    : columns.filter((column) => isDateColumn(column) && !clocks.includes(column));
  const pairs: Source[] = [];
  const free: Column[] = [];
  for (const clock of clocks) {
    const own = dates.filter((date) => subjectOf(date) === subjectOf(clock));
    const [date] = own;
    if (date && own.length === 1) pairs.push(pairOf(date, clock));
    else free.push(clock);
  }
  const withoutSubject = dates.filter((date) => subjectOf(date) === "");
  const bare =
    withoutSubject.length > 0
      ? withoutSubject
      : dates.filter((date) => !pairs.some(({ column }) => column === date));
  const [date] = bare;
  if (date && bare.length === 1) for (const clock of free) pairs.push(pairOf(date, clock));
  const paired = new Set(pairs.map((pair) => pair.column));
  const used = new Set<Column | undefined>([...pairs.map((pair) => pair.clock), ...(parts?.slice(1) ?? [])]);
  if (parts) {
    const [day, ...others] = parts;
    const source = (one: Source): Source => ({ ...one, parts: others });
    if (day && !paired.has(day)) pairs.push(singleOf(day));
    if (day) paired.add(day);
    return [
      ...pairs.filter(({ column }) => column === day).map(source),
      ...columns.filter((column) => !paired.has(column) && !used.has(column)).map(singleOf),
    ];
  }
  return columns.flatMap((column) =>
    paired.has(column)
      ? pairs.filter((pair) => pair.column === column)
      : used.has(column)
        ? []
        : [singleOf(column)],
  );
}

export function singleOf(column: Column): Source {
  const { concepts, words, unknown } = column.meaning;
  return { column, concepts, words, unknown };
}

/** The columns of day, month and year, if a file has one of each. */
function datePartsOf(columns: readonly Column[]): [Column, Column, Column] | undefined {
  const find = (isNamed: (column: Column) => boolean, from: number, to: number) =>
    columns.filter(
      (column) =>
        isNamed(column) &&
        column.values.length > 0 &&
        column.values.every(
          ({ value }) => /^\d{1,4}$/.test(value) && Number(value) >= from && Number(value) <= to,
        ),
    );
  const has =
    (concept: Concept) =>
    ({ meaning }: Column) =>
      meaning.concepts.has(concept);
  const [day, ...days] = find(has("date"), 1, 31);
  const [month, ...months] = find(has("month"), 1, 12);
  const [year, ...years] = find(has("year"), 1990, 2099);
  if (!day || !month || !year || day === month) return undefined;
  return [days, months, years].every((others) => others.length === 0) ? [day, month, year] : undefined;
}

/** An "Issue date" with a "Time in" and a "Time out" is one of entry and exit: there, the times say what they are about. */
function pairOf(date: Column, clock: Column): Source {
  const [subject, own] = [subjectOf(date), subjectOf(clock)];
  if (subject !== "" && own !== "" && subject !== own) {
    const { concepts, words, unknown } = clock.meaning;
    return {
      column: date,
      clock,
      concepts: new Set([...concepts, "date"]),
      words: [...words, ["date"]],
      unknown,
    };
  }
  return {
    column: date,
    clock,
    concepts: new Set([...date.meaning.concepts, ...clock.meaning.concepts]),
    words: [...date.meaning.words, ...clock.meaning.words],
    unknown: [...new Set([...date.meaning.unknown, ...clock.meaning.unknown])],
  };
}

/** A duration looks like a time of day, so its name decides. */
function isClockColumn({ looks, meaning, values }: Column): boolean {
  if (meaning.concepts.has("duration")) return false;
  const isNamedTime = ["time", "entry", "exit"].some((concept) =>
    (meaning.concepts as ReadonlySet<string>).has(concept),
  );
  return (
    looks.has("clock") ||
    (isNamedTime && values.length > 0 && values.every(({ value }) => isCompactClock(value)))
  );
}

/** "0945", "945" or, for 00:19, "19". */
function isCompactClock(value: string): boolean {
  return /^\d{1,4}$/.test(value) && Number(value.slice(-2)) < 60 && Number(value.slice(0, -2)) < 24;
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
