import type pg from "pg";
import type { Outcomes, TopReasons } from "@gatehouse-parking/contract/console";
import { firstIdAt, momentOfId } from "../../core/paging/pages.js";
import { ReasonCode } from "@gatehouse-parking/contract";
import { explainReason } from "../../core/imports/history/run-results.js";

const bucketMs = { hour: 3_600_000, day: 86_400_000 } as const;
/** The id of an import may be a little older than its start. */
const slackMs = 60_000;

interface BucketRow {
  start: Date;
  runs: number;
  created: number;
  takenBack: number;
  skipped: number;
  failed: number;
}

const empty = { runs: 0, created: 0, takenBack: 0, skipped: 0, failed: 0 };

/** Records by outcome over time, from the counters of the imports, with empty buckets. */
export async function readOutcomes(
  pool: pg.Pool,
  input: { organizationId: string; from: Date; to: Date; bucket: "hour" | "day" },
): Promise<Outcomes> {
  const size = bucketMs[input.bucket];
  const from = new Date(Math.floor(input.from.getTime() / size) * size);
  const to = new Date(Math.ceil(input.to.getTime() / size) * size);
  const { rows } = await pool.query<BucketRow>(
    `select date_trunc('${input.bucket}', started_at, 'UTC') as start, count(*) as runs,
            sum(success_count - undone_count)::int8 as created, sum(undone_count)::int8 as "takenBack",
            sum(skipped_count)::int8 as skipped, sum(failed_count)::int8 as failed
     from import_runs
     where organization_id = $1 and id >= $2 and id < $3 and started_at >= $4 and started_at < $5
     group by 1`,
    [
      input.organizationId,
      firstIdAt(new Date(from.getTime() - slackMs)),
      firstIdAt(new Date(to.getTime() + slackMs)),
      from,
      to,
    ],
  );
  const found = new Map(rows.map((row) => [row.start.getTime(), row]));
  const buckets: Outcomes["buckets"] = [];
  for (let start = from.getTime(); start < to.getTime(); start += size) {
    buckets.push({ ...(found.get(start) ?? empty), start: new Date(start).toISOString() });
  }
  return { bucket: input.bucket, from: from.toISOString(), to: to.toISOString(), buckets };
}

/** More than an organization can send in a week. In a longer range only the newest imports are counted. */
const maxCountedRuns = 500_000;

interface ReasonRow {
  reason_code: number;
  status: 3 | 4;
  count: number;
  runs: number;
  last_run: string;
  counted_runs: number;
}

/** Reasons why records were skipped or failed, most frequent first. Ids of imports are ordered by time. */
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
