import { localTime, utcOffsetSeconds } from "@gatehouse-parking/contract";

/**
 * Days and hours by the wall clock of a zone. A day with a change of daylight saving time has 23 or 25 hours (24.5 on Lord Howe
 * Island), may begin at 01:00, and may have the same hour twice, so an hour is identified by its label and its offset.
 */
const dayMs = 86_400_000;
/** Zones change their offset at full minutes. A few changed it at one minute past the hour. */
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
  // If the clock goes back over midnight, 00:00 occurs twice. The day begins with the first.
  for (const candidate of [Math.min(before, after), Math.max(before, after)]) {
    if (localTime(candidate, utcOffsetSeconds(timeZone, candidate)) === midnight) return candidate;
  }
  // If it goes forward at midnight, 00:00 does not occur. The day begins where the old offset ends.
  return before;
}

export function hoursOfLocalDay(timeZone: string, date: string): number {
  return (startOfLocalDay(timeZone, addDays(date, 1)) - startOfLocalDay(timeZone, date)) / 3_600_000;
}

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

/** Both included. Days are counted, because text does not sort beyond the year 9999. */
export function datesBetween(first: string, last: string): string[] {
  const days = Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1;
  return Array.from({ length: days }, (_, index) => addDays(first, index));
}

export function localDateAt(timeZone: string, moment: number): string {
  return new Date(localTime(moment, utcOffsetSeconds(timeZone, moment))).toISOString().slice(0, 10);
}
