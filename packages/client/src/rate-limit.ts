/**
 * Tracks the rate limit of one operation from response headers.
 *
 * The service uses a sliding window. X-RateLimit-Reset is the time at which the oldest request leaves the
 * window. The client sends immediately while requests remain, then waits for the next free slot. It uses the
 * whole limit and gets no 429, unless another client of the organization uses the same limit.
 */
export interface RateLimit {
  /** Undefined before the first response. */
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  learn(headers: Headers): void;
  /** Time until the next slot is free; 0 if a slot is free or nothing is known. */
  waitMs(): number;
  /** Time until the oldest request leaves the window. */
  resetInMs(): number | undefined;
}

/** Longer waits are not trusted: the request is sent, and its response updates the state. */
const maxWaitMs = 15 * 60_000;

export function createRateLimit(): RateLimit {
  let limit: number | undefined;
  let remaining: number | undefined;
  let resetAtMs: number | undefined;
  let serverAheadMs: number | undefined;

  /**
   * Reset uses the service's clock, which may differ from ours. The Date header is truncated to seconds, so
   * each response gives a lower bound for the difference to our monotonic clock. The largest one is the
   * closest.
   */
  function learnClock(headers: Headers, isRefusal: boolean): void {
    const sentAtMs = Date.parse(headers.get("date") ?? "");
    const aheadMs = (Number.isNaN(sentAtMs) ? Date.now() : sentAtMs) - performance.now();
    // A 429 despite pacing may mean that the service's clock was set back, so start over.
    serverAheadMs = isRefusal ? aheadMs : Math.max(serverAheadMs ?? aheadMs, aheadMs);
  }

  function resetInMs(): number | undefined {
    if (resetAtMs === undefined || serverAheadMs === undefined) return undefined;
    return Math.min(maxWaitMs, Math.max(0, resetAtMs - (performance.now() + serverAheadMs)));
  }

  return {
    get limit() {
      return limit;
    },
    get remaining() {
      return remaining;
    },
    learn(headers) {
      const reset = numberIn(headers, "x-ratelimit-reset");
      const left = numberIn(headers, "x-ratelimit-remaining");
      if (reset === undefined || left === undefined) return;
      learnClock(headers, headers.has("retry-after"));
      limit = numberIn(headers, "x-ratelimit-limit");
      remaining = left;
      resetAtMs = reset * 1000;
    },
    waitMs: () => (remaining === 0 ? (resetInMs() ?? 0) : 0),
    resetInMs,
  };
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name);
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
