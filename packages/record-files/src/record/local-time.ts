import { utcOffsetSeconds } from "@gatehouse-parking/contract";

/** The meaning of a local time. */
export type LocalTime =
  | { kind: "moment"; utcMs: number }
  /** The time occurs twice at a clock change. */
  | { kind: "twice"; utcMs: number; lastUtcMs: number }
  /** The time is skipped at a clock change. */
  | { kind: "never" };

const dayMs = 24 * 60 * 60 * 1000;

export function isTimeZone(name: string): boolean {
  try {
    utcOffsetSeconds(name, 0);
    return true;
  } catch {
    return false;
  }
}

/** `wallMs` is the local time interpreted as UTC. */
export function momentOf(wallMs: number, timeZone: string): LocalTime {
  // Offsets change at most once around a day, so one of these offsets applies.
  const offsets = new Set([
    offsetMs(wallMs - dayMs, timeZone),
    offsetMs(wallMs, timeZone),
    offsetMs(wallMs + dayMs, timeZone),
  ]);
  const moments = [...offsets]
    .map((offset) => ({ utcMs: wallMs - offset, offset }))
    .filter(({ utcMs, offset }) => offsetMs(utcMs, timeZone) === offset)
    .map(({ utcMs }) => utcMs);
  if (moments.length === 0) return { kind: "never" };
  const utcMs = Math.min(...moments);
  return moments.length === 1
    ? { kind: "moment", utcMs }
    : { kind: "twice", utcMs, lastUtcMs: Math.max(...moments) };
}

function offsetMs(utcMs: number, timeZone: string): number {
  return utcOffsetSeconds(timeZone, utcMs) * 1000;
}
