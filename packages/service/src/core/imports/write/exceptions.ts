import { ReasonCode, RecordStatus } from "@gatehouse-parking/contract";
import { BinaryRows } from "../../database/copy-binary.js";
import { copyInto } from "../../database/copy-rows.js";
import type { Statement } from "../../database/pipeline.js";
import type { Failed, Outcome, Skipped } from "../judge/decision.js";
import type { Submitted } from "../read/read-records.js";
import { isStoredOutcome, skippedDetail } from "../report.js";
import type { ResourceDefinition } from "../resources.js";
import type { RunIdentity } from "../run.js";

export const exceptionColumns = [
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

/** A record that was not created, with the columns of its row after organization and run. */
export interface Exception {
  position: number;
  reference: string | null;
  /** JSON. */
  unusable_reference: string | null;
  status: Skipped["status"] | Failed["status"];
  reason_code: number;
  record_id: string | null;
  error_detail: string | null;
  /** JSON. */
  differences: string | null;
}

type Named = Pick<Submitted, "position" | "reference" | "key">;

/** The records that were not created: all Skipped ones, and the first 100 Failed. */
export function listExceptions(
  candidates: readonly Named[],
  outcomes: readonly Outcome[],
  resource: ResourceDefinition,
): Exception[] {
  const exceptions: Exception[] = [];
  let failures = 0;
  for (const [index, candidate] of candidates.entries()) {
    const outcome = outcomes[index] as Outcome;
    if (outcome.status !== RecordStatus.Created && isStoredOutcome(outcome, failures)) {
      const { position, key, reference } = candidate;
      const isUnusable = key === undefined && reference !== "";
      exceptions.push({
        position,
        reference: key ?? null,
        unusable_reference: isUnusable ? JSON.stringify(reference) : null,
        ...columnsOf(outcome, resource),
      });
    }
    if (outcome.status === RecordStatus.Failed) failures += 1;
  }
  return exceptions;
}

function columnsOf(
  outcome: Skipped | Failed,
  resource: ResourceDefinition,
): Pick<Exception, "status" | "reason_code" | "record_id" | "error_detail" | "differences"> {
  if (outcome.status === RecordStatus.Failed)
    return {
      status: RecordStatus.Failed,
      reason_code: outcome.reasonCode,
      record_id: null,
      error_detail: outcome.detail,
      differences: null,
    };
  return {
    status: RecordStatus.Skipped,
    reason_code: ReasonCode.DuplicateTransactionId,
    record_id: outcome.stored.id,
    error_detail: skippedDetail(resource, outcome),
    differences: outcome.differences ? JSON.stringify(outcome.differences) : null,
  };
}

export function exceptionStatements(
  { organizationId, runId }: Pick<RunIdentity, "organizationId" | "runId">,
  exceptions: readonly Exception[],
): Statement[] {
  if (exceptions.length === 0) return [];
  const rows = new BinaryRows(exceptionColumns.length);
  const organization = BinaryRows.encoded((row) => row.addUuid(organizationId));
  const run = BinaryRows.encoded((row) => row.addUuid(runId));
  for (const exception of exceptions) {
    rows.begin();
    rows.addEncoded(organization);
    rows.addEncoded(run);
    rows.addInteger(exception.position);
    rows.addTextOrNull(exception.reference);
    rows.addTextOrNull(exception.unusable_reference);
    rows.addSmallint(exception.status);
    rows.addSmallint(exception.reason_code);
    rows.addUuidOrNull(exception.record_id);
    rows.addTextOrNull(exception.error_detail);
    rows.addTextOrNull(exception.differences);
    rows.end();
  }
  return [copyInto("import_exceptions", exceptionColumns, rows)];
}
