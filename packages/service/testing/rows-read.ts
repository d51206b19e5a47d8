import type pg from "pg";

/** What PostgreSQL has read to do something: it tells a look-up by index from one that goes through a table. */
export interface RowsRead {
  /** Rows that sequential scans have read. */
  sequential: number;
  /** Entries that index scans have returned. */
  indexed: number;
}

export async function rowsReadBy(
  pool: pg.Pool,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<RowsRead> {
  await settle(pool);
  const before = await rowsRead(pool, tables);
  await work();
  await settle(pool);
  const after = await rowsRead(pool, tables);
  return { sequential: after.sequential - before.sequential, indexed: after.indexed - before.indexed };
}

/** Since the database began. */
async function rowsRead(pool: pg.Pool, tables: readonly string[]): Promise<RowsRead> {
  const { rows } = await pool.query<RowsRead>(
    `select pg_stat_force_next_flush(), sum(seq_tup_read)::integer as sequential,
            (select sum(idx_tup_read)::integer from pg_stat_user_indexes where relname = any ($1)) as indexed
     from pg_stat_user_tables where relname = any ($1)`,
    [tables],
  );
  return rows[0] as RowsRead;
}

/** Statistics of a backend reach the others when it is idle; asking each connection makes it so. */
async function settle(pool: pg.Pool): Promise<void> {
  const clients = await Promise.all(Array.from({ length: 8 }, () => pool.connect()));
  for (const client of clients) {
    await client.query("select pg_stat_force_next_flush()");
    client.release();
  }
}
