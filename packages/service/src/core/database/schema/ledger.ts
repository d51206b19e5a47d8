import type pg from "pg";
import { isOlderRelease, thisRelease } from "./release.js";
import type { Migration } from "./migration-files.js";

/**
 * What was applied to the database. Release 1.0.0 knows one table, schema_migrations, and takes a line in it that it
 * does not know for a database that it must not touch. So that table stays as it was, and what came later stands in
 * applied_migrations, which 0009 makes. Only a migration that 1.0.0 cannot live with stands in both, and so tells it.
 */
export const lastOfFirstRelease = 8;
const firstRelease = "1.0.0";

export type Applied = Pick<Migration, "number" | "name" | "checksum" | "minimumRelease">;

/** Undefined: the database is not ours, or nothing was ever applied to it. */
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

/** The oldest release that may still run; undefined if every one may. */
export function minimumRelease(applied: readonly Applied[]): string | undefined {
  return applied
    .flatMap((migration) => migration.minimumRelease ?? [])
    .reduce<string | undefined>(
      (highest, one) => (highest !== undefined && isOlderRelease(one, highest) ? highest : one),
      undefined,
    );
}

/** Makes the first table, which no migration makes. Whoever asks holds the lock. */
export async function prepareLedger(client: pg.ClientBase): Promise<void> {
  await client.query(
    "create table if not exists schema_migrations (number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())",
  );
}

/** In the transaction of the migration itself, so that it is recorded if and only if it was applied. */
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
