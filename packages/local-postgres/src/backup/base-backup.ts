import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Product } from "../product.js";

/** The first checkpoint writes all changed pages from memory to the disk. */
const answerTimeoutMs = 15 * 60_000;
const connectTimeoutMs = 10_000;
/** An advisory lock, because two backups at once would read every file twice. */
const backupLock = 7_165_283_042;

export interface BaseBackup {
  postgresMajor: number;
  /** The session that makes the backup. */
  client: pg.Client;
  /** Ends the backup, once the files are copied. */
  stop(): Promise<CompletedBackup>;
}

export interface CompletedBackup {
  /** Makes PostgreSQL recover from the backup's checkpoint instead of the newest one. */
  label: string;
  /** The WAL segments that make the copied files consistent. */
  logSegments: string[];
}

/**
 * PostgreSQL's low-level API for copying the files of a running cluster. Files may change while they are copied, because the
 * WAL from the first checkpoint to the end of the backup is copied too. Replaying it results in the state at the end. The
 * backup ends with its session.
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
  // The next statement reports a lost server. Without a listener, the event would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await requireNoTablespaces(client);
    await acquireLock(client, backupLock, signal);
    // A replication slot keeps the server from removing WAL. A temporary one ends with the session.
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

/** A restore could not put files outside of the data folder back. */
async function requireNoTablespaces(client: pg.Client): Promise<void> {
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
  // The extra byte, because a position exactly between two segments counts as part of the earlier one.
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

/** How long to wait for another backup to end. */
const lockTimeoutMs = 15 * 60_000;
const lockRetryMs = 500;

/** Takes an advisory lock until the session of the client ends. Polls, because waiting in the server could not be aborted. */
export async function acquireLock(client: pg.ClientBase, lock: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + lockTimeoutMs;
  for (;;) {
    const { rows } = await client.query<{ is_locked: boolean }>(
      "select pg_try_advisory_lock($1) as is_locked",
      [lock],
    );
    if (rows[0]?.is_locked) return;
    if (performance.now() >= deadline)
      throw new Error("Another backup of this database is running. Try again when it has ended.");
    await sleep(lockRetryMs, undefined, { signal });
  }
}
