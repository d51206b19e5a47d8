import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type pg from "pg";
import { nowMs } from "../../../core/clock.js";
import { bucketName } from "../../../core/gate/gate.js";
import type { RateLimiter } from "../../../core/gate/rate-limits.js";
import { areOthersWaiting, type Claim } from "../queue.js";
import { LeaseLost } from "./progress.js";

/** After this time, waiting uploads of other organizations come first. It is long, because a resumed file is read again. */
const maxImportMs = 60_000;
/**
 * The same before the first batch of a file. An interrupted attempt has no result, so each further attempt has twice the time of
 * the one before.
 */
const maxFirstBatchMs = 15_000;
const pollQueueMs = 1_000;

/** Makes an upload yield to uploads of other organizations when it has used its time. */
export class PreemptionTimer {
  readonly #pool: pg.Pool;
  readonly #claim: Claim;
  readonly #preempted = new AbortController();
  readonly #poll: NodeJS.Timeout;
  #startedAtMs = performance.now();
  #maxMs: number;

  constructor(pool: pg.Pool, claim: Claim) {
    this.#pool = pool;
    this.#claim = claim;
    this.#maxMs = maxFirstBatchMs * 2 ** (claim.claims - 1);
    this.#poll = setInterval(() => {
      // A failed query is repeated by the next poll.
      this.mustYield().then(
        (mustYield) => mustYield && this.#preempted.abort(),
        () => undefined,
      );
    }, pollQueueMs);
    this.#poll.unref();
  }

  /** Aborted if the upload must yield before its first batch. */
  get signal(): AbortSignal {
    return this.#preempted.signal;
  }

  /** From now on the upload yields only between two batches. */
  beginBatches(): void {
    this.stop();
    this.#startedAtMs = performance.now();
    this.#maxMs = maxImportMs;
  }

  async mustYield(): Promise<boolean> {
    return performance.now() - this.#startedAtMs > this.#maxMs && areOthersWaiting(this.#pool, this.#claim);
  }

  stop(): void {
    clearInterval(this.#poll);
  }
}

export interface RateLimitParts {
  limiter: Pick<RateLimiter, "take">;
  /** The current limits of an organization. */
  limitsOf(organizationId: string): Promise<Record<OperationName, RateLimit>>;
  /** Returns early when the signal is aborted. */
  pause(ms: number): Promise<void>;
  /** Aborted with LeaseLost when the lease is lost or the worker stops. */
  signal: AbortSignal;
}

/** A quarter of the organization's rate limit is reserved for requests of its partners. */
const reservedShare = 4;
const minWaitMs = 1_000;
const maxWaitMs = 60_000;

/**
 * Waits until the rate limit of the organization admits a batch: it counts like a request of a partner. An upload that must yield
 * does not wait.
 */
export async function awaitRateLimit(
  { limiter, limitsOf, pause, signal }: RateLimitParts,
  { organizationId, operation }: { organizationId: string; operation: OperationName },
  mustYield: () => Promise<boolean>,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const { [operation]: limit } = await limitsOf(organizationId);
    const state = await limiter.take(bucketName(operation, organizationId), limit);
    if (state.accepted && state.remaining >= Math.floor(state.limit / reservedShare)) return;
    if (await mustYield()) throw new LeaseLost();
    const untilResetMs = state.resetAtSeconds * 1_000 - nowMs();
    await pause(Math.min(maxWaitMs, Math.max(minWaitMs, untilResetMs)));
    signal.throwIfAborted();
    if (state.accepted) return;
  }
}
