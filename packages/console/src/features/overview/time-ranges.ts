import { texts } from "./texts.js";
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const ranges = [
  { value: "day", label: texts.ranges.day, lengthMs: dayMs, bucket: "hour" },
  { value: "week", label: texts.ranges.week, lengthMs: 7 * dayMs, bucket: "day" },
  { value: "month", label: texts.ranges.month, lengthMs: 30 * dayMs, bucket: "day" },
  { value: "quarter", label: texts.ranges.quarter, lengthMs: 90 * dayMs, bucket: "day" },
] as const;
type RangeName = (typeof ranges)[number]["value"];

export function readRange(text: string | null): RangeName {
  return ranges.find((range) => range.value === text)?.value ?? "month";
}

/** Ends with the current bucket and is stable within it, so that answers can be cached. */
export function rangeQuery(name: RangeName) {
  const range = ranges.find((candidate) => candidate.value === name) ?? ranges[0];
  const stepMs = range.bucket === "hour" ? hourMs : dayMs;
  const end = Math.ceil(Date.now() / stepMs) * stepMs;
  return {
    from: new Date(end - range.lengthMs).toISOString(),
    to: new Date(end).toISOString(),
    bucket: range.bucket,
  };
}

const dayFormat = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short", timeZone: "UTC" });

/** 19 Oct */
export function dayLabel(start: string): string {
  return dayFormat.format(new Date(start));
}

/** 19 Oct, or 19 Oct 14:00 */
export function bucketLabel(start: string, bucket: "hour" | "day"): string {
  return bucket === "day" ? dayLabel(start) : `${dayLabel(start)} ${start.slice(11, 16)}`;
}

const shownMonths = 24;

/** This month and earlier ones, newest first, such as "2026-10". */
export function recentMonths(now: Date): string[] {
  return Array.from({ length: shownMonths }, (_, ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 7),
  );
}

/** The first and last day of a month. */
export function daysOfMonth(text: string | null): { fromDate: string; toDate: string } | undefined {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text ?? "") ?? [];
  if (year === undefined) return undefined;
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).toISOString().slice(0, 10);
  return { fromDate: `${year}-${month}-01`, toDate: last };
}
