import type pg from "pg";
import { areOthersWaiting, type Claim } from "../queue.js";

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
