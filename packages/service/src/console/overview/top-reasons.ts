import type pg from "pg";
import type { TopReasons } from "../api.js";
import { explainReason } from "../reasons.js";
import { firstIdAt, momentOfId } from "../time-ordered-ids.js";

/** A partner that replays everything all day leaves millions of Skipped rows; the newest ones tell enough. */
const maxCountedRecords = 500_000;

interface ReasonRow {
  reason_code: number;
  status: 3 | 4;
  count: number;
  runs: number;
  last_run: string;
  counted: number;
}

/** Why records were skipped or failed, most frequent first. A run's id tells its time, so no run is read. */
export async function readTopReasons(
  pool: pg.Pool,
  input: { organizationId: string; from: Date; to: Date },
): Promise<TopReasons> {
  const { rows } = await pool.query<ReasonRow>(
    `select reason_code, status, count(*) as count, count(distinct run_id) as runs,
            max(run_id::text) as last_run, sum(count(*)) over ()::int8 as counted
     from (
       select reason_code, status, run_id from import_exceptions
       where organization_id = $1 and run_id >= $2 and run_id < $3
       order by run_id desc limit ${maxCountedRecords}
     ) as recent
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
    truncated: (rows[0]?.counted ?? 0) >= maxCountedRecords,
  };
}
