/** What a wall clock's reading means as a moment. */
export type LocalTime =
  | { kind: "moment"; utcMs: number }
  /** The clocks were put back: the reading came twice, this is the first time. */
  | { kind: "twice"; utcMs: number }
  /** The clocks were put forward: there was no such reading. */
  | { kind: "never" };

const dayMs = 24 * 60 * 60 * 1000;
const formatters = new Map<string, Intl.DateTimeFormat>();

export function isTimeZone(name: string): boolean {
  try {
    formatterOf(name);
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
  return { kind: moments.length === 1 ? "moment" : "twice", utcMs: Math.min(...moments) };
}

const spanMs = 6 * 60 * 60 * 1000;
const maxSpans = 20_000;
/** Offsets by zone and span of six hours; undefined where the clocks are changed within it. */
const spans = new Map<string, number | undefined>();

/**
 * How far the zone's clocks are ahead of UTC at a moment. Asking the runtime is slow, and the rows of a file are close
 * to each other in time: an offset that is the same at both ends of a span held throughout.
 */
function offsetMs(utcMs: number, timeZone: string): number {
  const span = Math.floor(utcMs / spanMs);
  const key = `${timeZone} ${span}`;
  if (!spans.has(key)) {
    if (spans.size >= maxSpans) spans.clear();
    const offset = exactOffsetMs(span * spanMs, timeZone);
    spans.set(key, exactOffsetMs((span + 1) * spanMs, timeZone) === offset ? offset : undefined);
  }
  return spans.get(key) ?? exactOffsetMs(utcMs, timeZone);
}

function exactOffsetMs(utcMs: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatterOf(timeZone).formatToParts(utcMs)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return date.getTime() - Math.floor(utcMs / 1000) * 1000;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-u-ca-iso8601", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}
