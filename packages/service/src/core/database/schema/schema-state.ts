import type pg from "pg";
import { minimumRelease, readLedger, type Applied } from "./ledger.js";
import { readMigrations, type Migration } from "./migration-files.js";
import { isOlderRelease, thisRelease } from "./release.js";
import { OperatorError } from "../../operator-error.js";

/**
 * How the schema relates to this release. A release works on its own schema and on the next one's, so a database
 * migrated by a newer release can be used until a migration excludes older releases. See docs/decisions/0016.
 */
export type SchemaState =
  /**
   * "foreign": it has tables, but none of Gatehouse. "newer": a newer release has migrated it, and this one may still
   * run on it.
   */
  { is: "empty" | "foreign" | "behind" | "current" | "newer" } | { is: "closed"; minimumRelease: string };

export async function schemaState(client: pg.Client | pg.Pool, release = thisRelease): Promise<SchemaState> {
  const applied = await readLedger(client);
  if (!applied) return { is: (await hasTables(client)) ? "foreign" : "empty" };
  return compareToRelease(await ownMigrations(), applied, release);
}

export function compareToRelease(
  known: readonly Migration[],
  applied: readonly Applied[],
  release: string,
): SchemaState {
  const minimum = minimumRelease(applied);
  if (minimum !== undefined && isOlderRelease(release, minimum))
    return { is: "closed", minimumRelease: minimum };
  if (applied.length === 0) return { is: "empty" };
  const names = new Set(applied.map(({ name }) => name));
  if (known.some(({ name }) => !names.has(name))) return { is: "behind" };
  return { is: unknownMigrations(known, applied).length > 0 ? "newer" : "current" };
}

/** What to do if this release cannot use the database. Undefined: it can. */
export function schemaRefusal(state: SchemaState, release = thisRelease): string | undefined {
  switch (state.is) {
    case "empty":
      return "The database has no tables yet. Run: gatehouse migrate";
    case "foreign":
      return "The database has tables, but not those of Gatehouse. If it is the right database, run: gatehouse migrate";
    case "behind":
      return "The database is older than this release. Run: gatehouse migrate";
    case "closed":
      return `The database was migrated to a state that releases before ${state.minimumRelease} cannot work on, and this is ${release}. Start ${state.minimumRelease} or later, or restore a backup that fits this release.`;
    case "current":
    case "newer":
      return undefined;
  }
}

/** Pending migrations, in order. */
export function pendingMigrations(known: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const byNumber = new Map(known.map((migration) => [migration.number, migration]));
  for (const past of applied) {
    const migration = byNumber.get(past.number);
    if (migration && migration.checksum !== past.checksum)
      throw new OperatorError(
        `Migration ${past.name} was changed after it was applied. Restore the file as it was.`,
      );
  }
  const done = new Set(applied.map(({ number }) => number));
  const pending = known.filter(({ number }) => !done.has(number));
  const later = unknownMigrations(known, applied);
  if (pending.length > 0 && later.length > 0)
    throw new OperatorError(
      `The database has ${later.join(", ")} of another release, but not ${pending[0]?.name} of this one. Run the migrate command of that release.`,
    );
  return pending;
}

/**
 * Migrations that a newer release has applied: their numbers are above all known ones. A smaller unknown number
 * belongs to a removed feature, whose tables stay.
 */
export function unknownMigrations(known: readonly Migration[], applied: readonly Applied[]): string[] {
  const last = Math.max(0, ...known.map(({ number }) => number));
  return applied.filter(({ number }) => number > last).map(({ name }) => name);
}

/** The files do not change while the process runs, and /readyz checks every few seconds. */
let own: Promise<Migration[]> | undefined;
function ownMigrations(): Promise<Migration[]> {
  own ??= readMigrations();
  return own;
}

async function hasTables(client: pg.Client | pg.Pool): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "select exists (select from pg_catalog.pg_tables where schemaname = current_schema()) as found",
  );
  return rows[0]?.found ?? false;
}
