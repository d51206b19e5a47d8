import { localTime, utcOffsetSeconds } from "@gatehouse-parking/contract";
import { nowMs, momentOf } from "../../core/clock.js";
import { invalidInput } from "../../core/refusals/user-error.js";

/**
 * Days and hours by the wall clock of a zone. A day with a change of daylight saving has 23 or 25 hours (24.5 on Lord
 * Howe Island), may begin at 01:00, and may have the same hour twice: an hour is known by its label and its offset.
 */
const dayMs = 86_400_000;
/** No zone has changed its offset within a minute since there are laws about it; a few did at one minute past. */
const stepMs = 60_000;

export interface LocalHour {
  /** 0 to 23, by the wall clock. */
  hour: number;
  offsetSeconds: number;
  startsAt: number;
}

/** The first moment of a local date. */
export function startOfLocalDay(timeZone: string, date: string): number {
  const midnight = Date.parse(`${date}T00:00:00.000Z`);
  const before = midnight - utcOffsetSeconds(timeZone, midnight - dayMs) * 1000;
  const after = midnight - utcOffsetSeconds(timeZone, midnight + dayMs) * 1000;
  // If the clock is put back over midnight, it shows 00:00 twice; the day begins with the first.
  for (const candidate of [Math.min(before, after), Math.max(before, after)]) {
    if (localTime(candidate, utcOffsetSeconds(timeZone, candidate)) === midnight) return candidate;
  }
  // If it is put forward at midnight, it never shows 00:00; the day begins where the old offset ends.
  return before;
}

export function hoursOfLocalDay(timeZone: string, date: string): number {
  return (startOfLocalDay(timeZone, addDays(date, 1)) - startOfLocalDay(timeZone, date)) / 3_600_000;
}

/** The hours of a local date in order of time. */
export function localHours(timeZone: string, date: string): LocalHour[] {
  const end = startOfLocalDay(timeZone, addDays(date, 1));
  const hours: LocalHour[] = [];
  for (let moment = startOfLocalDay(timeZone, date); moment < end; moment += stepMs) {
    const offsetSeconds = utcOffsetSeconds(timeZone, moment);
    const hour = new Date(localTime(moment, offsetSeconds)).getUTCHours();
    const last = hours.at(-1);
    if (last?.hour !== hour || last.offsetSeconds !== offsetSeconds)
      hours.push({ hour, offsetSeconds, startsAt: moment });
  }
  return hours;
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00.000Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Every date from the first to the last, both included. Counted, not compared: text does not sort beyond year 9999. */
export function datesBetween(first: string, last: string): string[] {
  const days = Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1;
  return Array.from({ length: days }, (_, index) => addDays(first, index));
}

/** The date that the zone's calendar shows at a moment. */
export function localDateAt(timeZone: string, moment: number): string {
  return new Date(localTime(moment, utcOffsetSeconds(timeZone, moment))).toISOString().slice(0, 10);
}

interface RangeBounds {
  /** How long a range is that nobody stated. */
  defaultDays: number;
  maxDays: number;
}

export const rangeBounds = {
  outcomesByHour: { defaultDays: 1, maxDays: 31 },
  outcomesByDay: { defaultDays: 1, maxDays: 366 },
  reasons: { defaultDays: 7, maxDays: 92 },
  keyUse: { defaultDays: 1, maxDays: 31 },
} as const satisfies Record<string, RangeBounds>;

/** The range that was asked for. It ends now if nothing else is said. */
export function askedRange(
  asked: { from?: string; to?: string },
  { defaultDays, maxDays }: RangeBounds,
): { from: Date; to: Date } {
  const to = momentOf(asked.to) ?? new Date(nowMs());
  const from = momentOf(asked.from) ?? new Date(to.getTime() - defaultDays * dayMs);
  if (from >= to) throw invalidInput("from must be before to");
  if (to.getTime() - from.getTime() > maxDays * dayMs)
    throw invalidInput(`The range must not be longer than ${maxDays} days`);
  return { from, to };
}
