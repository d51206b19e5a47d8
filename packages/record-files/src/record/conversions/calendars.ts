const dayMs = 86_400_000;

/** A date that is not checked: the 31st of February is a day in March. */
interface CalendarDate {
  year: number;
  month: number;
  day: number;
}

interface Calendar {
  /** The year of a date with two digits of the year. */
  century: number;
  /** The date in the Gregorian calendar; undefined if there is no such date. */
  gregorian(date: CalendarDate): CalendarDate | undefined;
}

const shifted = (years: number, century: number): Calendar => ({
  century,
  gregorian: ({ year, ...date }) => ({ ...date, year: year + years }),
});

/**
 * A calendar with its own months. `firstDay` is about the first day of the year 1, and `yearDays` about the length of
 * a year, so that the guess is off by a few days at most.
 */
function withOwnMonths(name: string, century: number, firstDay: number, yearDays: number): Calendar {
  let format: Intl.DateTimeFormat | undefined;
  const known = new Map<string, CalendarDate | undefined>();
  const find = ({ year, month, day }: CalendarDate): CalendarDate | undefined => {
    format ??= new Intl.DateTimeFormat(`en-u-ca-${name}-nu-latn`, {
      ...{ timeZone: "UTC", year: "numeric", month: "numeric", day: "numeric" },
    });
    const wanted = `${year} ${month} ${day}`;
    const guess = firstDay + Math.round((year - 1 + (month - 1) / 12) * yearDays) + day;
    for (const away of [0, -1, 1, -2, 2, -3, 3, -4, 4]) {
      const date = new Date((guess + away) * dayMs);
      const parts = new Map(format.formatToParts(date).map(({ type, value }) => [type, value]));
      if (
        `${Number.parseInt(parts.get("year") ?? "", 10)} ${parts.get("month")} ${parts.get("day")}` === wanted
      )
        return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    }
    return undefined;
  };
  return {
    century,
    gregorian: (date) => {
      const key = `${date.year} ${date.month} ${date.day}`;
      if (!known.has(key)) {
        if (known.size === maxKnownDates) known.clear();
        known.set(key, find(date));
      }
      return known.get(key);
    },
  };
}

/** Some files have many rows for each date, and finding a date takes a while. */
const maxKnownDates = 10_000;

/** Calendars that a pattern can begin with: "[buddhist]d/M/yyyy". */
export const calendars: Readonly<Record<string, Calendar>> = {
  buddhist: shifted(-543, 2500),
  minguo: shifted(1911, 100),
  persian: withOwnMonths("persian", 1400, -492_268, 365.2422),
  islamic: withOwnMonths("islamic-umalqura", 1400, -492_149, 354.36667),
  "islamic-civil": withOwnMonths("islamic-civil", 1400, -492_149, 354.36667),
};

/** Japanese eras by the letters in front of a year, and the year before the first one. */
const eras: readonly (readonly [names: readonly string[], yearBefore: number])[] = [
  [["令和", "R"], 2018],
  [["平成", "H"], 1988],
  [["昭和", "S"], 1925],
];

/** Reads the name of an era: "令和8年" or "R8". */
export function readEra(text: string, at: number): { end: number; yearBefore: number } | undefined {
  for (const [names, yearBefore] of eras)
    for (const name of names)
      if (text.slice(at, at + name.length).toUpperCase() === name)
        return { end: at + name.length, yearBefore };
  return undefined;
}
