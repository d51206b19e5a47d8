import type { ImportResource, ReasonCode, RecordResult } from "@gatehouse-parking/contract";
import type pg from "pg";
import { failedResult, skippedResult } from "../../imports/report.js";
import { resources, type ResourceDefinition } from "../../imports/resources.js";
import type { FieldDifference, ResolutionTrace, ResolvedRelation, RunResult } from "../api.js";

/**
 * The outcomes of a run, by position: what was created is read from the records themselves, the rest from the run's
 * exceptions. At most 500 rows, each found by its run.
 */
export async function readResults(
  pool: pg.Pool,
  organizationId: string,
  runId: string,
  resource: ImportResource,
): Promise<RunResult[]> {
  const created = await pool.query<CreatedRow>(createdStatements[resource], [organizationId, runId]);
  const exceptions = await readExceptions(pool, organizationId, runId);
  return [...created.rows.map(toCreated), ...exceptions.map((row) => toException(row, resource))].toSorted(
    (one, other) => one.position - other.position,
  );
}

interface CreatedRow extends Partial<TraceColumns> {
  position: number;
  reference: string;
  id: string;
}

export interface TraceColumns {
  account_id: string | null;
  account_via: string | null;
  contact_id: string | null;
  contact_via: string | null;
  vehicle_id: string | null;
  vehicle_via: string | null;
  subscription_id: string | null;
  subscription_via: string | null;
}

const createdStatements: Record<ImportResource, string> = {
  1: `select position, transaction_id as reference, id, account_id, account_via, contact_id, contact_via,
             vehicle_id, vehicle_via, subscription_id, subscription_via
      from transactions where organization_id = $1 and import_run_id = $2`,
  2: `select position, tp_reference_id as reference, id from accounts
      where organization_id = $1 and import_run_id = $2`,
  3: `select position, tp_reference_id as reference, id from subscriptions
      where organization_id = $1 and import_run_id = $2`,
};

export interface ExceptionRow {
  position: number;
  reference: string | null;
  unusable_reference: string | null;
  status: 3 | 4;
  reason_code: number;
  record_id: string | null;
  error_detail: string | null;
  differences: string | null;
}

export async function readExceptions(
  pool: pg.Pool,
  organizationId: string,
  runId: string,
): Promise<ExceptionRow[]> {
  const { rows } = await pool.query<ExceptionRow>(
    `select position, reference, unusable_reference, status, reason_code, record_id, error_detail, differences
     from import_exceptions where organization_id = $1 and run_id = $2 order by position`,
    [organizationId, runId],
  );
  return rows;
}

/** What was sent as the record's reference, even if it could not be one. */
export function sentReference(row: Pick<ExceptionRow, "reference" | "unusable_reference">): string {
  if (row.reference !== null) return row.reference;
  return row.unusable_reference === null ? "" : (JSON.parse(row.unusable_reference) as string);
}

function toCreated(row: CreatedRow): RunResult {
  const trace = traceOf(row);
  return {
    position: row.position,
    reference: row.reference,
    status: 1,
    uuid: row.id,
    ...(trace ? { trace } : {}),
  };
}

/** How each relation of a transaction was found or made; undefined if it has none. */
export function traceOf(row: Partial<TraceColumns>): ResolutionTrace | undefined {
  const trace: ResolutionTrace = {};
  for (const name of ["account", "contact", "vehicle", "subscription"] as const) {
    const relation = relationOf(row[`${name}_via`], row[`${name}_id`]);
    if (relation) trace[name] = relation;
  }
  return Object.keys(trace).length === 0 ? undefined : trace;
}

function relationOf(
  via: string | null | undefined,
  id: string | null | undefined,
): ResolvedRelation | undefined {
  return via ? { via, uuid: id ?? null } : undefined;
}

function toException(row: ExceptionRow, resource: ImportResource): RunResult {
  return {
    position: row.position,
    ...answeredResult(row, resource),
    status: row.status,
    ...(row.differences === null ? {} : { differences: JSON.parse(row.differences) as FieldDifference[] }),
  };
}

/** In the very words of the answer that the partner got. */
function answeredResult(row: ExceptionRow, number: ImportResource): RecordResult {
  const reference = sentReference(row);
  if (row.status === 4) return failedResult(reference, row.reason_code as ReasonCode, row.error_detail ?? "");
  const resource = resources.find((known) => known.number === number) as ResourceDefinition;
  return skippedResult(resource, reference, row.record_id ?? "");
}
