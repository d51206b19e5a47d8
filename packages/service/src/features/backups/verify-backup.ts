import { withTemporaryRestore, type RestoreReport } from "@gatehouse-parking/local-postgres/backup";
import pg from "pg";
import { backupKind, type BackupFacts } from "../../core/database/backup-kind.js";

/** A test restore that takes longer fails. */
const maxDurationMs = 3 * 3_600_000;
const connectTimeoutMs = 10_000;

/** Small, because one connection reads it, and the service needs the resources of the machine. */
const serverSettings = {
  shared_buffers: "32MB",
  max_connections: "10",
  max_wal_size: "64MB",
  min_wal_size: "32MB",
  autovacuum: "off",
  jit: "off",
};

export interface VerifyReport {
  tables: number;
  rows: number;
}

/**
 * Restores a backup completely, compares its checksum, starts PostgreSQL on it, compares schema and number of organizations
 * with the manifest, and reads every row of every table, for which PostgreSQL checks the checksum of each page. It does not
 * read indexes or compare rows with each other, as `gatehouse verify` does.
 */
export async function verifyBackup(
  file: string,
  options: { folderPrefix: string; signal: AbortSignal; maxMs?: number },
): Promise<VerifyReport> {
  const { folderPrefix, signal, maxMs = maxDurationMs } = options;
  const timeout = AbortSignal.timeout(maxMs);
  try {
    return await withTemporaryRestore(
      backupKind,
      { file, folderPrefix, settings: serverSettings, signal: AbortSignal.any([signal, timeout]) },
      readAll,
    );
  } catch (error) {
    if (timeout.aborted && !signal.aborted)
      throw new Error(`restoring and reading it took longer than ${maxMs / 60_000} minutes`, {
        cause: error,
      });
    throw error;
  }
}

async function readAll(
  connectionString: string,
  expected: RestoreReport<BackupFacts>,
): Promise<VerifyReport> {
  const client = new pg.Client({
    connectionString,
    application_name: "gatehouse backup verification",
    connectionTimeoutMillis: connectTimeoutMs,
    // Reads tables instead of indexes, in one process.
    options:
      "-c default_transaction_read_only=on -c enable_indexonlyscan=off -c enable_indexscan=off " +
      "-c enable_bitmapscan=off -c max_parallel_workers_per_gather=0",
  });
  // The running statement reports a lost connection. Without a listener, the event would end the process.
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
    // Tables, TOAST tables and materialized views.
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
