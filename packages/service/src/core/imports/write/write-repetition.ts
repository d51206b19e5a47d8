import { RecordStatus } from "@gatehouse-parking/contract";
import { hash } from "node:crypto";
import type { Statement } from "../../database/pipeline.js";
import { firstIdAt } from "../../paging/time-ordered-ids.js";
import type { Outcome } from "../judge/decision.js";
import type { Run } from "../run.js";
import { exceptionColumns, type Exception } from "./write-exceptions.js";

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

export function mayBeRepetition({ rules, validateOnly }: Run, outcomes: readonly Outcome[]): boolean {
  return (
    rules.keepsReplaysOnce && !validateOnly && outcomes.every(({ status }) => status !== RecordStatus.Created)
  );
}

const first = `
  select first.run_id from repeated_runs as first
  where first.organization_id = $1 and first.exceptions_hash = decode($3, 'hex') and first.same_as is null
    and first.run_id >= $4
  order by first.run_id desc limit 1`;

export function repetitionOf(run: Run, exceptions: readonly Exception[]): Repetition {
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
