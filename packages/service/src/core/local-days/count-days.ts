import type pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { setLockTimeout, transaction } from "../database/transaction.js";

/** Exact decimal sums. Refunds are separate records, so they are summed separately. */
export const sumsOfTransactions = `
  count(*) as transactions,
  coalesce(sum(amount_total) filter (where is_refunded is not true), 0) as revenue,
  coalesce(sum(amount_total) filter (where is_refunded), 0) as refunded`;

/** The structure of `totals` of a day. */
export const totalsColumns = "location_id uuid, transactions bigint, revenue numeric, refunded numeric";

/** The number of imports that did not record their changed days. `turn`: the row of import_turns. */
export const untoldRuns = "(turn.run_count - turn.told_run_count)";

/** Whether the totals of a day are current. If all days with transactions are known, the other days have none. */
export const isKept = `
  (turn.days_known_for is not distinct from ${untoldRuns}
   and (local_day.local_date is null or coalesce(local_day.counted_in >= local_day.changed_in, false)))`;

/** Eleven years. With more days, totals are computed on each request. */
const maxKnownDays = 4_000;
const maxDaysPerVisit = 400;
const lowestDate = "-infinity";
/** Short, so that imports never wait behind a count. */
const lockTimeout = "250ms";

/**
 * Updates the totals of changed days, so that the console does not have to add up a whole month. It takes no
 * lock: a day that changes meanwhile is marked as changed again.
 */
export async function countChangedDays(pool: pg.Pool, organizationId: string): Promise<void> {
  await findDays(pool, organizationId);
  const { rows } = await pool.query<{ local_date: string }>(
    `select local_date from local_days
     where organization_id = $1 and coalesce(counted_in < changed_in, true)
     order by local_date desc limit ${maxDaysPerVisit}`,
    [organizationId],
  );
  for (const { local_date: date } of rows) {
    const begunMs = performance.now();
    await countDay(pool, organizationId, date);
    // Leaves at least half of the time for other queries.
    await sleep(performance.now() - begunMs, undefined, { ref: false });
  }
}

const totalsOfDay = `
  select turn.change_count, coalesce(day.totals, '[]') as totals
  from import_turns as turn
  cross join lateral (
    select json_agg(of_location) as totals from (
      select location_id, ${sumsOfTransactions} from transactions
      where organization_id = $1 and local_date = $2::date
      group by location_id
    ) as of_location
  ) as day
  where turn.organization_id = $1`;

async function countDay(pool: pg.Pool, organizationId: string, date: string): Promise<void> {
  const { rows } = await pool.query<{ change_count: number; totals: string }>(totalsOfDay, [
    organizationId,
    date,
  ]);
  const [counted] = rows;
  if (!counted) return;
  await pool.query(
    `update local_days set totals = $3, counted_in = $4
     where organization_id = $1 and local_date = $2::date and coalesce(counted_in < $4, true)`,
    [organizationId, date, counted.totals, counted.change_count],
  );
}

/**
 * Finds all days with transactions, because imports of the previous release and imported exports did not
 * record them.
 */
async function findDays(pool: pg.Pool, organizationId: string): Promise<void> {
  const { rows } = await pool.query<{ untold: number; is_known: boolean }>(
    `select ${untoldRuns} as untold, turn.days_known_for is not distinct from ${untoldRuns} as is_known
     from import_turns as turn where turn.organization_id = $1`,
    [organizationId],
  );
  const [turn] = rows;
  if (!turn || turn.is_known) return;
  const dates = await datesWithTransactions(pool, organizationId);
  if (dates.length > maxKnownDays) return;
  await transaction(pool, async (client) => {
    for (const { text } of setLockTimeout(lockTimeout)) await client.query(text);
    // Transactions that record changed days hold this lock, so there is no deadlock.
    await client.query("select from import_turns where organization_id = $1 for no key update", [
      organizationId,
    ]);
    await client.query(
      `insert into local_days (organization_id, local_date, changed_in)
       select $1::uuid, day::date, 0 from json_array_elements_text($2) as found (day)
       on conflict do nothing`,
      [organizationId, JSON.stringify(dates)],
    );
    await client.query(
      `update local_days set changed_in = turn.change_count + 1
       from import_turns as turn where local_days.organization_id = $1 and turn.organization_id = $1`,
      [organizationId],
    );
    await client.query(
      `update import_turns set change_count = change_count + 1, days_known_for = $2
       where organization_id = $1`,
      [organizationId, turn.untold],
    );
  });
}

/** At most one more than maxKnownDays. */
async function datesWithTransactions(pool: pg.Pool, organizationId: string): Promise<string[]> {
  const dates: string[] = [];
  for (let after = lowestDate; dates.length <= maxKnownDays;) {
    const { rows } = await pool.query<{ local_date: string }>({
      name: "next-local-date",
      text: `
        select local_date from transactions where organization_id = $1 and local_date > $2::date
        order by local_date limit 1`,
      values: [organizationId, after],
    });
    if (!rows[0]) return dates;
    dates.push((after = rows[0].local_date));
  }
  return dates;
}
