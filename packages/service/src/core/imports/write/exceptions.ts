import { ReasonCode, RecordStatus } from "@gatehouse-parking/contract";
import { hash } from "node:crypto";
import { BinaryRows } from "../../database/copy-binary.js";
import { copyInto } from "../../database/copy-rows.js";
import type { Statement } from "../../database/pipeline.js";
import { firstIdAt } from "../../paging/pages.js";
import type { DifferencesByPosition } from "../compare/find-differences.js";
import type { Failed, Outcome, Skipped } from "../judge/decision.js";
import type { Submitted } from "../read/read-records.js";
import { isKept, skippedDetail } from "../report.js";
import type { ResourceDefinition } from "../resources.js";
import type { Run, RunIdentity } from "../run.js";

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
  { organizationId, runId }: Pick<RunIdentity, "organizationId" | "runId">,
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

/**
 * Writes a run that created nothing, in an organization that keeps replays once. If it ended as an earlier run of the
 * last day did, record by record, it keeps no exceptions of its own but names that run. So a batch that is sent every
 * minute adds its exceptions once a day. The database decides which of the two it is, behind the organization's lock,
 * so that nobody has to wait for an answer.
 */
export interface Repetition {
  /** Sent behind the lock. */
  exceptions: Statement;
  /** Sent behind the run. */
  note: Statement;
}

/** How much later than their own time exceptions are deleted, because other runs may name them. */
export const repetitionMs = 86_400_000;

const first = `
  select first.run_id from repeated_runs as first
  where first.organization_id = $1 and first.exceptions_hash = decode($3, 'hex') and first.same_as is null
    and first.run_id >= $4
  order by first.run_id desc limit 1`;

/** Undefined: the run cannot be a repetition, or the organization does not store repetitions once. */
export function repetitionOf(
  run: Run,
  outcomes: readonly Outcome[],
  exceptions: readonly Exception[],
): Repetition | undefined {
  if (!run.rules.keepsReplaysOnce || run.validateOnly) return undefined;
  if (outcomes.some(({ status }) => status === RecordStatus.Created)) return undefined;
  const { organizationId, runId } = run.identity;
  const kept = JSON.stringify(exceptions.map(storable));
  const sameEnd = hash("sha256", `${run.resource.name} ${kept}`, "hex");
  const since = firstIdAt(new Date(run.startedAt.getTime() - repetitionMs));
  const values = [organizationId, runId, sameEnd, since];
  return {
    // The organization comes out of a row, so that a distributed database sees where the new ones belong.
    exceptions: {
      name: "write-exceptions-once",
      text: `
        insert into import_exceptions (${exceptionColumns.join(", ")})
        select turn.organization_id, $2::uuid, kept.position, kept.reference, kept.unusable_reference::json, kept.status,
               kept.reason_code, kept.record_id, kept.error_detail, kept.differences::json
        from import_turns as turn
        cross join json_to_recordset($5) as kept (
          position integer, reference text, unusable_reference text, status smallint, reason_code smallint,
          record_id uuid, error_detail text, differences text
        )
        where turn.organization_id = $1 and not exists (${first})`,
      values: [...values, kept],
    },
    note: {
      name: "note-repetition",
      text: `
        insert into repeated_runs (organization_id, run_id, exceptions_hash, same_as)
        select run.organization_id, run.id, decode($3, 'hex'), (${first})
        from import_runs as run where run.organization_id = $1 and run.id = $2`,
      values,
    },
  };
}

/** JSON can spell what PostgreSQL cannot hold; COPY writes it in the same way. */
function storable(exception: Exception): Exception {
  const { error_detail: detail } = exception;
  return detail === null ? exception : { ...exception, error_detail: Buffer.from(detail).toString() };
}
