import {
  reasonName,
  RecordStatus,
  storedWithOtherValues,
  type ReasonCode,
  type UploadOutcomePage,
} from "@gatehouse-parking/contract";
import type { RowChoice, UploadFailure, UploadRun } from "@gatehouse-parking/contract/console";
import { failureColumns, failurePrefix } from "@gatehouse-parking/record-files";
import type pg from "pg";
import { byteOrderMark, csvLine, guardedCell } from "../../core/downloads/row-format.js";
import { latestAttempts, type Attempt } from "./corrections.js";
import { columnsOf, findUpload, type UploadKey, type UploadRow } from "./uploads.js";

/** The status of a row that the mapping leaves out. It has no import, so it is not a status of records. */
export const leftOutStatus = 0;

/** A row of a file with its outcome, as upload_batches stores it: an array, because there are many. */
export type RowOutcome = [
  line: number,
  status: RecordStatus | typeof leftOutStatus,
  uuid: string | null,
  /** Null for a failed row that could not be converted to a record. */
  reasonCode: number | null,
  message: string | null,
  reference: string,
  cells: string[],
];

/** The record is stored already, with other values. */
function isConflict([, status, , , message]: RowOutcome): boolean {
  return status === RecordStatus.Skipped && (message?.includes(storedWithOtherValues) ?? false);
}

export interface OutcomeCounts {
  created: number;
  /** With conflicts. */
  skipped: number;
  conflicts: number;
  failed: number;
}

export function countOutcomes(outcomes: readonly RowOutcome[]): OutcomeCounts {
  const count = (status: RecordStatus) => outcomes.filter((outcome) => outcome[1] === status).length;
  return {
    created: count(RecordStatus.Created),
    skipped: count(RecordStatus.Skipped),
    conflicts: outcomes.filter(isConflict).length,
    failed: count(RecordStatus.Failed),
  };
}

interface BatchRow {
  first_row: number;
  row_count: number;
  first_line: number;
  last_line: number;
  run_id: string;
  created_count: number;
  skipped_count: number;
  failed_count: number;
  is_undone: boolean;
}

export interface RowsPage<T> {
  data: T[];
  nextAfter: number | null;
}
export type RowsQuery = UploadKey & { after?: number | undefined; limit: number };

/** The first import of the file in its current pass. In the list of imports, it stands for the whole file. */
export async function findFirstRun(
  connection: pg.Pool | pg.PoolClient,
  upload: Pick<UploadRow, "organization_id" | "id" | "pass_number">,
): Promise<string | undefined> {
  const { rows } = await connection.query<{ run_id: string }>(
    `select run_id from upload_batches
     where organization_id = $1 and upload_id = $2 and pass_number = $3 and run_id is not null
     order by first_row limit 1`,
    [upload.organization_id, upload.id, upload.pass_number],
  );
  return rows[0]?.run_id;
}

/** In the order of the file. `after` is the first row of the last import seen, plus one. */
export async function listUploadRuns(
  pool: pg.Pool,
  { after = 0, limit, ...key }: RowsQuery,
): Promise<RowsPage<UploadRun>> {
  const { pass_number: pass } = await findUpload(pool, key);
  const { rows } = await pool.query<BatchRow>(
    `select first_row, row_count, first_line, last_line, run_id, created_count, skipped_count, failed_count,
            exists (
              select from import_runs
              where import_runs.organization_id = $1 and import_runs.id = run_id and undone_at is not null
            ) as is_undone
     from upload_batches
     where organization_id = $1 and upload_id = $2 and pass_number = $3 and first_row >= $4 and run_id is not null
     order by first_row limit $5`,
    [key.organizationId, key.uploadId, pass, after, limit + 1],
  );
  const page = rows.slice(0, limit);
  return {
    data: page.map((row) => ({
      referenceUuid: row.run_id,
      firstLine: row.first_line,
      lastLine: row.last_line,
      rows: row.row_count,
      created: row.created_count,
      skipped: row.skipped_count,
      failed: row.failed_count,
      isUndone: row.is_undone,
    })),
    nextAfter: rows.length > limit ? (page.at(-1) as BatchRow).first_row + 1 : null,
  };
}

/** A row may have 5 MB, so a page may end before its limit of rows. */
const maxPageLength = 2 * 1024 * 1024;

export function listUploadFailures(
  pool: pg.Pool,
  { rows: only = "failed", ...query }: RowsQuery & { rows?: RowChoice | undefined },
): Promise<RowsPage<UploadFailure>> {
  return pageOfOutcomes(pool, { ...query, only }, ({ row, outcome, attempt, by }) => {
    const [line, , , reasonCode, message, reference, cells] = outcome;
    const correctedBy = by ?? null;
    return { row, line, reference, reasonCode, message: message ?? "", cells, attempt, correctedBy };
  });
}

/** As an import answers the outcomes of its records: without what does not apply. */
export function listUploadOutcomes(pool: pg.Pool, query: RowsQuery & WantedRows): Promise<UploadOutcomePage> {
  return pageOfOutcomes(pool, query, ({ row, outcome }) => {
    const [line, status, uuid, reasonCode, message, reference] = outcome;
    return {
      ...{ row, line, reference, status },
      ...(uuid === null ? {} : { uuid }),
      ...(reasonCode === null ? {} : { reasonCode: reasonCode as ReasonCode }),
      ...(message === null ? {} : { errorDetail: message }),
    };
  });
}

/** In the order of the file. `after` is the last row seen. */
async function pageOfOutcomes<Item extends { row: number }>(
  pool: pg.Pool,
  { after = 0, limit, only, ...key }: RowsQuery & WantedRows,
  toItem: (latest: LatestOutcome) => Item,
): Promise<RowsPage<Item>> {
  const { pass_number: passNumber } = await findUpload(pool, key);
  const found: Item[] = [];
  let length = 0;
  for await (const latest of outcomesOf(pool, { ...key, passNumber, after, only })) {
    length += lengthOf(latest.outcome);
    if (found.length === limit || (found.length > 0 && length > maxPageLength))
      return { data: found, nextAfter: (found.at(-1) as Item).row };
    found.push(toItem(latest));
  }
  return { data: found, nextAfter: null };
}

function lengthOf([, , , , message, reference, cells]: RowOutcome): number {
  return cells.reduce((sum, cell) => sum + cell.length, (message ?? "").length + reference.length);
}

interface WantedRows {
  only?: RowChoice | undefined;
}

interface OutcomesQuery extends UploadKey, WantedRows {
  passNumber: number;
  after: number;
}

const isWanted: Record<RowChoice, (outcome: RowOutcome) => boolean> = {
  failed: ([, status]) => status === RecordStatus.Failed,
  conflicts: isConflict,
};

/** Selects the batches that may have such rows. Failed rows may have been corrected. */
const batchesWith: Record<RowChoice, string> = {
  failed: `failed_count > 0 and failed_count > (
    select count(*) from upload_corrections
    where organization_id = $1 and upload_id = $2 and pass_number = $3 and status <> ${RecordStatus.Failed}
      and row_number > first_row and row_number <= first_row + row_count)`,
  conflicts: `(conflict_count > 0 or exists (
    select from upload_corrections
    where organization_id = $1 and upload_id = $2 and pass_number = $3 and status = ${RecordStatus.Skipped}
      and row_number > first_row and row_number <= first_row + row_count))`,
};

/** The latest outcome of a row. `attempt` is 0 unless somebody has corrected the row. */
export interface LatestOutcome extends Omit<Attempt, "by"> {
  by: string | undefined;
}

/** Rows are counted from 1. Reads one batch at a time, to limit memory. */
export async function* outcomesOf(
  pool: pg.Pool,
  { organizationId, uploadId, passNumber, after, only }: OutcomesQuery,
): AsyncGenerator<LatestOutcome> {
  let seen = after;
  for (;;) {
    const { rows } = await pool.query<{ first_row: number; row_count: number; rows: string }>(
      `select first_row, row_count, rows from upload_batches
       where organization_id = $1 and upload_id = $2 and pass_number = $3 and first_row + row_count > $4
         and ${only ? batchesWith[only] : "true"}
       order by first_row limit 1`,
      [organizationId, uploadId, passNumber, seen],
    );
    const [batch] = rows;
    if (!batch) return;
    const range = { first: batch.first_row + 1, last: batch.first_row + batch.row_count };
    const corrected = await latestAttempts(pool, { organizationId, uploadId, passNumber, ...range });
    for (const [index, outcome] of (JSON.parse(batch.rows) as RowOutcome[]).entries()) {
      const row = range.first + index;
      const latest = corrected.get(row) ?? { row, attempt: 0, outcome, by: undefined };
      if (row > after && (!only || isWanted[only](latest.outcome))) yield latest;
    }
    seen = range.last;
  }
}

const outcomeColumns = ["outcome", "uuid", "message"];
export const statusNames = new Map(
  Object.entries({ ...RecordStatus, LeftOut: leftOutStatus }).map(([name, status]) => [
    status as number,
    name,
  ]),
);

/** Every row of the file with its outcome. */
export async function* downloadOutcomes(pool: pg.Pool, key: UploadKey): AsyncGenerator<string> {
  const upload = await findUpload(pool, key);
  yield byteOrderMark + csvLine([...(columnsOf(upload) ?? []), ...outcomeColumns]);
  const wanted = { ...key, passNumber: upload.pass_number, after: 0 };
  for await (const { outcome } of outcomesOf(pool, wanted)) {
    const [, status, uuid, , message, , cells] = outcome;
    yield csvLine([...cells, statusNames.get(status), uuid, message]);
  }
}

/** Failed rows or conflicts. The columns that are added are ignored when the corrected file is uploaded. */
export async function* downloadFailedRows(
  pool: pg.Pool,
  key: UploadKey,
  only: RowChoice = "failed",
): AsyncGenerator<string> {
  const upload = await findUpload(pool, key);
  const columns = columnsOf(upload) ?? [];
  const positions = ownPositions(columns);
  const ownCells = (cells: readonly string[]) =>
    positions.map((position) => guardedCell(cells[position] as string));
  yield byteOrderMark + csvLine([...ownCells(columns), ...failureColumns]);
  const wanted = { ...key, passNumber: upload.pass_number, after: 0, only };
  for await (const { outcome } of outcomesOf(pool, wanted)) {
    const [line, , , reasonCode, message, , cells] = outcome;
    const name = reasonCode === null ? undefined : reasonName(reasonCode);
    yield csvLine([...ownCells(cells), line, reasonCode, name, message]);
  }
}

/** Whether these are the columns of a file that `downloadFailedRows` wrote. */
export function isFailedRowsFile(columns: readonly string[]): boolean {
  return failureColumns.every(
    (name, index) => columns[columns.length - failureColumns.length + index] === name,
  );
}

/** Without the added columns of failed rows: a corrected file that fails again gets new ones. */
export function ownPositions(columns: readonly string[]): number[] {
  return [...columns.keys()].filter((position) => !columns[position]?.startsWith(failurePrefix));
}
