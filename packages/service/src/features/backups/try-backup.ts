import { tryRestore, type RestoreReport } from "@gatehouse-parking/local-postgres/backup";
import pg from "pg";
import { backupKind, type BackupFacts } from "../../core/database/backup-kind.js";

/** A trial that takes longer is given up; the backup then counts as not restored. */
export const trialLimitMs = 3 * 3_600_000;
const connectTimeoutMs = 10_000;

/** Few of everything: it is asked by one connection, beside a service that needs the machine more. */
const trialSettings = {
  shared_buffers: "32MB",
  max_connections: "10",
  max_wal_size: "64MB",
  min_wal_size: "32MB",
  autovacuum: "off",
  jit: "off",
};

export interface TrialReport {
  tables: number;
  rows: number;
}

/**
 * Whether a backup can be restored: it is, all of it, with its checksum compared; a PostgreSQL starts on it and replays the
 * log; the schema and the organizations are those that the manifest names; and every row of every table is read once, of
 * which PostgreSQL compares the checksum of each page. Indexes are not read, nor are rows compared with each other, as
 * `gatehouse verify` does.
 */
export async function tryBackup(
  file: string,
  options: { folderPrefix: string; signal: AbortSignal; limitMs?: number },
): Promise<TrialReport> {
  const { folderPrefix, signal, limitMs = trialLimitMs } = options;
  const tooLong = AbortSignal.timeout(limitMs);
  try {
    return await tryRestore(
      backupKind,
      { file, folderPrefix, settings: trialSettings, signal: AbortSignal.any([signal, tooLong]) },
      readAll,
    );
  } catch (error) {
    if (tooLong.aborted && !signal.aborted)
      throw new Error(`restoring and reading it took longer than ${limitMs / 60_000} minutes`, {
        cause: error,
      });
    throw error;
  }
}

async function readAll(connectionString: string, expected: RestoreReport<BackupFacts>): Promise<TrialReport> {
  const client = new pg.Client({
    connectionString,
    application_name: "gatehouse backup trial",
    connectionTimeoutMillis: connectTimeoutMs,
    // The table itself is to be read, and not an index in its place; by one process.
    options:
      "-c default_transaction_read_only=on -c enable_indexonlyscan=off -c enable_indexscan=off " +
      "-c enable_bitmapscan=off -c max_parallel_workers_per_gather=0",
  });
  // A connection that is lost fails the statement at work; as an event without a listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const found = await backupKind.readFacts(client);
    if (found.schemaVersion < expected.schemaVersion)
      throw new Error(
        `its schema is ${found.schemaVersion}, and the manifest says ${expected.schemaVersion}`,
      );
    const organizations = { found: found.organizations ?? 0, expected: expected.organizations ?? 0 };
    if (organizations.found < organizations.expected)
      throw new Error(
        `it has ${organizations.found} organizations, and there were ${organizations.expected} when it was made`,
      );
    // Tables, what is too long for them (toast), and materialized views.
    const { rows: tables } = await client.query<{ name: string }>(
      "select oid::regclass::text as name from pg_class where relkind in ('r', 't', 'm') and relpersistence = 'p'",
    );
    let rows = 0;
    for (const { name } of tables) {
      // The name is quoted by PostgreSQL.
      const counted = await client.query<{ count: string }>(`select count(*)::text as count from ${name}`);
      rows += Number(counted.rows[0]?.count);
    }
    return { tables: tables.length, rows };
  } finally {
    await client.end().catch(() => undefined);
  }
}
