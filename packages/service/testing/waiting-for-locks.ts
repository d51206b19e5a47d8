import pg from "pg";
import { inject } from "vitest";

/**
 * The number of statements of a file's database that wait for a lock. On a cluster they wait on the server with the
 * rows. Queried outside a transaction, because PostgreSQL caches the activity within one.
 */
export async function waitingForLocks({ connectionString }: { connectionString: string }): Promise<number> {
  const database = new URL(connectionString).pathname.slice(1);
  let count = 0;
  for (const server of inject("databaseServers")) count += await waitingOn(server, database);
  return count;
}

async function waitingOn(server: string, database: string): Promise<number> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      "select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'",
      [database],
    );
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}
