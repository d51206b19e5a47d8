import type pg from "pg";
import { applyMigration, type Connect } from "./apply.js";
import { readLedger } from "./ledger.js";
import { readMigrations } from "./migration-files.js";
import { defaultPatience, type Patience } from "./patience.js";
import { thisRelease } from "./release.js";
import { OperatorError } from "../../operator-error.js";
import { connectToSchema } from "./schema-lock.js";
import { requireFittingServer } from "./server-requirements.js";
import { compareToRelease, pendingMigrations, schemaRefusal, unknownMigrations } from "./schema-state.js";

export interface MigrateOptions {
  /** Where migrations are read from. Absent: those of the core and of all features. */
  folders?: readonly URL[];
  release?: string;
  patience?: Partial<Patience>;
  /** Run on the database once it is up to date. */
  checks?: readonly DatabaseCheck[];
}

export type DatabaseCheck = (client: pg.Client) => Promise<readonly DatabaseNotice[]>;

/** Something that the operator should change. */
export interface DatabaseNotice {
  text: string;
  /** Fields of what `gatehouse migrate --json` prints. */
  facts?: Record<string, unknown>;
}

export interface MigrationReport {
  /** The names of the migrations that this call applied. */
  applied: string[];
  /** Those that only a newer release knows. This one may run on them, or it would have been refused. */
  ofNewerRelease: string[];
  notices: DatabaseNotice[];
}

/**
 * Brings the database up to date. Several instances may start at the same moment: each migration is applied by one of
 * them, while the others wait. Where there is nothing to do, it only reads.
 */
export async function migrate(
  connectionString: string,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  const { folders, release = thisRelease } = options;
  const patience = { ...defaultPatience, ...options.patience };
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
      if (await applyMigration(client, migration, patience, connect)) applied.push(migration.name);
    const ofNewerRelease = unknownMigrations(known, ledger);
    const notices: DatabaseNotice[] = [];
    for (const check of options.checks ?? []) notices.push(...(await check(client)));
    return { applied, ofNewerRelease, notices };
  } finally {
    await client.end();
  }
}
