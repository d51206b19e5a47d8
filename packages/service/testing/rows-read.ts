import type pg from "pg";
import type { Database } from "../src/core/database/pool.js";

/** What PostgreSQL has read. This distinguishes index lookups from table scans. */
export interface RowsRead {
  /** Rows that sequential scans have read. */
  sequential: number;
  /** Entries that index scans have returned. */
  indexed: number;
}

export async function rowsReadBy(
  database: Database,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<RowsRead> {
  await settle(database);
  const before = await rowsRead(database.work, tables);
  await work();
  await settle(database);
  const after = await rowsRead(database.work, tables);
  return { sequential: after.sequential - before.sequential, indexed: after.indexed - before.indexed };
}

/** Since the database was created. */
async function rowsRead(pool: pg.Pool, tables: readonly string[]): Promise<RowsRead> {
  const { rows } = await pool.query<RowsRead>(
    `select pg_stat_force_next_flush(), sum(seq_tup_read)::integer as sequential,
            (select sum(idx_tup_read)::integer from pg_stat_user_indexes where relname = any ($1)) as indexed
     from pg_stat_user_tables where relname = any ($1)`,
    [tables],
  );
  return rows[0] as RowsRead;
}

/** Other sessions see a backend's statistics when it is idle. Querying each connection forces that. */
async function settle(database: Database): Promise<void> {
  for (const pool of [database.work, database.reads, database.console]) {
    const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    for (const client of clients) {
      await client.query("select pg_stat_force_next_flush()");
      client.release();
    }
  }
}
