import { ReasonCode, RecordStatus } from "@gatehouse-parking/contract";
import { BinaryRows } from "../../database/copy-binary.js";
import { copyInto } from "../../database/copy-rows.js";
import type { Statement } from "../../database/pipeline.js";
import type { DifferencesByPosition } from "../compare/find-differences.js";
import type { Failed, Outcome, Skipped } from "../judge/decision.js";
import type { Submitted } from "../read/submitted.js";
import { isKept, skippedDetail } from "../report.js";
import type { ResourceDefinition } from "../resources.js";

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

/** What is kept of a record that was not created: the columns behind organization and run. */
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

/** The records that were not created, as far as they are kept. */
export function* exceptionsOf(
  candidates: readonly Named[],
  outcomes: readonly Outcome[],
  differences: DifferencesByPosition,
  resource?: ResourceDefinition,
): Generator<Exception> {
  let failures = 0;
  for (const [index, candidate] of candidates.entries()) {
    const outcome = outcomes[index] as Outcome;
    if (outcome.status !== RecordStatus.Created && isKept(outcome, failures)) {
      const { position, key, reference } = candidate;
      const isUnusable = key === undefined && reference !== "";
      const difference = differences.get(position);
      yield {
        position,
        reference: key ?? null,
        unusable_reference: isUnusable ? JSON.stringify(reference) : null,
        ...kept(outcome, resource),
        differences: difference === undefined ? null : JSON.stringify(difference),
      };
    }
    if (outcome.status === RecordStatus.Failed) failures += 1;
  }
}

function kept(
  outcome: Skipped | Failed,
  resource: ResourceDefinition | undefined,
): Pick<Exception, "status" | "reason_code" | "record_id" | "error_detail"> {
  if (outcome.status === RecordStatus.Failed)
    return {
      status: RecordStatus.Failed,
      reason_code: outcome.reasonCode,
      record_id: null,
      error_detail: outcome.detail,
    };
  const { stored } = outcome;
  const detail = resource ? skippedDetail(resource, stored) : null;
  return {
    status: RecordStatus.Skipped,
    reason_code: ReasonCode.DuplicateTransactionId,
    record_id: stored.id,
    error_detail: detail,
  };
}

export function exceptionStatements(
  organizationId: string,
  runId: string,
  exceptions: Iterable<Exception>,
): Statement[] {
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
  return rows.count === 0 ? [] : [copyInto("import_exceptions", exceptionColumns, rows)];
}
