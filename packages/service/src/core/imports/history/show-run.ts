import { RecordStatus } from "@gatehouse-parking/contract";
import type pg from "pg";
import {
  recordKinds,
  type FailureGroup,
  type RecordKind,
  type RunDetail,
  type RunResult,
} from "@gatehouse-parking/contract/console";
import { findKeys } from "../../organizations/api-keys.js";
import { explainReason, explainResults } from "./run-results.js";
import { notFoundError } from "../../refusals/user-error.js";
import { runColumns, toKeyedSummary, type RunRow } from "./list-runs.js";

interface DetailRow extends RunRow {
  created_accounts: number;
  created_contacts: number;
  created_vehicles: number;
  created_subscriptions: number;
  metadata: string | null;
  request_id: string | null;
  failed_by_reason: Record<string, number> | null;
  deleted_records: Partial<Record<RecordKind, number>> | null;
  exceptions_deleted_at: Date | null;
}

const shownMessages = 50;

/** All details of a run, for the console. */
export async function showRun(
  pool: pg.Pool,
  {
    organizationId,
    runId,
    describe,
  }: { organizationId: string; runId: string; describe: readonly DescribeRun[] },
): Promise<RunDetail> {
  const run = await findRun(pool, organizationId, runId);
  const results = await explainResults(pool, { organizationId, runId, resource: run.resource });
  const failures = results.filter((result) => result.status === RecordStatus.Failed);
  let detail: RunDetail = {
    ...toKeyedSummary(run, await findKeys(pool, organizationId, [run.api_key_id])),
    undone: null,
    undoableUntil: null,
    ...(await findAdjacentRuns(pool, organizationId, runId)),
    createdEntities: {
      accounts: run.created_accounts,
      contacts: run.created_contacts,
      vehicles: run.created_vehicles,
      subscriptions: run.created_subscriptions,
    },
    metadata: run.metadata,
    requestId: run.request_id,
    results,
    failuresNotKept: run.failed_count - failures.length,
    deleted: recordKinds.flatMap((kind) => {
      const count = run.deleted_records?.[kind];
      return count === undefined ? [] : [{ kind, count }];
    }),
    exceptionsDeletedAt: run.exceptions_deleted_at?.toISOString() ?? null,
    sentValuesKeptDays: 0,
    failureGroups: groupFailures(failures, run.failed_by_reason),
    differingCount: results.filter((result) => result.differences !== undefined).length,
    droppedSubscriptionCount: results.filter((result) => result.trace?.subscription?.via === "dropped")
      .length,
  };
  const facts = { organizationId, runId, completedAt: run.completed_at, undoneAt: run.undone_at };
  for (const add of describe) detail = { ...detail, ...(await add(facts, detail)) };
  return detail;
}

/** The run that a feature describes. */
export interface RunFacts {
  readonly organizationId: string;
  readonly runId: string;
  readonly completedAt: Date;
  readonly undoneAt: Date | null;
}

/** Returns members that replace those of the detail. */
export type DescribeRun = (run: RunFacts, detail: RunDetail) => Promise<Partial<RunDetail>>;

export async function findRun(pool: pg.Pool, organizationId: string, runId: string): Promise<DetailRow> {
  const { rows } = await pool.query<DetailRow>(
    `select ${runColumns}, record.created_accounts, record.created_contacts, record.created_vehicles,
            record.created_subscriptions, record.metadata, record.request_id, record.failed_by_reason,
            record.deleted_records, record.exceptions_deleted_at
     from import_runs as record where record.organization_id = $1 and record.id = $2`,
    [organizationId, runId],
  );
  if (!rows[0]) throw notFoundError(`There is no run ${runId} in this organization`);
  return rows[0];
}

async function findAdjacentRuns(
  pool: pg.Pool,
  organizationId: string,
  runId: string,
): Promise<Pick<RunDetail, "previousUuid" | "nextUuid">> {
  const { rows } = await pool.query<{ previous: string | null; next: string | null }>(
    `select (select id from import_runs where organization_id = $1 and id < $2 order by id desc limit 1) as previous,
            (select id from import_runs where organization_id = $1 and id > $2 order by id limit 1) as next`,
    [organizationId, runId],
  );
  return { previousUuid: rows[0]?.previous ?? null, nextUuid: rows[0]?.next ?? null };
}

/** The errorDetail of a record lists all its problems. Here each problem is listed once. */
function distinctMessages(failures: readonly RunResult[]): FailureGroup["messages"] {
  const found = new Map<string, FailureGroup["messages"][number]>();
  for (const { position, reference, errorDetail = "" } of failures) {
    for (const message of errorDetail.split("; ")) {
      const known = found.get(message) ?? { message, count: 0, position, reference, values: [] };
      known.count += 1;
      found.set(message, known);
    }
  }
  return [...found.values()].toSorted((one, other) => other.count - one.count).slice(0, shownMessages);
}

/** `counted`: the exact numbers. Older runs do not have them, so the stored failures are counted. */
function groupFailures(
  failures: readonly RunResult[],
  counted: Record<string, number> | null,
): FailureGroup[] {
  const reasonCodes = counted
    ? Object.keys(counted).map(Number)
    : [...new Set(failures.map(({ reasonCode = 0 }) => reasonCode))];
  return reasonCodes
    .map((reasonCode) => {
      const kept = failures.filter((failure) => failure.reasonCode === reasonCode);
      return {
        reasonCode,
        ...explainReason(reasonCode),
        count: counted?.[reasonCode] ?? kept.length,
        keptCount: kept.length,
        messages: distinctMessages(kept),
      };
    })
    .toSorted((one, other) => other.count - one.count);
}
