import type { Budget } from "@gatehouse-parking/json-text";

/**
 * How reading a file shares the process with other work. Readers look at it between two pieces and between two rows, so
 * that whoever passes it can also count the time, and end the reading by throwing from `giveWay` or `wait`.
 */
export interface Pace extends Budget {
  /** Waits for work that is not the reader's, such as a query or a thread that unpacks. */
  wait<T>(work: Promise<T>): Promise<T>;
}

/** Two frames of a screen. */
const turnMs = 32;

/** The pace of a reader that nobody set another one for. */
export function ownPace(): Pace {
  let sinceMs = performance.now();
  return {
    get isSpent() {
      return performance.now() - sinceMs > turnMs;
    },
    async giveWay() {
      await new Promise((resolve) => setTimeout(resolve, 0));
      sinceMs = performance.now();
    },
    wait: (work) => work,
  };
}
