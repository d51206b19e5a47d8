import { awaitTurn } from "@gatehouse-parking/local-postgres/backup";
import type pg from "pg";

/** The number of the lock of whoever works in the folder: one at a time, from clearing up to deleting old ones. */
const folderLock = 7_165_283_043;

/** The turn ends with the session of the client. */
export function awaitFolderTurn(client: pg.ClientBase, signal: AbortSignal): Promise<void> {
  return awaitTurn(client, folderLock, signal);
}

/** Does the work if nobody else works in the folder, and otherwise nothing. */
export async function unlessTaken(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ is_ours: boolean }>("select pg_try_advisory_lock($1) as is_ours", [
      folderLock,
    ]);
    if (rows[0]?.is_ours) await work();
  } finally {
    // Closing the connection ends the turn, whatever happened.
    client.release(true);
  }
}
