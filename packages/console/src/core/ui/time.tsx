import { useSyncExternalStore } from "react";

const tickMs = 20_000;
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
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

export function relativeTime(value: string, reference: number): string {
  const seconds = (Date.parse(value) - reference) / 1000;
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return "just now";
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

/** Wraps only between date and time. */
function Utc({ value }: { value: string }) {
  const [date, ...time] = utcTime(value).split(" ");
  return (
    <>
      <span className="unbroken">{date}</span> <span className="unbroken">{time.join(" ")}</span>
    </>
  );
}

/** UTC, with the relative time on hover. */
export function Time({ value }: { value: string | null | undefined }) {
  const reference = useNow();
  if (!value) return <span>never</span>;
  return (
    <time dateTime={value} title={relativeTime(value, reference)}>
      <Utc value={value} />
    </time>
  );
}

/** UTC and the relative time. */
export function Moment({ value }: { value: string | null | undefined }) {
  const reference = useNow();
  if (!value) return <span>never</span>;
  return (
    <time dateTime={value}>
      <Utc value={value} /> ({relativeTime(value, reference)})
    </time>
  );
}

const shortFormat = new Intl.DateTimeFormat("en", {
  timeZone: "UTC",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Nov 19, 12:31 UTC */
export function SoonTime({ value }: { value: string }) {
  const reference = useNow();
  return (
    <time dateTime={value} title={`${utcTime(value)}, ${relativeTime(value, reference)}`}>
      {shortFormat.format(new Date(value))} UTC
    </time>
  );
}
