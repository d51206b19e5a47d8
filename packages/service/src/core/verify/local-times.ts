import { rowCheck } from "./batches.js";
import { type Check, statementCheck, summary } from "./check.js";
import { isKept, sumsOfTransactions, totalsColumns } from "../local-days/count-days.js";

interface TransactionRow {
  id: string;
  moment_ms: number;
  time_zone: string;
  utc_offset_seconds: number;
  local_date: string;
}

/** Earlier dates use calendars that Intl formats differently. */
const checkedFromMs = Date.UTC(1000, 0, 1);
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Computes local times with Intl, independently of the import, so that both do not have the same bug. */
export const localTimeChecks: Check[] = [
  rowCheck<TransactionRow>(
    "times: transactions have the local date and offset of their zone's wall clock",
    {
      table: "transactions",
      columns: [
        "(extract(epoch from transaction_date) * 1000)::float8 as moment_ms",
        "time_zone",
        "utc_offset_seconds",
        "local_date::text as local_date",
      ],
    },
    (row) => {
      const momentMs = Math.floor(row.moment_ms);
      if (momentMs < checkedFromMs) return true;
      const shown = wallClock(row.time_zone, momentMs);
      const stored = new Date(momentMs + row.utc_offset_seconds * 1000).toISOString();
      return shown === stored.slice(0, 19).replace("T", " ") && row.local_date === stored.slice(0, 10);
    },
  ),
];

/** As "2026-04-01 14:30:00", or undefined if this machine does not know the zone. */
function wallClock(timeZone: string, momentMs: number): string | undefined {
  try {
    let formatter = formatters.get(timeZone);
    if (!formatter) {
      // Swedish dates are written in ISO 8601.
      formatter = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
      formatters.set(timeZone, formatter);
    }
    return formatter.format(momentMs);
  } catch {
    return undefined;
  }
}

/** Checks the days whose totals are current. */
export const localDayChecks: Check[] = [
  statementCheck(
    "days: the totals of a local day match its transactions",
    summary(`
      select difference.date as id, 1 as read,
             difference.transactions <> 0 or difference.revenue <> 0 or difference.refunded <> 0 as is_wrong
      from (
        select part.date, part.location_id, sum(part.transactions) as transactions, sum(part.revenue) as revenue,
               sum(part.refunded) as refunded
        from (
          select local_date as date, location_id, ${sumsOfTransactions}
          from transactions where organization_id = $1 group by local_date, location_id
          union all
          select counted.local_date, total.location_id, - total.transactions, - total.revenue, - total.refunded
          from local_days as counted
          cross join lateral json_to_recordset(counted.totals) as total (${totalsColumns})
          where counted.organization_id = $1
        ) as part
        group by part.date, part.location_id
      ) as difference
      left join local_days as local_day
        on local_day.organization_id = $1 and local_day.local_date = difference.date
      cross join import_turns as turn
      where turn.organization_id = $1 and ${isKept}`),
  ),
];
