import type pg from "pg";
import { KeyedSemaphore } from "../scheduling/keyed-semaphore.js";

/** Limits the API's concurrent reads. One organization leaves half of the connections to the others. */
export class Reads extends KeyedSemaphore {
  readonly pool: pg.Pool;

  constructor(pool: pg.Pool) {
    const overall = pool.options.max;
    super({ perKey: Math.max(1, Math.floor(overall / 2)), overall, maxWaiting: 1_000, maxWaitMs: 5_000 });
    this.pool = pool;
  }
}
