import {
  RecordStatus,
  type ImportResource,
  type ReasonCode,
  type RecordResult,
  reasons,
} from "@gatehouse-parking/contract";
import type { FieldDifference, RunResult, ResolutionTrace } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import type { Outcome } from "../judge/decision.js";
import { createdResult, failedResult, skippedResult } from "../report.js";
import { resourceOf, resources } from "../resources.js";

/** The name, meaning and advice of a reason code, from the contract. */
export function explainReason(code: number): { name: string; meaning: string; advice: string } {
  const known = reasons.find((reason) => reason.code === code);
  return known
    ? { name: known.name, meaning: known.meaning, advice: known.advice }
    : { name: `Reason ${code}`, meaning: "This code is not known to this release.", advice: "" };
}

const relations = ["account", "contact", "vehicle", "subscription"] as const;
type Relation = (typeof relations)[number];

/** The columns of a transaction with the resolution of each relation. */
export type TraceColumns = Record<`${Relation}_id` | `${Relation}_via`, string | null>;

export const traceColumns = relations.flatMap((name) => [`${name}_id`, `${name}_via`]);

/** How each relation of a transaction was resolved; undefined if it has none. */
export function traceOf(row: Partial<TraceColumns>): ResolutionTrace | undefined {
  const trace: ResolutionTrace = {};
  for (const name of relations) {
    const via = row[`${name}_via`];
    if (via) trace[name] = { via, uuid: row[`${name}_id`] ?? null };
  }
  return Object.keys(trace).length === 0 ? undefined : trace;
}

/**
 * The outcomes of a run, by position. Created records are read from their tables, or from the tables of undone and deleted
 * records. The others are the exceptions of the run, or of the run that it repeats. At most 500 rows.
 */
export async function readResults(pool: pg.Pool, run: RunToRead): Promise<RecordResult[]> {
  const rows = await readRows<OutcomeRow>(pool, run, "answered");
  return rows.map((row) => answeredResult(row, run.resource));
}

/** The same outcomes with the resolution of relations and the differences of skipped records. */
export async function explainResults(pool: pg.Pool, run: RunToRead): Promise<RunResult[]> {
  const rows = await readRows<ExplainedRow>(pool, run, "explained");
  return rows.map((row) => {
    const trace = traceOf(row);
    return {
      position: row.position,
      ...answeredResult(row, run.resource),
      status: row.status,
      ...(row.is_removed ? { takenBack: true as const } : {}),
      ...(row.deleted_at === null ? {} : { deletedAt: row.deleted_at.toISOString() }),
      ...(trace ? { trace } : {}),
      ...(row.differences === null ? {} : { differences: JSON.parse(row.differences) as FieldDifference[] }),
    };
  });
}

export interface RunToRead {
  organizationId: string;
  runId: string;
  resource: ImportResource;
}

interface OutcomeRow {
  position: number;
  reference: string | null;
  /** A key that was sent but is not usable, as JSON. */
  unusable_reference: string | null;
  status: Outcome["status"];
  record_id: string | null;
  reason_code: ReasonCode | null;
  error_detail: string | null;
}

interface ExplainedRow extends OutcomeRow, Partial<TraceColumns> {
  differences: string | null;
  /** It was created, and an undo has removed it. */
  is_removed: boolean;
  /** It was created, and retention has deleted it. */
  deleted_at: Date | null;
}

type Depth = "answered" | "explained";

async function readRows<Row extends OutcomeRow>(
  pool: pg.Pool,
  { organizationId, runId, resource }: RunToRead,
  depth: Depth,
): Promise<Row[]> {
  const { name } = resourceOf(resource);
  const { rows } = await pool.query<Row & pg.QueryResultRow>({
    name: `results-${depth}-${name}`,
    text: statements[depth][resource],
    values: [organizationId, runId],
  });
  return rows;
}

const statements = { answered: statementsOf("answered"), explained: statementsOf("explained") };

function statementsOf(depth: Depth): Record<ImportResource, string> {
  return Object.fromEntries(
    resources.map(({ number, name, keyColumn }) => {
      const traced = depth === "explained" && name === "transactions" ? traceColumns : [];
      const untraced = traced.map(() => "null");
      const explained = (...columns: string[]) => (depth === "explained" ? columns : []);
      const ofRecord = [
        ...traced,
        ...explained("null::json as differences", "false as is_removed", "null::timestamptz as deleted_at"),
      ];
      const ofRemoved = [...untraced, ...explained("null", "true", "null")];
      const ofDeleted = [...untraced, ...explained("null", "false", "deleted_at")];
      const ofException = [...untraced, ...explained("differences", "false", "null")];
      return [
        number,
        `
      select position, ${keyColumn} as reference, null::json as unusable_reference, 1::smallint as status,
             id as record_id, null::smallint as reason_code, null as error_detail${listed(ofRecord)}
      from ${name} where organization_id = $1 and import_run_id = $2
      union all
      select position, reference, null, 1, record_id, null, null${listed(ofRemoved)}
      from undo_records where organization_id = $1 and run_id = $2 and is_removed and kind = '${name}'
      union all
      select position, reference, null, 1, record_id, null, null${listed(ofDeleted)}
      from deleted_records where organization_id = $1 and run_id = $2 and kind = '${name}'
      union all
      select position, reference, unusable_reference, status, record_id, reason_code, error_detail${listed(ofException)}
      from import_exceptions where organization_id = $1 and run_id = coalesce((
        select same_as from repeated_runs where organization_id = $1 and run_id = $2
      ), $2)
      order by position`,
      ];
    }),
  ) as Record<ImportResource, string>;
}

function listed(columns: readonly string[]): string {
  return columns.map((column) => `, ${column}`).join("");
}

/** The result exactly as the partner got it. */
function answeredResult(row: OutcomeRow, resource: ImportResource): RecordResult {
  const reference = sentReference(row);
  if (row.status === RecordStatus.Created) return createdResult(reference, row.record_id as string);
  if (row.status === RecordStatus.Skipped)
    return skippedResult(resourceOf(resource), reference, row.record_id as string, row.error_detail);
  return failedResult(reference, row.reason_code as ReasonCode, row.error_detail ?? "");
}

function sentReference(row: OutcomeRow): string {
  if (row.reference !== null) return row.reference;
  return row.unusable_reference === null ? "" : (JSON.parse(row.unusable_reference) as string);
}
