import type pg from "pg";
import { parseTimestamp } from "@gatehouse-parking/contract";

/**
 * What time it is: by the database, whose clock all instances share. Identifiers and times of runs, leads and keys are
 * compared across instances, and the clock of a machine may be hours off, or be set while the service runs. So the
 * database is asked now and then, and in between a clock counts that nobody sets.
 */
const askIntervalMs = 30_000;
/** Even on a busy machine one of several answers comes quickly, and the quickest is the most exact. */
const firstQuestions = 5;

/** What the database's clock showed when ours, which counts from the start of the process, began. */
let originMs: number | undefined;

/** Milliseconds since 1970. By the machine's clock as long as no database was asked. */
export function nowMs(): number {
  return originMs === undefined ? Date.now() : Math.floor(originMs + performance.now());
}

/** Goes by the clock of this database until the function that it returns is called. */
export async function followDatabaseClock(
  pool: pg.Pool,
  onFailure: (error: unknown) => void,
): Promise<() => void> {
  try {
    for (let count = 0; count < firstQuestions; count += 1) await ask(pool);
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
 * The database looked at its clock at some moment between question and answer. What we take for its time is changed only
 * as far as that contradicts it, so a slow answer changes nothing and a quick one corrects to within its own time.
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

/** The moment that a text names. A schema has already checked the text. */
export function momentOf(text: string): Date;
export function momentOf(text: string | undefined): Date | undefined;
export function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(parseTimestamp(text) ?? Number.NaN);
}
