import type pg from "pg";
import { othersWait, type Claim } from "../queue.js";

/** After this long it is the turn of another organization, if one waits. Going on with a file means to read it again. */
const turnMs = 60_000;

/** Tells from now on whether the turn is over. */
export function beginTurn(pool: pg.Pool, claim: Claim): () => Promise<boolean> {
  const startedAtMs = performance.now();
  return async () => performance.now() - startedAtMs > turnMs && othersWait(pool, claim);
}
