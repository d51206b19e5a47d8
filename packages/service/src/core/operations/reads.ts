import type pg from "pg";
import { Turns } from "../scheduling/turns.js";

/** The reads of the published interface. One organization, however much it asks for, leaves half of the connections to the others. */
export interface Reads {
  /** Waits for a turn of the organization; refused as 503 if there is none in time. */
  inTurn<T>(organizationId: string, read: (pool: pg.Pool) => Promise<T>): Promise<T>;
}

const waitingRoom = { maxWaiting: 1_000, maxWaitMs: 5_000 };

export function createReads(pool: pg.Pool): Reads {
  const overall = pool.options.max;
  const turns = new Turns({ perKey: Math.max(1, Math.floor(overall / 2)), overall, ...waitingRoom });
  return { inTurn: (organizationId, read) => turns.take(organizationId, () => read(pool)) };
}
