import { utcOffsetSeconds } from "@gatehouse-parking/contract";

/** What a wall clock's reading means as a moment. */
export type LocalTime =
  | { kind: "moment"; utcMs: number }
  /** The clocks were put back: the reading came twice, this is the first time and the last one. */
  | { kind: "twice"; utcMs: number; lastUtcMs: number }
  /** The clocks were put forward: there was no such reading. */
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

/** `wallMs` is the reading as if it were UTC. */
export function momentOf(wallMs: number, timeZone: string): LocalTime {
  // The offset of the day before or that of the day after applies; where they differ, both are tried.
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
