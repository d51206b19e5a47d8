import { ReasonCode } from "@gatehouse-parking/contract";
import type pg from "pg";
import { toSummary, type SummaryRow } from "../history.js";
import type { CursorPage, RunsQuery, RunSummary } from "@gatehouse-parking/contract/console";
import { momentOf } from "../../moments.js";
import { toCursorPage } from "../../paging/cursor.js";
import { findKeys, type ShownKeys } from "../../organizations/shown-keys.js";
import { firstIdAt } from "../../paging/time-ordered-ids.js";

export interface RunFilters extends RunsQuery {
  organizationId: string;
  limit: number;
}

export interface RunRow extends SummaryRow {
  api_key_id: string | null;
  undone_at: Date | null;
  undone_by: string | null;
  undone_count: number;
}

export const runColumns = `
  run.id, run.resource, run.status, run.started_at, run.completed_at, run.duration_ms, run.total_submitted,
  run.success_count, run.failed_count, run.skipped_count, run.api_key_id,
  run.undone_at, run.undone_by, run.undone_count`;

/** A run's id is made when it starts, give or take a batch's time in the queue; the exact moment is checked as well. */
const slackMs = 60_000;

const countOf = { created: "success_count", skipped: "skipped_count", failed: "failed_count" } as const;
const hasReason = `case when $11 = ${ReasonCode.DuplicateTransactionId} then run.skipped_count > 0
  else run.failed_by_reason ? $11::text end`;

export async function listRuns(pool: pg.Pool, filters: RunFilters): Promise<CursorPage<RunSummary>> {
  const from = momentOf(filters.from);
  const to = momentOf(filters.to);
  const { rows } = await pool.query<RunRow>(
    `select ${runColumns} from import_runs as run
     where run.organization_id = $1
       and ($2::smallint is null or run.resource = $2)
       and ($3::smallint is null or run.status = $3)
       and ($4::uuid is null or run.api_key_id = $4)
       and ($5::uuid is null or run.id >= $5) and ($6::timestamptz is null or run.started_at >= $6)
       and ($7::uuid is null or run.id < $7) and ($8::timestamptz is null or run.started_at < $8)
       and ($9::uuid is null or run.id < $9)
       ${filters.having === undefined ? "" : `and run.${countOf[filters.having]} > 0`}
       and ($11::int is null or ${hasReason})
     order by run.id desc limit $10`,
    [
      filters.organizationId,
      filters.resource ?? null,
      filters.status ?? null,
      filters.apiKey ?? null,
      from ? firstIdAt(new Date(from.getTime() - slackMs)) : null,
      from ?? null,
      to ? firstIdAt(new Date(to.getTime() + slackMs)) : null,
      to ?? null,
      filters.before ?? null,
      filters.limit + 1,
      filters.reason ?? null,
    ],
  );
  const keys = await findKeys(
    pool,
    filters.organizationId,
    rows.map((row) => row.api_key_id),
  );
  return toCursorPage(
    rows,
    filters.limit,
    (row) => row.id,
    (row) => toKeyedSummary(row, keys),
  );
}

export function toKeyedSummary(row: RunRow, keys: ShownKeys): RunSummary {
  return {
    ...toSummary(row),
    apiKey:
      row.api_key_id === null
        ? null
        : (keys.get(row.api_key_id) ?? { uuid: row.api_key_id, name: "", prefix: "" }),
    undone:
      row.undone_at === null
        ? null
        : { at: row.undone_at.toISOString(), by: row.undone_by ?? "", count: row.undone_count },
  };
}
