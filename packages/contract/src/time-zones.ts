/**
 * The local time of a zone at a moment. Computed here because PostgreSQL's AT TIME ZONE ignores daylight saving time
 * for zones such as CET or MET.
 */
const dayMs = 86_400_000;
const maxCachedDays = 20_000;
/** Early years could have several offset changes per day, so they are not cached. */
const regularSince = Date.UTC(1972, 0, 1);

const formatters = new Map<string, Intl.DateTimeFormat>();
/** By zone and UTC day: the offset for the whole day, or "changes". */
const days = new Map<string, Map<number, number | "changes">>();

/** How far the zone is ahead of UTC. Cached because Intl is slow and records are close together in time. */
export function utcOffsetSeconds(timeZone: string, moment: number): number {
  if (moment < regularSince) return computeOffset(timeZone, moment);
  let offsets = days.get(timeZone);
  if (!offsets) days.set(timeZone, (offsets = new Map()));
  const day = Math.floor(moment / dayMs);
  let offset = offsets.get(day);
  if (offset === undefined) {
    const atStart = computeOffset(timeZone, day * dayMs);
    offset = atStart === computeOffset(timeZone, (day + 1) * dayMs - 1) ? atStart : "changes";
    if (offsets.size >= maxCachedDays) offsets.clear();
    offsets.set(day, offset);
  }
  return offset === "changes" ? computeOffset(timeZone, moment) : offset;
}

/** The local date at a moment, as the UTC milliseconds of its midnight. */
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
