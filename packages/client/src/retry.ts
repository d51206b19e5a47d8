import type { RateLimit } from "./rate-limit.js";
import { ConnectionError, GatehouseError, RateLimitedError, ServerError, SetupError } from "./errors.js";

export interface RetryPolicy {
  /**
   * Attempts per request when the connection breaks or the service answers 408 or 5xx; 1 disables retries.
   */
  maxAttempts: number;
  /** The first pause. Each further pause is twice as long. */
  firstPauseMs: number;
  maxPauseMs: number;
  /** How often a request that gets 429 is resent. */
  maxRateLimitWaits: number;
  /** Keep retrying for at least this long, regardless of the number of attempts. */
  keepTryingMs: number;
}

export const defaultRetry: RetryPolicy = {
  maxAttempts: 8,
  firstPauseMs: 500,
  maxPauseMs: 30_000,
  maxRateLimitWaits: 10,
  keepTryingMs: 0,
};

/** Spreads out clients that got 429 at the same time. */
const maxRateLimitJitterMs = 500;

export interface Attempts {
  failures: number;
  rateLimits: number;
  /** Time of the first attempt. */
  startedMs: number;
}

/** Pause before the next attempt; undefined to give up. */
export function pauseBeforeRetry(
  error: unknown,
  attempts: Attempts,
  policy: RetryPolicy,
  rateLimit: RateLimit,
): number | undefined {
  if (error instanceof RateLimitedError) {
    return attempts.rateLimits > policy.maxRateLimitWaits && isTimeUp(attempts, policy)
      ? undefined
      : pauseAfterRefusal(error, attempts, rateLimit);
  }
  if (!(error instanceof ConnectionError || error instanceof ServerError || isTimeout(error)))
    return undefined;
  // Retrying does not make a certificate trusted.
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
 * Retry-After is always sufficient: by then the whole window has passed. X-RateLimit-Reset is the time of the
 * next free slot, which is enough for one request. The first 429 waits for Reset. If another client took the
 * slot, clients compete for slots, and the next 429 waits for Retry-After.
 */
function pauseAfterRefusal(error: RateLimitedError, attempts: Attempts, rateLimit: RateLimit): number {
  const retryAfterMs = error.retryAfterSeconds * 1000;
  const resetInMs = attempts.rateLimits === 1 ? rateLimit.resetInMs() : undefined;
  return Math.min(retryAfterMs, resetInMs ?? retryAfterMs) + Math.random() * maxRateLimitJitterMs;
}

/** Resolves after the given time, or rejects with the signal's reason when aborted. */
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
