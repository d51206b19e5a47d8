import type pg from "pg";
import type { Outcomes } from "@gatehouse-parking/contract/console";
import { firstIdAt } from "../../core/paging/pages.js";

const bucketMs = { hour: 3_600_000, day: 86_400_000 } as const;
/** A run may get its id a little before it is said to have started. */
const slackMs = 60_000;

interface BucketRow {
  start: Date;
  runs: number;
  created: number;
  taken_back: number;
  skipped: number;
  failed: number;
}

/** Records by outcome over time, from the counters of the runs. Every bucket of the range is there, empty or not. */
export async function readOutcomes(
  pool: pg.Pool,
  input: { organizationId: string; from: Date; to: Date; bucket: "hour" | "day" },
): Promise<Outcomes> {
  const size = bucketMs[input.bucket];
  const from = new Date(Math.floor(input.from.getTime() / size) * size);
  const to = new Date(Math.ceil(input.to.getTime() / size) * size);
  const { rows } = await pool.query<BucketRow>(
    `select date_trunc('${input.bucket}', started_at, 'UTC') as start, count(*) as runs,
            sum(success_count - undone_count)::int8 as created, sum(undone_count)::int8 as taken_back,
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
    const {
      runs,
      created,
      taken_back: takenBack,
      skipped,
      failed,
    } = found.get(start) ?? {
      runs: 0,
      created: 0,
      taken_back: 0,
      skipped: 0,
      failed: 0,
    };
    buckets.push({ start: new Date(start).toISOString(), runs, created, takenBack, skipped, failed });
  }
  return { bucket: input.bucket, from: from.toISOString(), to: to.toISOString(), buckets };
}
