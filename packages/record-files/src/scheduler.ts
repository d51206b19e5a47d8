import type { Budget } from "@gatehouse-parking/json-text";

/**
 * Lets a reader share the process with other work. Readers call it between pieces and between rows, so a caller can
 * also measure the time, or stop the reading by throwing from `giveWay` or `wait`.
 */
export interface ReadScheduler extends Budget {
  /** Waits for work outside the reader, such as a query or a decompressing thread. */
  wait<T>(work: Promise<T>): Promise<T>;
}

/** Two frames of a screen. */
const maxSliceMs = 32;

/** Yields to the event loop after each time slice. */
export function defaultScheduler(): ReadScheduler {
  let sinceMs = performance.now();
  return {
    get isSpent() {
      return performance.now() - sinceMs > maxSliceMs;
    },
    async giveWay() {
      await new Promise((resolve) => setTimeout(resolve, 0));
      sinceMs = performance.now();
    },
    wait: (work) => work,
  };
}
