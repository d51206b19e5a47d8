import type pg from "pg";
import { othersWait, type Claim } from "../queue.js";

/** How long a file is imported before another organization's upload comes first, if one waits. Resuming means to read the file again. */
const turnMs = 60_000;
/**
 * How long a file is read towards its first batch before another organization's upload comes first. What was read is then lost, so
 * each further attempt has twice the time of the one before.
 */
const firstBatchMs = 15_000;
/** How often the queue is asked while a file is read towards its first batch. */
const watchMs = 1_000;

/** The time that a worker spends on an upload before it gives way to other organizations. */
export class Turn {
  readonly #pool: pg.Pool;
  readonly #claim: Claim;
  readonly #over = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #startedAtMs = performance.now();
  #limitMs: number;

  constructor(pool: pg.Pool, claim: Claim) {
    this.#pool = pool;
    this.#claim = claim;
    this.#limitMs = firstBatchMs * 2 ** (claim.claims - 1);
    this.#timer = setInterval(() => void this.#watch(), watchMs);
    this.#timer.unref();
  }

  /** Aborted if the turn is over before the first batch was read. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** From here on the upload gives way between two batches only. */
  beginBatches(): void {
    this.end();
    this.#startedAtMs = performance.now();
    this.#limitMs = turnMs;
  }

  async isOver(): Promise<boolean> {
    return performance.now() - this.#startedAtMs > this.#limitMs && othersWait(this.#pool, this.#claim);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async #watch(): Promise<void> {
    // A query that fails is tried again a second later.
    if (await this.isOver().catch(() => false)) this.#over.abort();
  }
}
