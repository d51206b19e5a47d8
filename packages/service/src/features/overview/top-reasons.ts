import { ReasonCode } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { TopReasons } from "@gatehouse-parking/contract/console";
import { explainReason } from "../../core/imports/history/explain.js";
import { firstIdAt, momentOfId } from "../../core/paging/pages.js";

/** More than an organization can send in a week; of a longer time the newest runs tell enough. */
const maxCountedRuns = 500_000;

interface ReasonRow {
  reason_code: number;
  status: 3 | 4;
  count: number;
  runs: number;
  last_run: string;
  counted_runs: number;
}

/** Why records were skipped or failed, most frequent first. A run's id tells its time, and the run its counts. */
export async function readTopReasons(
  pool: pg.Pool,
  input: { organizationId: string; from: Date; to: Date },
): Promise<TopReasons> {
  const { rows } = await pool.query<ReasonRow>(
    `with recent as materialized (
       select id, skipped_count, failed_by_reason from import_runs
       where organization_id = $1 and id >= $2 and id < $3
       order by id desc limit ${maxCountedRuns}
     )
     select reason_code, status, sum(count)::int8 as count, count(*) as runs, max(id::text) as last_run,
            (select count(*) from recent) as counted_runs
     from (
       select ${ReasonCode.DuplicateTransactionId} as reason_code, 3 as status, skipped_count as count, id
       from recent where skipped_count > 0
       union all
       select failed.reason::int, 4, failed.count::int, id
       from recent cross join lateral jsonb_each_text(failed_by_reason) as failed (reason, count)
     ) as counted
     group by reason_code, status order by count desc, reason_code`,
    [input.organizationId, firstIdAt(input.from), firstIdAt(input.to)],
  );
  return {
    from: input.from.toISOString(),
    to: input.to.toISOString(),
    data: rows.map((row) => ({
      reasonCode: row.reason_code,
      ...explainReason(row.reason_code),
      status: row.status,
      count: row.count,
      runs: row.runs,
      lastSeenAt: momentOfId(row.last_run).toISOString(),
    })),
    truncated: (rows[0]?.counted_runs ?? 0) >= maxCountedRuns,
  };
}
