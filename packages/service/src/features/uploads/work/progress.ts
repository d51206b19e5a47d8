import { RecordStatus, type ImportRun, type RecordResult } from "@gatehouse-parking/contract";
import { problemsText, type Prepared } from "@gatehouse-parking/record-files";
import type { Statement } from "../../../core/database/pipeline.js";
import { Refused } from "../../../core/refusals/refused.js";
import { countOutcomes, leftOutStatus, type RowOutcome } from "../outcomes.js";
import type { Claim } from "../queue.js";
import { resourceNameOf, type UploadRow } from "../uploads.js";
import type { FileBatch } from "./read-file.js";
import type { Speedometer } from "./speedometer.js";
import { countProblems, type Problems } from "./problems.js";

/** The upload was paused or cancelled, or another instance has taken it over. */
export class LeaseLost extends Refused {
  override name = "LeaseLost";

  constructor() {
    super("overloaded");
  }
}

/** The progress of a check or an import. */
export interface Progress extends Problems {
  decidedRows: number;
  created: number;
  skipped: number;
  conflicts: number;
  failed: number;
  runs: number;
}

export function progressOf(upload: UploadRow): Progress {
  return {
    decidedRows: upload.decided_rows,
    created: upload.created_count,
    skipped: upload.skipped_count,
    conflicts: upload.conflict_count,
    failed: upload.failed_count,
    runs: upload.run_count,
    groups: JSON.parse(upload.problems) as Progress["groups"],
    otherRows: upload.other_problem_rows,
  };
}

/**
 * Throws LeaseLost if the upload has changed since the last batch. Locks the row until the transaction ends, so that neither a
 * user nor another instance changes the upload before the batch is stored. `column` holds the progress.
 */
export function guardStatement(
  { organizationId, uploadId, holder }: Claim,
  column: "decided_rows" | "undo_position",
  position: number,
): Statement {
  return {
    text: `select from uploads
      where organization_id = $1 and id = $2 and holder = $3 and ${column} = $4 and state = 'working' for update`,
    values: [organizationId, uploadId, holder, position],
    take: ({ rowCount }) => {
      if (rowCount !== 1) throw new LeaseLost();
    },
  };
}

/** The progress after a batch, and the statements that store the outcomes of its rows. */
export interface BatchResult {
  progress: Progress;
  statements: Statement[];
}

export interface ImportedBatch {
  upload: UploadRow;
  before: Progress;
  batch: FileBatch;
  speed: Speedometer;
}

/** `run` is undefined if no row of the batch could be converted to a record. */
export function resultOfBatch(
  { upload, before, batch, speed }: ImportedBatch,
  run: ImportRun | undefined,
): BatchResult {
  const results = resultsByRow(batch.rows, run?.results ?? []);
  const outcomes = outcomesOfRows(batch.rows, run?.results ?? []);
  const counts = countOutcomes(outcomes);
  const failures = batch.rows
    .map((row, index) => ({ row, failure: results[index] }))
    .filter((_, index) => outcomes[index]?.[1] === RecordStatus.Failed);
  // A check stores no import.
  const runId = upload.pass === "import" ? run?.referenceUuid : undefined;
  const progress: Progress = {
    ...countProblems(before, resourceNameOf(upload), failures),
    decidedRows: before.decidedRows + batch.rows.length,
    created: before.created + counts.created,
    skipped: before.skipped + counts.skipped,
    conflicts: before.conflicts + counts.conflicts,
    failed: before.failed + counts.failed,
    runs: before.runs + (runId === undefined ? 0 : 1),
  };
  const rows = JSON.stringify(outcomes);
  return {
    progress,
    statements: [
      {
        text: `insert into upload_batches (organization_id, upload_id, pass_number, first_row, row_count, first_line, last_line,
            run_id, created_count, skipped_count, conflict_count, failed_count, rows)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
        values: [
          upload.organization_id,
          upload.id,
          upload.pass_number,
          batch.firstRow,
          batch.rows.length,
          (batch.rows[0] as Prepared).line,
          (batch.rows.at(-1) as Prepared).line,
          runId ?? null,
          counts.created,
          counts.skipped,
          counts.conflicts,
          counts.failed,
          rows,
        ],
      },
      {
        text: `update uploads set decided_rows = $3, created_count = $4, skipped_count = $5, failed_count = $6, run_count = $7,
            problems = $8, other_problem_rows = $9, speed = $10, kept_bytes = kept_bytes + $11, conflict_count = $12,
            findings = $13, changed_at = now()
          where organization_id = $1 and id = $2`,
        values: [
          upload.organization_id,
          upload.id,
          progress.decidedRows,
          progress.created,
          progress.skipped,
          progress.failed,
          progress.runs,
          JSON.stringify(progress.groups),
          progress.otherRows,
          speed.perSecond(progress.decidedRows),
          Buffer.byteLength(rows),
          progress.conflicts,
          JSON.stringify(batch.findings),
        ],
      },
    ],
  };
}

/** The outcomes of rows, of which those with a text were imported with these results. */
export function outcomesOfRows(rows: readonly Prepared[], imported: readonly RecordResult[]): RowOutcome[] {
  const results = resultsByRow(rows, imported);
  return rows.map((row, index) => outcomeOf(row, results[index]));
}

/** Only rows with a text were imported. */
function resultsByRow(
  rows: readonly Prepared[],
  results: readonly RecordResult[],
): (RecordResult | undefined)[] {
  let position = 0;
  return rows.map(({ text }) => (text === undefined ? undefined : results[position++]));
}

function outcomeOf(
  { line, cells, refusal, filteredBy }: Prepared,
  result: RecordResult | undefined,
): RowOutcome {
  if (filteredBy) {
    const message = `"${filteredBy.column}" is "${filteredBy.value.trim()}"`;
    return [line, leftOutStatus, null, null, message, "", cells];
  }
  if (!result) {
    const message = problemsText(refusal?.problems ?? []);
    return [line, RecordStatus.Failed, null, null, message, refusal?.reference ?? "", cells];
  }
  const { status, uuid = null, reasonCode = null, errorDetail = null, reference } = result;
  return [line, status, uuid, reasonCode, errorDetail, reference, cells];
}
