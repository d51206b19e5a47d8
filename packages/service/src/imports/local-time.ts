/**
 * What the wall clock of a location shows at a moment. It is computed here rather than in PostgreSQL, whose AT TIME
 * ZONE knows no daylight saving for zones such as CET or MET.
 */
const quarterHourMs = 900_000;
const maxCachedOffsets = 50_000;
/** Since then, zones change their offset on a quarter of an hour, so one offset holds for all of it. */
const regularSince = Date.UTC(1972, 0, 1);

const formatters = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

export function utcOffsetSeconds(timeZone: string, moment: number): number {
  if (moment < regularSince) return computeOffset(timeZone, moment);
  const key = `${timeZone} ${Math.floor(moment / quarterHourMs)}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    if (offsets.size >= maxCachedOffsets) offsets.clear();
    offset = computeOffset(timeZone, moment);
    offsets.set(key, offset);
  }
  return offset;
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
