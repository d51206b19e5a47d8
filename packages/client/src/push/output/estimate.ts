const windowMs = 60_000;

/** What the time left is estimated from. */
export interface Pace {
  requestsLeft: number;
  /** How long a request takes on average, with everything around it but the wait for the limit. */
  requestMs: number;
  /** Requests in a window; undefined if there is no limit. */
  limit: number | undefined;
  /** When the latest requests were sent, the oldest first, up to as many as the limit. */
  sentAtMs: readonly number[];
  nowMs: number;
}

/**
 * How long the rest takes. A rate from the past would mislead: the first minute's requests go in a burst, then the
 * limit rules. It lets a request go one window after the one that is `limit` places before it; so the last one goes as
 * many windows after a request that was sent already, or that can be sent right now.
 */
export function timeLeftMs({ requestsLeft, requestMs, limit, sentAtMs, nowMs }: Pace): number {
  const withoutLimit = requestsLeft * requestMs;
  if (!limit) return withoutLimit;
  let windows = Math.ceil(requestsLeft / limit);
  let place = sentAtMs.length + requestsLeft - windows * limit;
  if (place < 1) {
    windows -= 1;
    place += limit;
  }
  const sent = sentAtMs[place - 1] ?? nowMs + (place - sentAtMs.length) * requestMs;
  return Math.max(withoutLimit, sent + windows * windowMs - nowMs + requestMs);
}

/** Measures how fast a push goes. */
export interface PaceMeter {
  /** How long the rate limit made a request wait; to be told before it goes. */
  waited(durationMs: number): void;
  /** A request with this many records was answered. */
  answered(records: number, limit: number | undefined): void;
  recordsPerSecond(): number;
  /** Undefined before the first answer. */
  timeLeftMs(recordsLeft: number): number | undefined;
}

export function startPaceMeter(now: () => number = () => performance.now()): PaceMeter {
  // The first request starts the clock: how long a resumed push passes over records says nothing about the rest.
  let startedMs: number | undefined;
  let waitedMs = 0;
  let records = 0;
  let requests = 0;
  let limit: number | undefined;
  const sentAtMs: number[] = [];
  return {
    waited(durationMs) {
      startedMs ??= now() - durationMs;
      waitedMs += durationMs;
    },
    answered(answeredRecords, currentLimit) {
      records += answeredRecords;
      requests += 1;
      limit = currentLimit;
      sentAtMs.push(now());
      while (sentAtMs.length > (limit ?? 0)) sentAtMs.shift();
    },
    recordsPerSecond: () => (records * 1000) / Math.max(1, now() - (startedMs ?? now())),
    timeLeftMs(recordsLeft) {
      if (requests === 0 || startedMs === undefined) return undefined;
      const nowMs = now();
      return timeLeftMs({
        requestsLeft: Math.ceil((recordsLeft * requests) / records),
        requestMs: (nowMs - startedMs - waitedMs) / requests,
        limit,
        sentAtMs,
        nowMs,
      });
    },
  };
}

export function durationText(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
