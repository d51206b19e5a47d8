import { useSyncExternalStore } from "react";
import { texts } from "./texts.js";

const tickMs = 20_000;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** One timer for all times on a page. */
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, tickMs);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** The current time, updated every tick. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** Units, from small to large, and how many of each make one of the next. */
const units = [
  ["minute", 60, 60],
  ["hour", 3_600, 24],
  ["day", 86_400, 30],
  ["month", 30 * 86_400, 12],
  ["year", 365 * 86_400, Infinity],
] as const;

/** In whole units of the largest that fits: 119 minutes are 1 hour ago. */
export function relativeTime(value: string, reference: number): string {
  const seconds = (Date.parse(value) - reference) / 1000;
  if (Math.abs(seconds) < 60) return texts.justNow;
  for (const [unit, length, most] of units) {
    const count = Math.trunc(seconds / length);
    if (Math.abs(count) < most) return relative.format(count, unit);
  }
  return "";
}

export function utcTime(value: string): string {
  return `${value.slice(0, 10)} ${value.slice(11, 19)} UTC`;
}

const localFormats = new Map<string, Intl.DateTimeFormat>();

/** Local time with the zone. UTC if the browser does not know the zone. */
export function localTime(value: string, timeZone: string): string {
  let format = localFormats.get(timeZone);
  try {
    format ??= new Intl.DateTimeFormat("sv-SE", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  } catch {
    return utcTime(value);
  }
  localFormats.set(timeZone, format);
  return `${format.format(new Date(value))} ${timeZone}`;
}

/** Local time at a location, with UTC on hover. */
export function LocalTime({ value, timeZone }: { value: string; timeZone: string }) {
  const reference = useNow();
  return (
    <time dateTime={value} title={`${utcTime(value)}, ${relativeTime(value, reference)}`}>
      {localTime(value, timeZone)}
    </time>
  );
}

const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC" } as const;
const timeFormat = new Intl.DateTimeFormat("en", clock);
const dayFormat = new Intl.DateTimeFormat("en", { ...clock, month: "short", day: "numeric" });
const yearFormat = new Intl.DateTimeFormat("en", {
  ...clock,
  year: "numeric",
  month: "short",
  day: "numeric",
});

/** 12:31 today, Nov 17, 11:27 this year, Nov 17, 2025, 11:27 in other years. In UTC, like the filters and charts. */
export function shortTime(value: string, reference: number): string {
  const today = new Date(reference).toISOString();
  const format =
    value.slice(0, 10) === today.slice(0, 10)
      ? timeFormat
      : value.slice(0, 4) === today.slice(0, 4)
        ? dayFormat
        : yearFormat;
  return format.format(new Date(value));
}

/** A short time in UTC, with the exact and the relative time on hover. */
export function Time({ value, withZone = true }: { value: string | null | undefined; withZone?: boolean }) {
  const reference = useNow();
  if (!value) return <span>{texts.never}</span>;
  return (
    <time
      className="unbroken"
      dateTime={value}
      title={`${utcTime(value)}, ${relativeTime(value, reference)}`}
    >
      {shortTime(value, reference)}
      {withZone ? " UTC" : null}
    </time>
  );
}

/** A short time and the relative time, with the exact time on hover. */
export function Moment({ value }: { value: string | null | undefined }) {
  const reference = useNow();
  if (!value) return <span>{texts.never}</span>;
  return (
    <time dateTime={value} title={utcTime(value)}>
      <span className="unbroken">{shortTime(value, reference)} UTC</span> ({relativeTime(value, reference)})
    </time>
  );
}
