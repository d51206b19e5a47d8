import { RecordStatus } from "@gatehouse-parking/contract";
import { hash } from "node:crypto";
import type { Statement } from "../../core/database/pipeline.js";
import type { Outcome } from "../../core/imports/judge/decision.js";
import type { Run } from "../../core/imports/run.js";
import { exceptionColumns, type Exception } from "../../core/imports/write/exceptions.js";
import { firstIdAt } from "../../core/paging/pages.js";

/** Exceptions are stored this much longer than their retention period, because later runs may refer to them. */
export const identicalResendMs = 86_400_000;

/** The run of the last day with the same outcomes that stores the exceptions. */
const original = `
  select original.run_id from repeated_runs as original
  where original.organization_id = $1 and original.exceptions_hash = decode($3, 'hex') and original.same_as is null
    and original.run_id >= $4
  order by original.run_id desc limit 1`;

/**
 * Stores identical resends once a day. A run that created nothing and ended as an earlier one, record by record, refers to
 * that run instead of storing its exceptions again. The database decides under the organization's lock, so no round trip is
 * added. Undefined if the run created something, or if the organization has not switched this on.
 */
export function storeIdenticalResendsOnce(
  run: Run,
  outcomes: readonly Outcome[],
  exceptions: readonly Exception[],
): Statement[] | undefined {
  if (!run.rules.keepsReplaysOnce || run.validateOnly) return undefined;
  if (outcomes.some(({ status }) => status === RecordStatus.Created)) return undefined;
  const { organizationId, runId } = run.identity;
  const json = JSON.stringify(exceptions.map(withoutLoneSurrogates));
  const outcomesHash = hash("sha256", `${run.resource.name} ${json}`, "hex");
  const since = firstIdAt(new Date(run.startedAt.getTime() - identicalResendMs));
  const values = [organizationId, runId, outcomesHash, since];
  return [
    {
      name: "write-exceptions-once",
      // The organization comes from a row, so that a distributed database knows the shard of the new rows.
      text: `
        insert into import_exceptions (${exceptionColumns.join(", ")})
        select turn.organization_id, $2::uuid, exception.position, exception.reference,
               exception.unusable_reference::json, exception.status, exception.reason_code, exception.record_id,
               exception.error_detail, exception.differences::json
        from import_turns as turn
        cross join json_to_recordset($5) as exception (
          position integer, reference text, unusable_reference text, status smallint, reason_code smallint,
          record_id uuid, error_detail text, differences text
        )
        where turn.organization_id = $1 and not exists (${original})`,
      values: [...values, json],
    },
    {
      name: "note-repetition",
      text: `
        insert into repeated_runs (organization_id, run_id, exceptions_hash, same_as)
        select run.organization_id, run.id, decode($3, 'hex'), (${original})
        from import_runs as run where run.organization_id = $1 and run.id = $2`,
      values,
    },
  ];
}

/** JSON can spell lone surrogates, which PostgreSQL cannot store. COPY replaces them in the same way. */
function withoutLoneSurrogates(exception: Exception): Exception {
  const { error_detail: detail } = exception;
  return detail === null ? exception : { ...exception, error_detail: Buffer.from(detail).toString() };
}
