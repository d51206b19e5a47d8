import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** How long to wait for another backup to end. */
const turnTimeoutMs = 15 * 60_000;
const turnIntervalMs = 500;

/**
 * Takes an advisory lock of this number, which goes with the session of the client however that ends. It is asked for again
 * and again instead of waited for in the server, where a signal would not be noticed.
 */
export async function awaitTurn(client: pg.ClientBase, lock: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + turnTimeoutMs;
  for (;;) {
    const { rows } = await client.query<{ is_ours: boolean }>("select pg_try_advisory_lock($1) as is_ours", [
      lock,
    ]);
    if (rows[0]?.is_ours) return;
    if (performance.now() >= deadline)
      throw new Error("Another backup of this database is being made. Try again when it has ended.");
    await sleep(turnIntervalMs, undefined, { signal });
  }
}
