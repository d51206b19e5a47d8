/** What the time left is estimated from. */
export interface Pace {
  recordsLeft: number;
  recordsPerRequest: number;
  /** How long a request took on average, without waiting. */
  requestMs: number;
  /** Of the rate limit, as far as it is known. */
  limit: number | undefined;
  remaining: number | undefined;
  resetInMs: number | undefined;
}

const windowMs = 60_000;

/**
 * How long the rest takes. A rate from the past would mislead: the first minute's requests go in a burst, then the
 * limit rules. So the requests left are laid into the windows they will have to wait for.
 */
export function timeLeftMs(pace: Pace): number {
  const requests = Math.ceil(pace.recordsLeft / pace.recordsPerRequest);
  const { limit, remaining = Number.POSITIVE_INFINITY, resetInMs = 0 } = pace;
  if (!limit || requests <= remaining) return requests * pace.requestMs;
  const later = requests - remaining;
  const windows = Math.ceil(later / limit) - 1;
  const inLastWindow = later - windows * limit;
  return resetInMs + windows * Math.max(windowMs, limit * pace.requestMs) + inLastWindow * pace.requestMs;
}

export function durationText(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
