import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Product } from "../product.js";
import { awaitTurn } from "./back-up.js";

/** The first checkpoint writes all that is in memory, which takes as long as the disk takes. */
const answerTimeoutMs = 15 * 60_000;
const connectTimeoutMs = 10_000;
/** The number of the lock of whoever makes a backup: one at a time, because two would read every file twice. */
const backupLock = 7_165_283_042;

export interface BaseBackup {
  postgresMajor: number;
  /** The session that makes the backup, for whoever wants to note something of the database with it. */
  client: pg.Client;
  /** Ends the backup, once the files are copied. */
  stop(): Promise<CompletedBackup>;
}

export interface CompletedBackup {
  /** What makes PostgreSQL begin at the backup's checkpoint instead of the newest one that it finds. */
  label: string;
  /** The segments of the log without which the copied files are of different moments. */
  logSegments: string[];
}

/**
 * PostgreSQL's low-level interface for copying the files of a running cluster. The files may change under the copy in
 * any way, as long as the log from the checkpoint at the beginning to the mark at the end is copied too: replaying it
 * makes one consistent state of them, that of the end. It is one session's backup, and ends if the session does.
 */
export async function withBaseBackup<T>(
  connectionString: string,
  { identifier }: Product,
  signal: AbortSignal,
  work: (backup: BaseBackup) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString,
    application_name: `${identifier} backup`,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
  });
  // A server that goes away is reported by the next statement; without a listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await refuseTablespaces(client);
    await awaitTurn(client, backupLock, signal);
    // The server removes old parts of the log, but not what a slot reserves. A temporary one goes with the session.
    const name = `${identifier}_backup_${randomBytes(6).toString("hex")}`;
    await client.query("select pg_create_physical_replication_slot($1, true, true)", [name]);
    const { major } = await one<{ major: number }>(
      client,
      "select current_setting('server_version_num')::int / 10000 as major",
    );
    const start = await one<{ lsn: string }>(
      client,
      "select pg_backup_start($1, fast => true)::text as lsn",
      [`${identifier} backup`],
    );
    return await work({
      postgresMajor: major,
      client,
      async stop() {
        const end = await one<{ lsn: string; label: string }>(
          client,
          "select lsn::text, labelfile as label from pg_backup_stop(wait_for_archive => false)",
        );
        return { label: end.label, logSegments: await logSegments(client, start.lsn, end.lsn) };
      },
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** They lie outside of the data folder, where a restore could not put them back. */
async function refuseTablespaces(client: pg.Client): Promise<void> {
  const { count } = await one<{ count: number }>(
    client,
    "select count(*)::int as count from pg_tablespace where spcname not in ('pg_default', 'pg_global')",
  );
  if (count > 0)
    throw new Error(
      "The database has tablespaces outside of the data folder. Back it up with pg_basebackup.",
    );
}

async function logSegments(client: pg.Client, start: string, end: string): Promise<string[]> {
  // A position exactly between two segments is taken for the earlier one, hence the extra byte.
  const { rows } = await client.query<{ name: string }>(
    `with segment as (select pg_size_bytes(current_setting('wal_segment_size')) as size)
     select pg_walfile_name('0/0'::pg_lsn + (number * size + 1)) as name
     from segment, generate_series(floor(($1::pg_lsn - '0/0') / size), floor(($2::pg_lsn - '0/0' - 1) / size)) as number
     order by number`,
    [start, end],
  );
  return rows.map(({ name }) => name);
}

async function one<Row extends pg.QueryResultRow>(
  client: pg.Client,
  statement: string,
  values: unknown[] = [],
): Promise<Row> {
  const { rows } = await client.query<Row>(statement, values);
  return rows[0] as Row;
}
