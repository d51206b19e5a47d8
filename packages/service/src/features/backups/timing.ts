import type { Config } from "../../core/config.js";

export type BackupTiming = Pick<Config, "backupEveryMs" | "backupAtMinute">;

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** After a backup shortly before the time of day, the next one is made a day later. */
const minGapMs = 60 * minuteMs;
/** A time that is further in the future was recorded by a wrong clock and is ignored. */
const toleranceMs = 5 * minuteMs;
const firstRetryMs = minuteMs;
const longestRetryMs = 60 * minuteMs;

/** When the next backup is due, in milliseconds since 1970. `lastMs`: the last good backup; undefined if there is none. */
export function dueAfter(lastMs: number | undefined, timing: BackupTiming, nowMs: number): number {
  if (lastMs === undefined || isWrongClock(lastMs, nowMs)) return nowMs;
  if (timing.backupAtMinute === undefined) return lastMs + timing.backupEveryMs;
  const earliest = lastMs + minGapMs;
  const onThatDay = Math.floor(earliest / dayMs) * dayMs + timing.backupAtMinute * minuteMs;
  return onThatDay >= earliest ? onThatDay : onThatDay + dayMs;
}

/** `failures`: in a row. */
export function retryDelayMs(failures: number): number {
  return Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 20), longestRetryMs);
}

/** Whether a due time is reached. If the clock was set back, the due time is ignored. */
export function isDue(dueMs: number, recordedMs: number, nowMs: number): boolean {
  return nowMs >= dueMs || isWrongClock(recordedMs, nowMs);
}

/** Two intervals without a good backup, since the last one or since the start. */
export function isOverdue(
  { lastMs, startedMs }: { lastMs: number | undefined; startedMs: number },
  { backupEveryMs }: BackupTiming,
  nowMs: number,
): boolean {
  const sinceMs = lastMs === undefined || isWrongClock(lastMs, nowMs) ? startedMs : lastMs;
  return nowMs - sinceMs > 2 * backupEveryMs;
}

function isWrongClock(notedMs: number, nowMs: number): boolean {
  return notedMs > nowMs + toleranceMs;
}
