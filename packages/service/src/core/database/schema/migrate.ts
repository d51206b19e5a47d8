import type pg from "pg";
import { applyMigration, type Connect } from "./apply.js";
import { readLedger } from "./ledger.js";
import { readMigrations } from "./migration-files.js";
import { defaultLockTimeout, type LockTimeout } from "./lock-timeout.js";
import { thisRelease } from "./release.js";
import { OperatorError } from "../../operator-error.js";
import { connectToSchema } from "./schema-lock.js";
import { requireFittingServer } from "./server-requirements.js";
import { compareToRelease, pendingMigrations, schemaRefusal, unknownMigrations } from "./schema-state.js";

export interface MigrateOptions {
  /** The source of migrations. Absent: those of the core and of all features. */
  folders?: readonly URL[];
  release?: string;
  lockTimeout?: Partial<LockTimeout>;
  /** Runs after all migrations. */
  checks?: readonly DatabaseCheck[];
}

export type DatabaseCheck = (client: pg.Client) => Promise<readonly DatabaseNotice[]>;

/** A warning for the operator. */
export interface DatabaseNotice {
  text: string;
  /** Fields for the output of `gatehouse migrate --json`. */
  facts?: Record<string, unknown>;
}

export interface MigrationReport {
  /** Names of the migrations that this call applied. */
  applied: string[];
  /** Migrations of a newer release. This release may run on them, otherwise it would have been rejected. */
  ofNewerRelease: string[];
  notices: DatabaseNotice[];
}

/**
 * Applies pending migrations. If several instances start together, one applies each migration while the others wait.
 * Without pending migrations it only reads.
 */
export async function migrate(
  connectionString: string,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  const { folders, release = thisRelease } = options;
  const lockTimeout = { ...defaultLockTimeout, ...options.lockTimeout };
  const known = await readMigrations(folders);
  const connect: Connect = (settings) => connectToSchema(connectionString, "gatehouse migrate", settings);
  const client = await connect({});
  try {
    await requireFittingServer(client);
    const ledger = (await readLedger(client)) ?? [];
    const state = compareToRelease(known, ledger, release);
    if (state.is === "closed") throw new OperatorError(schemaRefusal(state, release));
    const applied: string[] = [];
    for (const migration of pendingMigrations(known, ledger))
      if (await applyMigration(client, migration, lockTimeout, connect)) applied.push(migration.name);
    const ofNewerRelease = unknownMigrations(known, ledger);
    const notices: DatabaseNotice[] = [];
    for (const check of options.checks ?? []) notices.push(...(await check(client)));
    return { applied, ofNewerRelease, notices };
  } finally {
    await client.end();
  }
}
