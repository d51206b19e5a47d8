/** Columns that are days or months: one row then holds many records. */
export interface CrossTab {
  first: string;
  last: string;
}

/** Shorter runs may be ordinary columns, such as three years of a budget. */
const leastColumns = 4;

export function crossTabOf(names: readonly string[]): CrossTab | undefined {
  const positions = names.map(positionsOf);
  let start = 0;
  for (let at = 1; at <= names.length; at += 1) {
    if (at < names.length && follows(positions[at - 1], positions[at])) continue;
    if (at - start >= leastColumns) return { first: names[start] as string, last: names[at - 1] as string };
    start = at;
  }
  return undefined;
}

/** The place of a period among its kind: 2026-02 is the month after 2026-01. */
type Positions = ReadonlyMap<string, number>;

function follows(one: Positions | undefined, other: Positions | undefined): boolean {
  for (const [kind, position] of other ?? []) if (one?.get(kind) === position - 1) return true;
  return false;
}

const dayMs = 86_400_000;

function positionsOf(name: string): Positions {
  const text = name.trim().toLowerCase().replace(/\.$/, "");
  const found = new Map<string, number>();
  if (text.length > 40) return found;
  for (const [kind, position] of words().get(
    text.replace(/(?:\d{4}|\d{2})$/, "").replace(/(?<![\s.'/-])[\s.'/-]+$/, ""),
  ) ?? [])
    found.set(kind, position);
  const [, year, ordinal] = /^(\d{4})[-/.](\d{1,2})$/.exec(text) ?? [];
  const [, ordinalFirst, yearLast] = /^(\d{1,2})[-/.](\d{4})$/.exec(text) ?? [];
  const month = Number(ordinal ?? ordinalFirst);
  if (month >= 1 && month <= 12) found.set("months", Number(year ?? yearLast) * 12 + month);
  const hour = /^(\d{1,2})(?::00|h)(?:\s?-.{1,8})?$/.exec(text)?.[1];
  if (hour !== undefined) found.set("hours", Number(hour));
  if (/^(?:19|20)\d\d$/.test(text)) found.set("years", Number(text));
  else if (/^\d{1,2}$/.test(text) && Number(text) <= 31) found.set("days of the month", Number(text));
  for (const [kind, day] of daysOf(text)) found.set(kind, day);
  return found;
}

/** A day, whichever part of the text is the month. */
function daysOf(text: string): [string, number][] {
  const parts = text.split(/[-/.]/).map(Number);
  if (parts.length < 2 || parts.length > 3 || parts.some((part) => !Number.isInteger(part))) return [];
  const [one = 0, two = 0, three = 2000] = parts;
  const readings =
    one > 31
      ? [[one, two, three]]
      : [
          [three, two, one],
          [three, one, two],
        ];
  return readings.flatMap(([year = 0, month = 0, day = 0], index): [string, number][] =>
    month >= 1 && month <= 12 && day >= 1 && day <= 31
      ? [[`days ${index} ${one > 31}`, Date.UTC(year, month - 1, day) / dayMs]]
      : [],
  );
}

const languages = [
  ...["en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sk", "hu", "ro", "sv", "da", "nb", "fi", "tr"],
  ...["el", "ru", "uk", "bg", "hr", "lt", "lv", "et", "ar", "he", "ja", "ko", "zh"],
];
type Words = Map<string, [kind: string, position: number][]>;
let known: Words | undefined;

/** Names of months and days of the week in many languages. */
function words(): Words {
  if (known) return known;
  const found: Words = new Map();
  const add = (kind: string, options: Intl.DateTimeFormatOptions, count: number): void => {
    for (const language of languages) {
      const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
      for (let position = 0; position < count; position += 1) {
        // 1 June 2026 is a Monday.
        const date = count === 7 ? Date.UTC(2026, 5, 1 + position) : Date.UTC(2026, position, 15);
        const text = format.format(date).toLowerCase().replace(/\.$/, "");
        found.set(text, [...(found.get(text) ?? []), [`${kind} ${language}`, position]]);
      }
    }
  };
  for (const width of ["long", "short"] as const) {
    add(`month ${width}`, { month: width }, 12);
    add(`weekday ${width}`, { weekday: width }, 7);
  }
  known = found;
  return known;
}
