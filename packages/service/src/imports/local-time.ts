/**
 * What the wall clock of a location shows at a moment. It is computed here rather than in PostgreSQL, whose AT TIME
 * ZONE knows no daylight saving for zones such as CET or MET.
 */
const dayMs = 86_400_000;
const maxCachedOffsets = 50_000;
/** Since then, no zone has changed its offset there and back within a day, so both ends of a day tell about all of it. */
const regularSince = Date.UTC(1972, 0, 1);

const formatters = new Map<string, Intl.DateTimeFormat>();
/** The offset that holds for a whole day in UTC; undefined for a day in which it changes. */
const offsets = new Map<string, number | undefined>();

export function utcOffsetSeconds(timeZone: string, moment: number): number {
  if (moment < regularSince) return computeOffset(timeZone, moment);
  const day = Math.floor(moment / dayMs);
  const key = `${timeZone} ${day}`;
  if (!offsets.has(key)) {
    if (offsets.size >= maxCachedOffsets) offsets.clear();
    const first = computeOffset(timeZone, day * dayMs);
    const last = computeOffset(timeZone, (day + 1) * dayMs - 1);
    offsets.set(key, first === last ? first : undefined);
  }
  return offsets.get(key) ?? computeOffset(timeZone, moment);
}

/** The local date at a moment, as the number of milliseconds that its midnight would be in UTC. */
export function localTime(moment: number, offsetSeconds: number): number {
  return moment + offsetSeconds * 1000;
}

function computeOffset(timeZone: string, moment: number): number {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatterFor(timeZone).formatToParts(moment)) parts[type] = value;
  const year = parts["era"] === "BC" ? 1 - Number(parts["year"]) : Number(parts["year"]);
  const wallClock = new Date(0);
  wallClock.setUTCFullYear(year, Number(parts["month"]) - 1, Number(parts["day"]));
  wallClock.setUTCHours(Number(parts["hour"]), Number(parts["minute"]), Number(parts["second"]));
  return Math.round((wallClock.getTime() - Math.floor(moment / 1000) * 1000) / 1000);
}

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      era: "short",
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
