import type pg from "pg";
import { parseTimestamp } from "@gatehouse-parking/contract";

/**
 * The time of the database, which all instances share. Identifiers and times are compared across instances, and the clock
 * of a machine may be wrong or change while the service runs. So the service queries the database's clock regularly, and
 * adds the monotonic clock in between.
 */
const askIntervalMs = 30_000;
/** The fastest answer is the most exact, so the start queries several times. */
const initialQueries = 5;

/** The database's time at the origin of the monotonic clock. */
let originMs: number | undefined;

/** Milliseconds since 1970. Uses the machine's clock until the database was queried. */
export function nowMs(): number {
  return originMs === undefined ? Date.now() : Math.floor(originMs + performance.now());
}

/** Follows the clock of this database until the returned function is called. */
export async function followDatabaseClock(
  pool: pg.Pool,
  onFailure: (error: unknown) => void,
): Promise<() => void> {
  try {
    for (let count = 0; count < initialQueries; count += 1) await ask(pool);
  } catch (error) {
    onFailure(error);
  }
  const timer = setInterval(() => void ask(pool).catch(onFailure), askIntervalMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    originMs = undefined;
  };
}

/**
 * The database read its clock at some moment between query and answer. The estimate moves only as far as that interval
 * requires, so a slow answer changes nothing and a fast one corrects it.
 */
async function ask(pool: pg.Pool): Promise<void> {
  const askedMs = performance.now();
  const { rows } = await pool.query<{ ms: string }>(
    "select extract(epoch from clock_timestamp()) * 1000 as ms",
  );
  const databaseMs = Number(rows[0]?.ms);
  const earliest = databaseMs - performance.now();
  const latest = databaseMs - askedMs;
  originMs = Math.min(latest, Math.max(earliest, originMs ?? (earliest + latest) / 2));
}

/** Parses a timestamp that a schema has already validated. */
export function momentOf(text: string): Date;
export function momentOf(text: string | undefined): Date | undefined;
export function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(parseTimestamp(text) ?? Number.NaN);
}
