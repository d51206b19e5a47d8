import { isStorableText, type ImportResource } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { Occurrence } from "@gatehouse-parking/contract/console";
import { explainReason } from "../imports/history/run-results.js";
import { momentOfId } from "../paging/pages.js";

interface OccurrenceRow {
  run_id: string;
  position: number;
  started_at: Date | null;
  resource: ImportResource;
  reference: string;
  status: 3 | 4;
  reason_code: number;
  error_detail: string | null;
  has_differences: boolean;
  repeated_count: number;
  last_run_id: string | null;
}

const maxOccurrences = 50;

/** The skipped and failed records with a reference. */
export async function findOccurrences(
  pool: pg.Pool,
  input: { organizationId: string; reference: string; resource: ImportResource | undefined },
): Promise<Occurrence[]> {
  if (!isStorableText(input.reference)) return [];
  const { rows } = await pool.query<OccurrenceRow>(
    `select exception.run_id, exception.position, run.started_at, run.resource, exception.reference,
            exception.status, exception.reason_code, exception.error_detail,
            exception.differences is not null as has_differences, repeated.count as repeated_count,
            repeated.last_run_id
     from import_exceptions as exception
     join import_runs as run on run.organization_id = exception.organization_id and run.id = exception.run_id
     left join lateral (
       select count(*) as count, max(again.run_id::text) as last_run_id
       from repeated_runs as again where again.organization_id = $1 and again.same_as = exception.run_id
     ) as repeated on true
     where exception.organization_id = $1 and exception.reference = $2
       and ($3::smallint is null or run.resource = $3)
     order by exception.run_id desc, exception.position desc limit ${maxOccurrences}`,
    [input.organizationId, input.reference, input.resource ?? null],
  );
  return rows.map((row) => ({
    referenceUuid: row.run_id,
    position: row.position,
    startedAt: row.started_at?.toISOString() ?? null,
    resource: row.resource,
    reference: row.reference,
    status: row.status,
    reasonCode: row.reason_code,
    reasonName: explainReason(row.reason_code).name,
    errorDetail: row.error_detail,
    hasDifferences: row.has_differences,
    ...(row.last_run_id === null
      ? {}
      : {
          repeated: {
            count: row.repeated_count,
            lastReferenceUuid: row.last_run_id,
            lastAt: momentOfId(row.last_run_id).toISOString(),
          },
        }),
  }));
}
