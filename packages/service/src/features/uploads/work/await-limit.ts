import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import { nowMs } from "../../../core/clock.js";
import { bucketName } from "../../../core/gate/gate.js";
import type { RateLimiter } from "../../../core/gate/rate-limits.js";
import { UploadLost } from "./progress.js";

export interface LimitParts {
  limiter: Pick<RateLimiter, "take">;
  /** What holds for an organization at this moment. */
  limitsOf(organizationId: string): Promise<Record<OperationName, RateLimit>>;
  /** Waits, and ends early when the signal is aborted. */
  pause(ms: number): Promise<void>;
  /**
   * Aborted, with an UploadLost, when another instance has the upload, or when it is to be given back after this batch.
   */
  signal: AbortSignal;
}

/** A quarter of the organization's limit is left to what its partners send meanwhile. */
const reservedShare = 4;
const shortestWaitMs = 1_000;
const longestWaitMs = 60_000;

/**
 * Waits until a batch may be imported: an upload counts against the organization's limit as what its partners send does. Whose
 * turn is over does not wait, but gives the upload back.
 */
export async function awaitLimit(
  { limiter, limitsOf, pause, signal }: LimitParts,
  { organizationId, operation }: { organizationId: string; operation: OperationName },
  isTurnOver: () => Promise<boolean>,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const { [operation]: limit } = await limitsOf(organizationId);
    const state = await limiter.take(bucketName(operation, organizationId), limit);
    if (state.accepted && state.remaining >= Math.floor(state.limit / reservedShare)) return;
    if (await isTurnOver()) throw new UploadLost();
    const untilResetMs = state.resetAtSeconds * 1_000 - nowMs();
    await pause(Math.min(longestWaitMs, Math.max(shortestWaitMs, untilResetMs)));
    signal.throwIfAborted();
    if (state.accepted) return;
  }
}
