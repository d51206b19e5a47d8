/**
 * What is known of one operation's rate limit, from the headers of its answers.
 *
 * The service keeps a sliding window: X-RateLimit-Reset is when the oldest request leaves it and one more is accepted.
 * So requests are sent at once while some are left, and then at the moment the next place becomes free: the whole
 * budget is used and nothing is refused, unless somebody else in the organization uses it too.
 */
export interface Budget {
  /** Undefined until an answer told it. */
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  learn(headers: Headers): void;
  /** How long until the next place in the window is free; 0 if one is free or nothing is known. */
  waitMs(): number;
  /** How long until the oldest request leaves the window, whatever is left. */
  resetInMs(): number | undefined;
}

/** A longer announcement is not believed; the request is tried and the answer tells more. */
const maxWaitMs = 15 * 60_000;

export function createBudget(): Budget {
  let limit: number | undefined;
  let remaining: number | undefined;
  let resetAtMs: number | undefined;
  let serverAheadMs: number | undefined;

  /**
   * Reset is told by the service's clock, which need not agree with ours. The Date header is cut to seconds, so each
   * answer shows at least how far that clock is ahead of our monotonic one, and the largest of them is the closest.
   */
  function learnClock(headers: Headers, isRefusal: boolean): void {
    const sentAtMs = Date.parse(headers.get("date") ?? "");
    const aheadMs = (Number.isNaN(sentAtMs) ? Date.now() : sentAtMs) - performance.now();
    // A refusal in spite of pacing may mean that the service's clock was set back: then what was learnt is wrong.
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
