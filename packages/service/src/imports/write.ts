import { importResources, type ImportRun } from "@gatehouse-parking/contract";
import type pg from "pg";
import { CopyLine, copyLines, copyNull, copyText } from "../database/copy-text.js";
import { writeAudit } from "../audit/audit.js";
import type { Submitted } from "./candidate.js";
import type { Outcome } from "./decide.js";
import type { DifferencesByPosition } from "./differences.js";
import { isKept, type FailedByReason } from "./report.js";
import { columnsOfTable, entityTables, type Rows } from "./rows.js";

/**
 * Step 4: everything goes in by COPY, one a table, so the number of statements does not depend on the records. Rows are
 * sent in the order of their keys: the larger a table, the farther apart random keys lie in its index.
 */
export async function writeRows(client: pg.ClientBase, rows: Rows): Promise<void> {
  for (const table of entityTables)
    await copyLines(client, table, columnsOfTable(table), rows[table].toSorted());
}

const exceptionColumns = [
  "organization_id",
  "run_id",
  "position",
  "reference",
  "unusable_reference",
  "status",
  "reason_code",
  "record_id",
  "error_detail",
  "differences",
];

const exceptionLine = new CopyLine(exceptionColumns.length);

/** The records that were not created, as far as they are kept. */
export async function writeExceptions(
  client: pg.ClientBase,
  organizationId: string,
  runId: string,
  candidates: readonly Pick<Submitted, "position" | "reference" | "key">[],
  outcomes: readonly Outcome[],
  differences: DifferencesByPosition,
): Promise<void> {
  const lines: string[] = [];
  let failures = 0;
  for (const [index, candidate] of candidates.entries()) {
    const outcome = outcomes[index] as Outcome;
    if (isKept(outcome, failures)) {
      const line = exceptionLine.begin();
      line.add(organizationId);
      line.add(runId);
      line.add(String(candidate.position));
      addReference(line, candidate);
      addOutcome(line, outcome);
      const difference = differences.get(candidate.position);
      line.add(difference === undefined ? copyNull : copyText(JSON.stringify(difference)));
      lines.push(line.end());
    }
    if (outcome.status === 4) failures += 1;
  }
  await copyLines(client, "import_exceptions", exceptionColumns, lines);
}

function addReference(line: CopyLine, { key, reference }: Pick<Submitted, "key" | "reference">): void {
  line.add(key === undefined ? copyNull : copyText(key));
  const isUnusable = key === undefined && reference !== "";
  line.add(isUnusable ? copyText(JSON.stringify(reference)) : copyNull);
}

function addOutcome(line: CopyLine, outcome: Outcome): void {
  if (outcome.status === 1) throw new Error("A created record is no exception");
  const isSkipped = outcome.status === 3;
  line.add(String(outcome.status));
  line.add(isSkipped ? "1" : String(outcome.reasonCode));
  line.add(isSkipped ? outcome.stored.id : copyNull);
  line.add(isSkipped ? copyNull : copyText(outcome.detail));
}

export interface RunOrigin {
  organizationId: string;
  apiKeyId: string | undefined;
  requestId: string;
  /** The envelope's metadata, as it was sent. */
  metadata: string | undefined;
  /** Who uploaded it in the console. Such a run has no key, so the trail is what says whose it was. */
  uploader?: string | undefined;
}

/** The run itself, and one more on the organization's count. False if it is recorded already; it stays as it is. */
export async function writeRun(
  client: pg.ClientBase,
  origin: RunOrigin,
  run: ImportRun,
  failedByReason: FailedByReason,
): Promise<boolean> {
  const { createdEntities } = run;
  const { rowCount } = await client.query({
    name: "write-run",
    text: `
      with written as (
        insert into import_runs (
          organization_id, id, resource, status, started_at, completed_at, duration_ms,
          total_submitted, success_count, failed_count, skipped_count,
          created_accounts, created_contacts, created_vehicles, created_subscriptions,
          metadata, api_key_id, request_id, failed_by_reason
        )
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
        on conflict do nothing
        returning organization_id
      )
      update import_turns set run_count = run_count + 1
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
    ],
  });
  if (rowCount !== 1) return false;
  if (origin.uploader !== undefined)
    await writeAudit(client, {
      organizationId: origin.organizationId,
      actor: origin.uploader,
      action: "import.upload",
      subjectId: run.referenceUuid,
      detail: { resource: resourceName(run.resource), totalSubmitted: run.totalSubmitted },
    });
  return true;
}

function resourceName(number: ImportRun["resource"]): string | undefined {
  return Object.entries(importResources).find(([, { resource }]) => resource === number)?.[0];
}
