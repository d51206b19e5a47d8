import { RecordStatus, type ImportRun } from "@gatehouse-parking/contract";
import type { Statement } from "../../database/pipeline.js";
import { dayNumber, noteChangedDays } from "../../local-days/note-changes.js";
import type { FailedByReason } from "../report.js";
import type { Outcome } from "../judge/decision.js";
import type { Run, RunOrigin } from "../run.js";
import type { StoredAmount } from "./lock-organization.js";

/** Writes the run and updates the totals of the organization. Does nothing if the run exists. */
export function runStatement(
  origin: RunOrigin,
  run: ImportRun,
  failedByReason: FailedByReason,
  stored: StoredAmount,
): Statement {
  const { createdEntities } = run;
  return {
    name: "write-run",
    text: `
      with written as (
        insert into import_runs (
          organization_id, id, resource, status, started_at, completed_at, duration_ms,
          total_submitted, success_count, failed_count, skipped_count,
          created_accounts, created_contacts, created_vehicles, created_subscriptions,
          metadata, api_key_id, request_id, failed_by_reason, stored_bytes, file_run_id
        )
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $21, $22)
        on conflict do nothing
        returning organization_id
      )
      update import_turns
      set run_count = run_count + 1, told_run_count = told_run_count + 1, change_count = change_count + 1,
          records_net = records_net + $20, bytes_net = bytes_net + $21
      where organization_id = $1 and exists (select from written)`,
    values: [
      origin.organizationId,
      run.referenceUuid,
      run.resource,
      run.status,
      run.startedAt,
      run.completedAt,
      run.durationMs,
      run.totalSubmitted,
      run.successCount,
      run.failedCount,
      run.skippedCount,
      createdEntities.accounts,
      createdEntities.contacts,
      createdEntities.vehicles,
      createdEntities.subscriptions,
      origin.metadata ?? null,
      origin.apiKeyId ?? null,
      origin.requestId,
      run.failedCount > 0 ? JSON.stringify(failedByReason) : null,
      stored.records,
      stored.bytes,
      origin.fileRunId ?? null,
    ],
  };
}

/** Records the local days on which the run has created records. */
export function localDayStatements(run: Run, outcomes: readonly Outcome[]): Statement[] {
  const days = new Set<number>();
  for (const outcome of outcomes) {
    const localTime = outcome.status === RecordStatus.Created ? outcome.location?.localTime : undefined;
    if (localTime !== undefined) days.add(dayNumber(localTime));
  }
  return noteChangedDays(run.identity.organizationId, days);
}
