/** Months as the calendar has them, to look back by: "2026-10". */
const shownMonths = 24;

/** This month and those before it, newest first. */
export function recentMonths(now: Date): string[] {
  return Array.from({ length: shownMonths }, (_, ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 7),
  );
}

/** The first and the last day of a month; undefined for what is no month. */
export function daysOfMonth(text: string | null): { fromDate: string; toDate: string } | undefined {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text ?? "") ?? [];
  if (year === undefined) return undefined;
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).toISOString().slice(0, 10);
  return { fromDate: `${year}-${month}-01`, toDate: last };
}
