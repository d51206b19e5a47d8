import type pg from "pg";

/**
 * What time it is: by the database, whose clock all instances share. Identifiers and times of runs, leads and keys are
 * compared across instances, and the clock of a machine may be hours off, or be set while the service runs. So the
 * database is asked now and then, and in between a clock counts that nobody sets.
 */
const askIntervalMs = 30_000;
/** An answer that was longer on its way says too little. */
const maxRoundTripMs = 1_000;

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
  await ask(pool).catch(onFailure);
  const timer = setInterval(() => void ask(pool).catch(onFailure), askIntervalMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    originMs = undefined;
  };
}

async function ask(pool: pg.Pool): Promise<void> {
  const askedMs = performance.now();
  const { rows } = await pool.query<{ ms: string }>(
    "select extract(epoch from clock_timestamp()) * 1000 as ms",
  );
  const roundTripMs = performance.now() - askedMs;
  if (originMs !== undefined && roundTripMs > maxRoundTripMs) return;
  originMs = Number(rows[0]?.ms) - askedMs - roundTripMs / 2;
}
