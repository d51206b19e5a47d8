import { isKept, sumsOfTransactions, totalsColumns } from "../local-days/count-days.js";
import { statementCheck, summary, type Check } from "./check.js";

/** Of those days that the console would show as they were counted. */
export const localDayChecks: Check[] = [
  statementCheck(
    "days: what was counted of a local day is what its transactions add up to",
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
