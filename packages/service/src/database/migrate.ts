import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type pg from "pg";
import { holdingSchemaLock } from "./schema-lock.js";
import { databaseTrouble } from "./sqlstate.js";

/**
 * Numbered SQL files, forward only. Several instances may start at the same moment: an advisory lock lets one of them
 * migrate while the others wait. A file that was applied must never change again; a database that was migrated by a
 * newer release is refused.
 */
export interface Migration {
  number: number;
  name: string;
  sql: string;
  checksum: string;
}

export class SchemaError extends Error {
  override name = "SchemaError";
}

const migrationsFolder = new URL("../../migrations/", import.meta.url);

export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(name.slice(0, 4));
      if (number !== index + 1) throw new SchemaError(`Migration ${name} is out of sequence`);
      // A checkout on Windows may have other line ends; it is the same migration.
      const sql = (await readFile(new URL(name, folder), "utf8")).replaceAll("\r\n", "\n");
      return { number, name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** Brings the database up to date and returns the names of the migrations it applied. */
export async function migrate(connectionString: string, folder = migrationsFolder): Promise<string[]> {
  const migrations = await readMigrations(folder);
  return holdingSchemaLock(connectionString, "gatehouse migrate", async (client) => {
    await client.query(
      "create table if not exists schema_migrations (number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())",
    );
    const pending = pendingMigrations(migrations, await appliedMigrations(client));
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  });
}

/** How the database relates to this release. "foreign": it has tables, but none of ours. */
export type SchemaState = "empty" | "foreign" | "behind" | "current" | "newer";

export async function schemaState(client: pg.Client | pg.Pool): Promise<SchemaState> {
  const { rows } = await client.query<{ ours: boolean; any: boolean }>(
    `select to_regclass('schema_migrations') is not null as ours,
            exists (select from pg_catalog.pg_tables where schemaname = current_schema()) as any`,
  );
  if (!rows[0]?.ours) return rows[0]?.any ? "foreign" : "empty";
  const known = new Set((await ownMigrations()).map(({ name }) => name));
  const applied = (await appliedMigrations(client)).map(({ name }) => name);
  if (applied.some((name) => !known.has(name))) return "newer";
  if (applied.length === known.size) return "current";
  return applied.length === 0 ? "empty" : "behind";
}

/** What to do about a database that is not ready for this release. */
export const schemaRefusals: Record<Exclude<SchemaState, "current">, string> = {
  empty: "The database has no tables yet. Run: gatehouse migrate",
  foreign: "The database has tables, but none of Gatehouse. If it is the right one, run: gatehouse migrate",
  behind: "The database is older than this release. Run: gatehouse migrate",
  newer:
    "The database was migrated by a newer release. Use that release's command, or restore a backup that fits this one.",
};

/** The files do not change while the process runs, and /readyz asks every few seconds. */
let own: Promise<Migration[]> | undefined;
function ownMigrations(): Promise<Migration[]> {
  own ??= readMigrations();
  return own;
}

/** Whether the database has exactly the migrations of this release; /readyz asks. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  return (await schemaState(pool)) === "current";
}

type Applied = Pick<Migration, "number" | "name" | "checksum">;

async function appliedMigrations(client: pg.Client | pg.Pool): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    "select number, name, checksum from schema_migrations order by number",
  );
  return rows;
}

function pendingMigrations(known: Migration[], applied: Applied[]): Migration[] {
  for (const past of applied) {
    const migration = known[past.number - 1];
    if (!migration) {
      throw new SchemaError(
        `The database was migrated by a newer release (it has ${past.name}). Start that release, or restore a backup that fits this one.`,
      );
    }
    if (migration.checksum !== past.checksum) {
      throw new SchemaError(
        `Migration ${past.name} was changed after it was applied. Restore the file as it was.`,
      );
    }
  }
  const done = new Set(applied.map(({ number }) => number));
  return known.filter(({ number }) => !done.has(number));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(migration.sql);
    await client.query("insert into schema_migrations (number, name, checksum) values ($1, $2, $3)", [
      migration.number,
      migration.name,
      migration.checksum,
    ]);
    await client.query("commit");
  } catch (error) {
    // If the server is gone, so is the transaction.
    if (databaseTrouble(error) === "unavailable") throw error;
    await client.query("rollback");
    throw new SchemaError(`Migration ${migration.name} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
