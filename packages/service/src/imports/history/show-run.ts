import type pg from "pg";
import type { FailureGroup, RunDetail, RunResult } from "@gatehouse-parking/contract/console";
import { findKeys } from "../../organizations/shown-keys.js";
import { explainReason } from "./explain-reason.js";
import { NothingFound } from "../../refusals/invalid-input.js";
import { runColumns, toKeyedSummary, type RunRow } from "./list-runs.js";
import { explainResults } from "./run-results.js";

interface DetailRow extends RunRow {
  created_accounts: number;
  created_contacts: number;
  created_vehicles: number;
  created_subscriptions: number;
  metadata: string | null;
  request_id: string | null;
  failed_by_reason: Record<string, number> | null;
}

const shownExamples = 5;

/** Everything that is known about a run, so that whoever sent it can see why it ended as it did. */
export async function showRun(pool: pg.Pool, organizationId: string, runId: string): Promise<RunDetail> {
  const run = await findRun(pool, organizationId, runId);
  const results = await explainResults(pool, { organizationId, runId, resource: run.resource });
  const failures = results.filter((result) => result.status === 4);
  return {
    ...toKeyedSummary(run, await findKeys(pool, organizationId, [run.api_key_id])),
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
    failureGroups: groupFailures(failures, run.failed_by_reason),
    differingCount: results.filter((result) => result.differences !== undefined).length,
    droppedSubscriptionCount: results.filter((result) => result.trace?.subscription?.via === "dropped")
      .length,
  };
}

export async function findRun(pool: pg.Pool, organizationId: string, runId: string): Promise<DetailRow> {
  const { rows } = await pool.query<DetailRow>(
    `select ${runColumns}, run.created_accounts, run.created_contacts, run.created_vehicles,
            run.created_subscriptions, run.metadata, run.request_id, run.failed_by_reason
     from import_runs as run where run.organization_id = $1 and run.id = $2`,
    [organizationId, runId],
  );
  if (!rows[0]) throw new NothingFound(`There is no run ${runId} in this organization`);
  return rows[0];
}

/** `counted`: how many there were; without it, as many as were kept. */
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
        examples: kept
          .slice(0, shownExamples)
          .map(({ position, reference, errorDetail = "" }) => ({ position, reference, errorDetail })),
      };
    })
    .toSorted((one, other) => other.count - one.count);
}
