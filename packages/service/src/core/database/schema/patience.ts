import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../operator-error.js";

/**
 * A statement that waits for a lock on a table makes everybody wait who comes after it, even those whom the holder of
 * the lock would not hinder. So a migration waits briefly, steps aside to let the others pass, and tries again.
 */
export interface Patience {
  /** How long a single statement waits for a lock, and so how long imports may have to wait behind it. */
  lockWaitMs: number;
  /** How long all attempts together may take to begin. */
  totalMs: number;
  /** Told what is in the way, once, if something is. */
  onWait?: (reason: string) => void;
}

export const defaultPatience: Patience = { lockWaitMs: 1_000, totalMs: 120_000 };

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** Calls `attempt` until nothing is in its way. Every attempt leaves nothing behind if it fails. */
export async function withPatience<T>(
  whatHappened: string,
  { totalMs, onWait }: Patience,
  attempt: () => Promise<T>,
): Promise<T> {
  const deadlineMs = performance.now() + totalMs;
  let tell = onWait;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof OperatorError && error.retry)) throw error;
      if (error.retry === "soon") pauseMs = firstPauseMs;
      if (performance.now() + pauseMs > deadlineMs)
        throw new OperatorError(
          `${whatHappened}: for ${Math.round(totalMs / 1_000)} seconds, ${error.message}. Run it again when that is over.`,
          { cause: error },
        );
      tell?.(error.message);
      tell = undefined;
      await sleep(pauseMs);
    }
  }
}
