import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../operator-error.js";

/**
 * A statement that waits for a table lock blocks all later statements on the table, even those that the lock's holder
 * would allow. So a migration waits briefly, gives up to let the others pass, and retries.
 */
export interface LockTimeout {
  /** How long a statement waits for a lock, and so how long imports may wait behind it. */
  lockWaitMs: number;
  /** The time limit for all attempts to begin. */
  totalMs: number;
  /** Called once with the reason if something blocks. */
  onWait?: (reason: string) => void;
}

export const defaultLockTimeout: LockTimeout = { lockWaitMs: 1_000, totalMs: 120_000 };

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** Retries `attempt` until nothing blocks it. A failed attempt changes nothing. */
export async function retryWhileLocked<T>(
  whatHappened: string,
  { totalMs, onWait }: LockTimeout,
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
          `${whatHappened}: for ${Math.round(totalMs / 1_000)} seconds, ${error.message}. Retry when it has finished.`,
          { cause: error },
        );
      tell?.(error.message);
      tell = undefined;
      await sleep(pauseMs);
    }
  }
}
