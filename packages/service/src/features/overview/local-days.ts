import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { showLocation } from "../../core/locations/manage-locations.js";
import { invalidInput } from "../../core/refusals/user-error.js";
import type { LocalDays, LocalHours } from "@gatehouse-parking/contract/console";
import { isKept, sumsOfTransactions, totalsColumns } from "../../core/local-days/count-days.js";
import { formatOffset } from "../../core/locations/time-zones.js";
import { addDays, datesBetween, hoursOfLocalDay, localDateAt, localHours } from "./local-calendar.js";

interface SumRow {
  transactions: number;
  revenue: string;
  refunded: string;
}

const noAmounts = { revenue: null, refunded: null };
const nothing: SumRow = { transactions: 0, revenue: "0", refunded: "0" };

const defaultDays = 30;
const maxDays = 366;

export interface LocalDaysInput {
  organizationId: string;
  locationId: string | undefined;
  fromDate?: string;
  /** Undefined: today at the location; without one, in UTC. */
  toDate?: string;
}

/** Transactions and revenue per local date of each location, with empty days. */
export async function readLocalDays(pool: pg.Pool, input: LocalDaysInput): Promise<LocalDays> {
  const { organizationId, locationId } = input;
  const location = locationId ? await showLocation(pool, { organizationId, locationId }) : undefined;
  const toDate = input.toDate ?? localDateAt(location?.timeZone ?? "UTC", nowMs());
  const fromDate = input.fromDate ?? addDays(toDate, 1 - defaultDays);
  if (fromDate > toDate) throw invalidInput("fromDate must not be after toDate");
  if (fromDate < addDays(toDate, 1 - maxDays))
    throw invalidInput(`The range must not be longer than ${maxDays} days`);
  const dates = datesBetween(fromDate, toDate);
  const { rows } = await pool.query<SumRow & { date: string }>(sumsOfDays, [
    organizationId,
    JSON.stringify(dates),
    locationId ?? null,
  ]);
  const found = new Map(rows.map((row) => [row.date, row]));
  const isWithoutAmounts = location === undefined && (await hasSeveralCurrencies(pool, organizationId));
  const days = dates.map((date) => {
    const { transactions, ...amounts } = found.get(date) ?? nothing;
    const { revenue, refunded } = isWithoutAmounts ? noAmounts : amounts;
    const hours = location ? hoursOfLocalDay(location.timeZone, date) : null;
    return { date, transactions, revenue, refunded, hours };
  });
  return { fromDate, toDate, days, isWithoutAmounts };
}

/** Uses the stored totals of a day unless they are stale, and otherwise its transactions. */
const sumsOfDays = `
  select wanted.date::date as date, sums.*
  from import_turns as turn
  cross join json_array_elements_text($2) as wanted (date)
  left join local_days as local_day
    on local_day.organization_id = $1 and local_day.local_date = wanted.date::date
  cross join lateral (select ${isKept} as is_kept) as state
  cross join lateral (
    select coalesce(sum(transactions), 0)::bigint as transactions,
           coalesce(sum(revenue), 0)::text as revenue, coalesce(sum(refunded), 0)::text as refunded
    from (
      select * from json_to_recordset(local_day.totals) as kept (${totalsColumns}) where state.is_kept
      union all
      select location_id, ${sumsOfTransactions} from transactions
      where organization_id = $1 and local_date = wanted.date::date and not state.is_kept
      group by location_id
    ) as of_location
    where $3::uuid is null or location_id = $3
  ) as sums
  where turn.organization_id = $1`;

/** Amounts have no currency. A setting says that those of different locations must not be added. */
async function hasSeveralCurrencies(pool: pg.Pool, organizationId: string): Promise<boolean> {
  const { rows } = await pool.query<{ answer: boolean }>(
    "select has_several_currencies as answer from organizations where id = $1",
    [organizationId],
  );
  return rows[0]?.answer ?? false;
}

interface HourRow extends SumRow {
  hour: number;
  utc_offset_seconds: number;
  first_at: Date;
}

/** One local day of a location by hour. Each transaction counts by the offset that was stored with it. */
export async function readLocalHours(
  pool: pg.Pool,
  input: { organizationId: string; date: string; locationId: string },
): Promise<LocalHours> {
  const { organizationId, date, locationId } = input;
  const { timeZone } = await showLocation(pool, { organizationId, locationId });
  const { rows } = await pool.query<HourRow>(
    `select extract(hour from (transaction_date at time zone 'UTC') + make_interval(secs => utc_offset_seconds))::int as hour,
            utc_offset_seconds, min(transaction_date) as first_at, ${sumsOfTransactions}
     from transactions where organization_id = $1 and local_date = $2::date and location_id = $3
     group by 1, utc_offset_seconds`,
    [organizationId, date, locationId],
  );
  const found = new Map(rows.map((row) => [nameOf(row.hour, row.utc_offset_seconds), row]));
  const hours = localHours(timeZone, date).map((hour) => {
    const name = nameOf(hour.hour, hour.offsetSeconds);
    const row = found.get(name) ?? nothing;
    found.delete(name);
    return toHour(hour.hour, hour.offsetSeconds, new Date(hour.startsAt), row);
  });
  // The rest was stored when the location had another time zone.
  for (const row of found.values()) hours.push(toHour(row.hour, row.utc_offset_seconds, row.first_at, row));
  return {
    date,
    timeZone,
    hours: hours.toSorted((one, other) => one.startsAt.localeCompare(other.startsAt)),
  };
}

function toHour(
  hour: number,
  offsetSeconds: number,
  startsAt: Date,
  row: SumRow,
): LocalHours["hours"][number] {
  return {
    label: `${String(hour).padStart(2, "0")}:00`,
    utcOffset: formatOffset(offsetSeconds),
    startsAt: startsAt.toISOString(),
    transactions: row.transactions,
    revenue: row.revenue,
    refunded: row.refunded,
  };
}

function nameOf(hour: number, offsetSeconds: number): string {
  return `${hour} ${offsetSeconds}`;
}
