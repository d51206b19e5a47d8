import type { Config } from "../../core/config.js";

export type BackupTiming = Pick<Config, "backupEveryMs" | "backupAtMinute">;

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** A backup made shortly before its time of day, as after a stop, is not followed by another. */
const apartMs = 60 * minuteMs;
/** What lies further in the future than this was noted by a clock that was wrong, and says nothing. */
const toleranceMs = 5 * minuteMs;
const firstRetryMs = minuteMs;
const longestRetryMs = 60 * minuteMs;

/** When the next backup is to be made after the last good one, in milliseconds since 1970. Undefined: there is none yet. */
export function dueAfter(lastMs: number | undefined, timing: BackupTiming, nowMs: number): number {
  if (lastMs === undefined || isOfWrongClock(lastMs, nowMs)) return nowMs;
  if (timing.backupAtMinute === undefined) return lastMs + timing.backupEveryMs;
  const earliest = lastMs + apartMs;
  const onThatDay = Math.floor(earliest / dayMs) * dayMs + timing.backupAtMinute * minuteMs;
  return onThatDay >= earliest ? onThatDay : onThatDay + dayMs;
}

/** How long to wait after so many failures in a row. */
export function retryDelayMs(failures: number): number {
  return Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 20), longestRetryMs);
}

/** Whether a moment has come. A moment that a clock set back has moved far away counts as past. */
export function hasCome(momentMs: number, notedMs: number, nowMs: number): boolean {
  return nowMs >= momentMs || isOfWrongClock(notedMs, nowMs);
}

/** Two intervals without a good one: since the last one, or since when there could have been one. */
export function isOverdue(
  { lastMs, startedMs }: { lastMs: number | undefined; startedMs: number },
  { backupEveryMs }: BackupTiming,
  nowMs: number,
): boolean {
  const sinceMs = lastMs === undefined || isOfWrongClock(lastMs, nowMs) ? startedMs : lastMs;
  return nowMs - sinceMs > 2 * backupEveryMs;
}

function isOfWrongClock(notedMs: number, nowMs: number): boolean {
  return notedMs > nowMs + toleranceMs;
}
