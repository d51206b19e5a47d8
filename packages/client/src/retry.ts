import type { Budget } from "./budget.js";
import { ConnectionError, GatehouseError, RateLimitedError, ServerError, SetupError } from "./errors.js";

export interface RetryPolicy {
  /** How often a request is tried when the connection breaks or the service answers 408 or 5xx; 1 means no retry. */
  maxAttempts: number;
  /** The first pause; each further one is twice as long. */
  firstPauseMs: number;
  maxPauseMs: number;
  /** How often a request that is answered 429 is sent again. */
  maxRateLimitWaits: number;
  /** For this long a request is tried in any case, however often that is. */
  keepTryingMs: number;
}

export const defaultRetry: RetryPolicy = {
  maxAttempts: 8,
  firstPauseMs: 500,
  maxPauseMs: 30_000,
  maxRateLimitWaits: 10,
  keepTryingMs: 0,
};

/** Keeps clients that were refused together from coming back together. */
const maxRateLimitJitterMs = 500;

/** How often one request was refused or failed so far. */
export interface Attempts {
  failures: number;
  rateLimits: number;
  /** When it was sent first. */
  startedMs: number;
}

/** How long to pause before the request is sent again; undefined if it is to be given up. */
export function pauseBeforeRetry(
  error: unknown,
  attempts: Attempts,
  policy: RetryPolicy,
  budget: Budget,
): number | undefined {
  if (error instanceof RateLimitedError) {
    return attempts.rateLimits > policy.maxRateLimitWaits && isTimeUp(attempts, policy)
      ? undefined
      : pauseAfterRefusal(error, attempts, budget);
  }
  if (!(error instanceof ConnectionError || error instanceof ServerError || isTimeout(error)))
    return undefined;
  // A certificate will not be trusted in a minute either.
  if (error instanceof SetupError) return undefined;
  if (attempts.failures >= policy.maxAttempts && isTimeUp(attempts, policy)) return undefined;
  const longest = Math.min(policy.maxPauseMs, policy.firstPauseMs * 2 ** (attempts.failures - 1));
  const asked = error instanceof ServerError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return asked + longest * (0.5 + Math.random() / 2);
}

function isTimeUp({ startedMs }: Attempts, { keepTryingMs }: RetryPolicy): boolean {
  return performance.now() - startedMs >= keepTryingMs;
}

/** The body did not arrive in time, so nothing was processed. */
function isTimeout(error: unknown): boolean {
  return error instanceof GatehouseError && error.status === 408;
}

/**
 * Retry-After is always long enough: by then everything that fills the window has left it. X-RateLimit-Reset is when
 * the first place becomes free, which is enough for one request. So the first refusal waits for Reset; if the place
 * was taken by another client by then, there is a contest for places, and Retry-After is kept.
 */
function pauseAfterRefusal(error: RateLimitedError, attempts: Attempts, budget: Budget): number {
  const retryAfterMs = error.retryAfterSeconds * 1000;
  const resetInMs = attempts.rateLimits === 1 ? budget.resetInMs() : undefined;
  return Math.min(retryAfterMs, resetInMs ?? retryAfterMs) + Math.random() * maxRateLimitJitterMs;
}

/** Resolves after a while, or rejects with the signal's reason as soon as it is aborted. */
export function wait(durationMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, durationMs);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
