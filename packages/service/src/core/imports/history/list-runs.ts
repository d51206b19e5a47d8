import { ReasonCode, RunStatus } from "@gatehouse-parking/contract";
import type pg from "pg";
import { toSummary, type SummaryRow } from "../history.js";
import type { BothWaysPage, RunsQuery, RunSummary } from "@gatehouse-parking/contract/console";
import { momentOf } from "../../clock.js";
import { readingOf, listConditions, firstIdAt } from "../../paging/pages.js";
import { boundedPageBothWays } from "../../paging/bounded-page.js";
import { findKeys, type ShownKeys } from "../../organizations/api-keys.js";

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

export const runColumns = (run: string): string => `
  ${run}.id, ${run}.resource, ${run}.status, ${run}.started_at, ${run}.completed_at, ${run}.duration_ms, ${run}.total_submitted,
  ${run}.success_count, ${run}.failed_count, ${run}.skipped_count, ${run}.api_key_id,
  ${run}.undone_at, ${run}.undone_by, ${run}.undone_count`;

/** The id of a run is created slightly before or after its start, so the exact start is checked too. */
const slackMs = 60_000;

const countOf = { created: "success_count", skipped: "skipped_count", failed: "failed_count" } as const;

/** A page of runs. At most one filter uses an index; the others are checked row by row, up to a bound. */
export async function listRuns(pool: pg.Pool, filters: RunFilters): Promise<BothWaysPage<RunSummary>> {
  const { organizationId, limit } = filters;
  const { where, ...conditions } = conditionsOf(filters);
  const page = await boundedPageBothWays<RunRow & pg.QueryResultRow, RunRow>(
    pool,
    {
      source: `from import_runs as record where ${where}`,
      columns: runColumns("record"),
      ...conditions,
      order: ["id"],
      limit,
      toItem: (row) => row,
    },
    readingOf(filters),
  );
  const keys = await findKeys(
    pool,
    organizationId,
    page.data.map((row) => row.api_key_id),
  );
  return { ...page, data: page.data.map((row) => toKeyedSummary(row, keys)) };
}

/** The filters with an index, the most selective first. The index on status excludes completed runs. */
function indexedColumns({ apiKey, status, resource }: RunFilters): [string, unknown][] {
  return [
    ["api_key_id", apiKey],
    ["status", status === RunStatus.Completed ? undefined : status],
    ["resource", resource],
  ];
}

function conditionsOf(filters: RunFilters) {
  const from = momentOf(filters.from);
  const to = momentOf(filters.to);
  const conditions = listConditions(filters.organizationId);
  conditions.indexed(filters.before, (id) => `record.id < ${id}::uuid`);
  conditions.indexed(filters.after, (id) => `record.id > ${id}::uuid`);
  conditions.indexed(
    from && firstIdAt(new Date(from.getTime() - slackMs)),
    (id) => `record.id >= ${id}::uuid`,
  );
  conditions.indexed(to && firstIdAt(new Date(to.getTime() + slackMs)), (id) => `record.id < ${id}::uuid`);

  const equal = indexedColumns(filters).filter(([, value]) => value !== undefined);
  const [first, ...others] = equal;
  if (first) conditions.indexed(first[1], (value) => `record.${first[0]} = ${value}`);
  for (const [column, value] of others) conditions.other(value, (text) => `record.${column} = ${text}`);
  if (filters.status === RunStatus.Completed) conditions.fixed(`record.status = ${RunStatus.Completed}`);
  conditions.other(from, (moment) => `record.started_at >= ${moment}::timestamptz`);
  conditions.other(to, (moment) => `record.started_at < ${moment}::timestamptz`);
  if (filters.having !== undefined) conditions.fixed(`record.${countOf[filters.having]} > 0`);
  if (filters.reason === ReasonCode.DuplicateTransactionId) conditions.fixed("record.skipped_count > 0");
  else conditions.other(filters.reason, (code) => `record.failed_by_reason ? ${code}::int::text`);
  return conditions.parts();
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
