import { isUuid, type ImportRun, type ImportRunSummary } from "@gatehouse-parking/contract";
import type pg from "pg";
import { toPage, type Page, type PageRequest } from "../operations/paging.js";
import { readResults } from "./history/run-results.js";

/** The columns of a run that every list of runs shows. */
export interface SummaryRow {
  id: string;
  resource: ImportRun["resource"];
  status: ImportRun["status"];
  started_at: Date;
  completed_at: Date;
  duration_ms: number;
  total_submitted: number;
  success_count: number;
  failed_count: number;
  skipped_count: number;
}

const summaryColumns = `id, resource, status, started_at, completed_at, duration_ms, total_submitted, success_count,
  failed_count, skipped_count`;

interface RunRow extends SummaryRow {
  created_accounts: number;
  created_contacts: number;
  created_vehicles: number;
  created_subscriptions: number;
  metadata: string | null;
}

const columns = `${summaryColumns}, created_accounts, created_contacts, created_vehicles, created_subscriptions, metadata`;

/** Newest first, by primary key, because ids are ordered by time. The total is in the organization's row. */
export async function listImportRuns(
  pool: pg.Pool,
  input: { organizationId: string; page: PageRequest },
): Promise<Page<ImportRunSummary>> {
  const { page, pageSize } = input.page;
  const { rows } = await pool.query<SummaryRow & { total: number }>({
    name: "list-runs",
    text: `
      select turn.run_count as total, run.*
      from import_turns as turn
      left join lateral (
        select ${summaryColumns} from import_runs
        where organization_id = $1 and $3::bigint < turn.run_count
        order by id desc
        limit $2 offset $3::bigint
      ) as run on true
      where turn.organization_id = $1
      order by run.id desc`,
    values: [input.organizationId, pageSize, (page - 1) * pageSize],
  });
  const runs = rows.filter((row) => row.id !== null);
  return toPage(runs.map(toSummary), rows[0]?.total ?? 0, input.page);
}

export interface StoredRun {
  run: ImportRun;
  /** The envelope's metadata, exactly as it was sent. */
  metadata: string | null;
}

/** The run as it was answered, with the stored failures. Undefined if the organization has no such run. */
export async function getImportRun(
  pool: pg.Pool,
  organizationId: string,
  referenceUuid: string,
): Promise<StoredRun | undefined> {
  if (!isUuid(referenceUuid)) return undefined;
  const { rows } = await pool.query<RunRow>({
    name: "get-run",
    text: `select ${columns} from import_runs where organization_id = $1 and id = $2`,
    values: [organizationId, referenceUuid],
  });
  const row = rows[0];
  if (!row) return undefined;
  const run: ImportRun = {
    ...toSummary(row),
    createdEntities: {
      accounts: row.created_accounts,
      contacts: row.created_contacts,
      vehicles: row.created_vehicles,
      subscriptions: row.created_subscriptions,
    },
    results: await readResults(pool, { organizationId, runId: row.id, resource: row.resource }),
  };
  return { run, metadata: row.metadata };
}

export function toSummary(row: SummaryRow): ImportRunSummary {
  return {
    referenceUuid: row.id,
    resource: row.resource,
    status: row.status,
    startedAt: row.started_at.toISOString(),
    completedAt: row.completed_at.toISOString(),
    durationMs: row.duration_ms,
    totalSubmitted: row.total_submitted,
    successCount: row.success_count,
    failedCount: row.failed_count,
    skippedCount: row.skipped_count,
  };
}
