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
  file_run_id: string | null;
  file_name: string | null;
  /** Of the file whose totals the row has. */
  runs?: number | null;
  api_key_id: string | null;
  undone_at: Date | null;
  undone_by: string | null;
  undone_count: number;
}

/** The same for a run and for the file that it begins. */
const sharedColumns = `record.id, record.resource, record.started_at, record.api_key_id, record.file_run_id,
  case when record.file_run_id is not null then record.metadata ->> 'file' end as file_name`;

export const runColumns = `${sharedColumns}, record.status, record.completed_at, record.duration_ms, record.total_submitted,
  record.success_count, record.failed_count, record.skipped_count, record.undone_at, record.undone_by, record.undone_count`;

/** The id of a run is created slightly before or after its start, so the exact start is checked too. */
const slackMs = 60_000;

const countOf = { created: "success_count", skipped: "skipped_count", failed: "failed_count" } as const;

/** A page of runs, with one line per file. At most one filter uses an index; the others are checked row by row, up to a bound. */
export async function listRuns(pool: pg.Pool, filters: RunFilters): Promise<BothWaysPage<RunSummary>> {
  const { organizationId, limit } = filters;
  const isOfFile = filters.file !== undefined;
  const page = await boundedPageBothWays<RunRow & pg.QueryResultRow, RunRow>(
    pool,
    {
      columns: isOfFile ? runColumns : lineColumns,
      ...(isOfFile ? {} : { joins: filesOfLines }),
      ...conditionsOf(filters),
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

const isLine = "(record.file_run_id is null or record.file_run_id = record.id)";

/** A page of lines joins the totals of the files that begin on it. */
const filesOfLines = `left join lateral (
  select count(*)::int as runs, max(completed_at) as completed_at, sum(duration_ms)::float8 as duration_ms,
         sum(total_submitted)::float8 as total_submitted, sum(success_count)::float8 as success_count,
         sum(failed_count)::float8 as failed_count, sum(skipped_count)::float8 as skipped_count,
         case when bool_and(undone_at is not null or success_count = 0) then max(undone_at) end as undone_at,
         max(undone_by) as undone_by, sum(undone_count)::float8 as undone_count
  from import_runs as part
  where record.file_run_id is not null and part.organization_id = $1 and part.file_run_id = record.id
) as file on true`;

const ofLine = (column: string): string =>
  `case when record.file_run_id is null then record.${column} else file.${column} end`;

const statusOfLine = `case
  when record.file_run_id is null then record.status
  when file.failed_count = 0 then ${RunStatus.Completed}
  when file.failed_count = file.total_submitted then ${RunStatus.Failed}
  else ${RunStatus.PartialSuccess} end`;

const addedColumns = [
  ...["completed_at", "duration_ms", "total_submitted", "success_count", "failed_count", "skipped_count"],
  ...["undone_at", "undone_by", "undone_count"],
];
const lineColumns = `${sharedColumns}, file.runs, ${statusOfLine} as status,
  ${addedColumns.map((column) => `${ofLine(column)} as ${column}`).join(", ")}`;

function conditionsOf(filters: RunFilters) {
  const from = momentOf(filters.from);
  const to = momentOf(filters.to);
  const isOfFile = filters.file !== undefined;
  const counted = (column: string) => (isOfFile ? `record.${column}` : ofLine(column));
  const conditions = listConditions(filters.organizationId);
  conditions.indexed(filters.before, (id) => `record.id < ${id}::uuid`);
  conditions.indexed(filters.after, (id) => `record.id > ${id}::uuid`);
  conditions.indexed(
    from && firstIdAt(new Date(from.getTime() - slackMs)),
    (id) => `record.id >= ${id}::uuid`,
  );
  conditions.indexed(to && firstIdAt(new Date(to.getTime() + slackMs)), (id) => `record.id < ${id}::uuid`);
  conditions.indexed(filters.file, (id) => `record.file_run_id = ${id}::uuid`);

  // At most one index: the most selective one. The index on status excludes completed runs.
  const { apiKey, status, resource } = filters;
  const isByStatus = apiKey === undefined && status !== undefined && status !== RunStatus.Completed;
  let ofStatus: string | undefined;
  conditions.indexed(apiKey, (value) => `record.api_key_id = ${value}`);
  conditions.indexed(isByStatus ? status : undefined, (value) => (ofStatus = `record.status = ${value}`));
  const isByResource = apiKey === undefined && !isByStatus;
  conditions.indexed(isByResource ? resource : undefined, (value) => `record.resource = ${value}`);

  conditions.other(isByResource ? undefined : resource, (value) => `record.resource = ${value}`);
  conditions.other(status, (value) => `${isOfFile ? "record.status" : statusOfLine} = ${value}`);
  conditions.other(from, (moment) => `record.started_at >= ${moment}::timestamptz`);
  conditions.other(to, (moment) => `record.started_at < ${moment}::timestamptz`);
  if (filters.having !== undefined) conditions.fixed(`${counted(countOf[filters.having])} > 0`);
  if (filters.reason === ReasonCode.DuplicateTransactionId)
    conditions.fixed(`${counted("skipped_count")} > 0`);
  else conditions.other(filters.reason, (code) => failedBy(`${code}::int::text`, isOfFile));
  const { where, ...parts } = conditions.parts();
  return { source: sourceOf(where, { isOfFile, ofStatus }), ...parts };
}

/** Whether a record of the run, or of the file that it begins, failed for this reason. */
function failedBy(code: string, isOfFile: boolean): string {
  const ofRun = `record.failed_by_reason ? ${code}`;
  if (isOfFile) return ofRun;
  return `(${ofRun} or record.file_run_id = record.id and exists (
    select from import_runs as part
    where part.organization_id = $1 and part.file_run_id = record.id and part.failed_by_reason ? ${code}))`;
}

/** A file may have another status than its first run, so the index on status finds only runs without a file. */
function sourceOf(
  where: string,
  { isOfFile, ofStatus }: { isOfFile: boolean; ofStatus: string | undefined },
): string {
  const runs = (condition: string) => `from import_runs as record where ${condition}`;
  if (isOfFile) return runs(where);
  if (ofStatus === undefined) return runs(`${where} and ${isLine}`);
  const base = where.replace(` and ${ofStatus}`, "");
  return `from (
    select * ${runs(`${where} and record.file_run_id is null`)}
    union all select * ${runs(`${base} and record.file_run_id = record.id`)}) as record`;
}

export function toKeyedSummary(row: RunRow, keys: ShownKeys): RunSummary {
  return {
    ...toSummary(row),
    apiKey:
      row.api_key_id === null
        ? null
        : (keys.get(row.api_key_id) ?? { uuid: row.api_key_id, name: "", prefix: "" }),
    file:
      row.file_run_id === null
        ? null
        : { referenceUuid: row.file_run_id, name: row.file_name ?? "", runs: row.runs ?? 1 },
    undone:
      row.undone_at === null
        ? null
        : { at: row.undone_at.toISOString(), by: row.undone_by ?? "", count: row.undone_count },
  };
}
