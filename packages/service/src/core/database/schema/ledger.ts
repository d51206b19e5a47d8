import type pg from "pg";
import { isOlderRelease, thisRelease } from "./release.js";
import type { Migration } from "./migration-files.js";

/**
 * The applied migrations. Release 1.0.0 reads the table schema_migrations and rejects a database with a row that it
 * does not know. So that table stays unchanged, and later migrations are recorded in applied_migrations, which
 * migration 0009 creates. A migration that 1.0.0 cannot run with is recorded in both.
 */
export const lastOfFirstRelease = 8;
const firstRelease = "1.0.0";

export type Applied = Pick<Migration, "number" | "name" | "checksum" | "minimumRelease">;

/** Undefined: not a Gatehouse database, or no migration was ever applied. */
export async function readLedger(client: pg.ClientBase | pg.Pool): Promise<Applied[] | undefined> {
  const { rows: tables } = await client.query<{ first: boolean; later: boolean }>(
    `select to_regclass('schema_migrations') is not null as first,
            to_regclass('applied_migrations') is not null as later`,
  );
  if (!tables[0]?.first) return undefined;
  const first = `select number, name, checksum, null as "minimumRelease" from schema_migrations where number <= ${lastOfFirstRelease}`;
  const later = `select number, name, checksum, minimum_release as "minimumRelease" from applied_migrations`;
  const { rows } = await client.query<Applied & { minimumRelease: string | null }>(
    `${tables[0].later ? `${first} union all ${later}` : first} order by number`,
  );
  return rows.map((row) => ({ ...row, minimumRelease: row.minimumRelease ?? undefined }));
}

/** The oldest release that may still run. Undefined: all may. */
export function minimumRelease(applied: readonly Applied[]): string | undefined {
  return applied
    .flatMap((migration) => migration.minimumRelease ?? [])
    .reduce<string | undefined>(
      (highest, one) => (highest !== undefined && isOlderRelease(one, highest) ? highest : one),
      undefined,
    );
}

/** Creates the first table, which no migration creates. The caller holds the lock. */
export async function prepareLedger(client: pg.ClientBase): Promise<void> {
  await client.query(
    "create table if not exists schema_migrations (number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())",
  );
}

/** Runs in the migration's transaction, so that it is recorded if and only if it was applied. */
export async function record(client: pg.ClientBase, migration: Migration): Promise<void> {
  const { number, name, checksum, minimumRelease } = migration;
  const endsFirstRelease = minimumRelease !== undefined && isOlderRelease(firstRelease, minimumRelease);
  if (number <= lastOfFirstRelease || endsFirstRelease)
    await client.query("insert into schema_migrations (number, name, checksum) values ($1, $2, $3)", [
      number,
      name,
      checksum,
    ]);
  if (number > lastOfFirstRelease)
    await client.query(
      "insert into applied_migrations (number, name, checksum, minimum_release, applied_by) values ($1, $2, $3, $4, $5)",
      [number, name, checksum, minimumRelease ?? null, thisRelease],
    );
}
