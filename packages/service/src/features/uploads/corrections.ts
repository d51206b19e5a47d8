import { RecordStatus } from "@gatehouse-parking/contract";
import type { UploadCorrection } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { byteOrderMark, csvLine } from "../../core/downloads/row-format.js";
import { columnsOf, findUpload, type UploadKey } from "./uploads.js";
import { statusNames, type RowOutcome, type RowsPage, type RowsQuery } from "./outcomes.js";

/** The latest attempt of a row that somebody corrected. */
export interface Attempt {
  row: number;
  attempt: number;
  outcome: RowOutcome;
  by: string;
}

interface AttemptRow {
  row_number: number;
  attempt: number;
  outcome: string;
  corrected_by: string;
}

export interface RowRange extends UploadKey {
  passNumber: number;
  /** Rows are counted from 1. */
  first: number;
  last: number;
}

export async function latestAttempts(
  connection: pg.Pool | pg.PoolClient,
  { organizationId, uploadId, passNumber, first, last }: RowRange,
): Promise<Map<number, Attempt>> {
  const { rows } = await connection.query<AttemptRow>(
    `select distinct on (row_number) row_number, attempt, outcome, corrected_by from upload_corrections
     where organization_id = $1 and upload_id = $2 and pass_number = $3 and row_number between $4 and $5
     order by row_number, attempt desc`,
    [organizationId, uploadId, passNumber, first, last],
  );
  return new Map(
    rows.map(({ row_number: row, attempt, outcome, corrected_by: by }) => [
      row,
      { row, attempt, outcome: JSON.parse(outcome) as RowOutcome, by },
    ]),
  );
}

interface CorrectionRow {
  correction: number;
  run_id: string | null;
  corrected_by: string;
  corrected_at: Date;
  rows: number;
  created: number;
  skipped: number;
  failed: number;
  is_undone: boolean;
}

/** Newest first. `after` is one more than the number of the last correction to leave out, counted from the newest. */
export async function listUploadCorrections(
  pool: pg.Pool,
  { after = 0, limit, ...key }: RowsQuery,
): Promise<RowsPage<UploadCorrection>> {
  const { pass_number: pass } = await findUpload(pool, key);
  const { rows } = await pool.query<CorrectionRow>(
    `select sent.*, exists (
       select from import_runs
       where import_runs.organization_id = $1 and import_runs.id = sent.run_id and undone_at is not null
     ) as is_undone
     from (
       select correction, run_id, corrected_by, corrected_at, count(*)::int as rows,
              count(*) filter (where status = ${RecordStatus.Created})::int as created,
              count(*) filter (where status = ${RecordStatus.Skipped})::int as skipped,
              count(*) filter (where status = ${RecordStatus.Failed})::int as failed
       from upload_corrections
       where organization_id = $1 and upload_id = $2 and pass_number = $3
       group by correction, run_id, corrected_by, corrected_at
       order by correction desc offset $4 limit $5
     ) as sent order by correction desc`,
    [key.organizationId, key.uploadId, pass, after, limit + 1],
  );
  return {
    data: rows.slice(0, limit).map((row) => ({
      number: row.correction + 1,
      referenceUuid: row.run_id,
      by: row.corrected_by,
      at: row.corrected_at.toISOString(),
      rows: row.rows,
      created: row.created,
      skipped: row.skipped,
      failed: row.failed,
      isUndone: row.is_undone,
    })),
    nextAfter: rows.length > limit ? after + limit : null,
  };
}

const attemptsPerPage = 500;
const attemptColumns = ["row", "line", "attempt", "correctedBy", "correctedAt", "outcome", "uuid", "message"];

interface StoredAttempt extends AttemptRow {
  corrected_at: Date;
}

/** Every attempt of every corrected row, with the cells that were sent. */
export async function* downloadCorrections(pool: pg.Pool, key: UploadKey): AsyncGenerator<string> {
  const upload = await findUpload(pool, key);
  yield byteOrderMark + csvLine([...attemptColumns, ...(columnsOf(upload) ?? [])]);
  let [row, attempt] = [0, 0];
  for (;;) {
    const { rows } = await pool.query<StoredAttempt>(
      `select row_number, attempt, outcome, corrected_by, corrected_at from upload_corrections
       where organization_id = $1 and upload_id = $2 and pass_number = $3 and (row_number, attempt) > ($4, $5)
       order by row_number, attempt limit ${attemptsPerPage}`,
      [key.organizationId, key.uploadId, upload.pass_number, row, attempt],
    );
    for (const stored of rows) {
      const [line, status, uuid, , message, , cells] = JSON.parse(stored.outcome) as RowOutcome;
      const { row_number: number, corrected_by: by, corrected_at: at } = stored;
      const sent = [number, line, stored.attempt, by, at.toISOString()];
      yield csvLine([...sent, statusNames.get(status), uuid, message, ...cells]);
    }
    const last = rows.at(-1);
    if (!last || rows.length < attemptsPerPage) return;
    [row, attempt] = [last.row_number, last.attempt];
  }
}
