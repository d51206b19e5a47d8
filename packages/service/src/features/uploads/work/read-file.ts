import type pg from "pg";
import { uploadPieceBytes, maxBodyBytes } from "@gatehouse-parking/contract";
import {
  FileFindings,
  InputError,
  LocationIndex,
  MappingError,
  needsLocations,
  prepareRows,
  readingFacts,
  readingText,
  readTable,
  recognizeFile,
  requireAnswers,
  setAsideCount,
  toMapping,
  type Finding,
  type Mapping,
  type Prepared,
  type PrepareOptions,
  type Row,
  sizeText,
  type ReadScheduler,
} from "@gatehouse-parking/record-files";
import { nowMs } from "../../../core/clock.js";
import { readAllLocations } from "../../../core/locations/list-locations.js";
import { unguardedCell } from "../../../core/downloads/row-format.js";
import { isFailedRowsFile } from "../outcomes.js";
import { resourceNameOf, type UploadRow, type UploadKey } from "../uploads.js";
import { maxUnpackedBytes, maxUploadRows } from "../limits.js";
import type { CpuBudget } from "./cpu-budget.js";

/** A file that is being read: its rows, and a function that converts each row to a record. */
export interface OpenFile {
  columns: string[];
  /** Lines that are not records, among the rows read so far. */
  readonly setAside: number;
  /** About the rows so far. */
  findings: FileFindings;
  /** Describes unusual encodings, separators, lines that are not records and the like to the user. */
  readonly reading: string;
  rows: AsyncIterable<Row>;
  prepare(row: Row): Prepared;
  /** Adds the findings about the row that was converted last. */
  addFindings(): void;
}

/** Opens an uploaded file with the mapping of the upload, in the same way as gatehouse-push. */
export async function openFile(
  pool: pg.Pool,
  upload: UploadRow,
  { signal, pace }: { signal: AbortSignal; pace: CpuBudget },
): Promise<OpenFile> {
  const { organization_id: organizationId, id: uploadId, size_bytes: size } = upload;
  const file = { organizationId, uploadId, size, signal, pace };
  const stored = fileBytes(pool, file);
  const mapping = toMapping(JSON.parse(upload.mapping ?? "{}"));
  const given = mapping.file ?? {};
  const resource = resourceNameOf(upload);
  return withUserErrors(async () => {
    if (upload.pass === "import") requireAnswers(mapping);
    const { reading, chunks } = await recognizeFile(stored, given, { signal, scheduler: pace });
    const arrayName = resource;
    const table = await readTable(limitSize(chunks, signal, pace), {
      ...reading,
      arrayName,
      signal,
      scheduler: pace,
    });
    const options = await pace.wait(prepareOptions(pool, upload, mapping));
    const findings = new FileFindings({ nowMs: nowMs(), earlier: JSON.parse(upload.findings) as Finding[] });
    let addFindings: () => void = () => undefined;
    const later: PrepareOptions["findings"] = {
      addFiltered: (prepared) => (addFindings = () => findings.addFiltered(prepared)),
      addRecord: (...record) => (addFindings = () => findings.addRecord(...record)),
    };
    const facts = () => table.facts?.() ?? [];
    return {
      columns: table.columns,
      findings,
      get setAside() {
        return setAsideCount(facts());
      },
      get reading() {
        return readingText([...readingFacts(reading, given), ...facts()]);
      },
      rows: isFailedRowsFile(table.columns) ? unguardedRows(table.rows) : table.rows,
      prepare: prepareRows(table.columns, resource, { ...options, findings: later }),
      addFindings() {
        addFindings();
        addFindings = () => undefined;
      },
    };
  });
}

/** Only errors in a file or a mapping are shown to users. */
export async function withUserErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isForUsers = error instanceof InputError || error instanceof MappingError;
    throw isForUsers ? new UnreadableFile(error.message, { cause: error }) : error;
  }
}

/** How rows are converted with the mapping of an upload. */
export async function prepareOptions(
  pool: pg.Pool,
  upload: UploadRow,
  mapping: Mapping,
): Promise<PrepareOptions> {
  const { timeZone } = mapping;
  const locations =
    needsLocations(mapping) || timeZone === "location"
      ? await readAllLocations(pool, upload.organization_id)
      : undefined;
  return {
    mapping,
    ignoreUnknownColumns: upload.ignore_unknown_columns,
    timeZone:
      timeZone === "location"
        ? new Map((locations ?? []).map(({ uuid, timeZone: zone }) => [uuid.toLowerCase(), zone]))
        : timeZone,
    asksAboutTimes: true,
    locations: locations && new LocationIndex(locations),
  };
}

async function* unguardedRows(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  for await (const { line, cells } of rows) yield { line, cells: cells.map(unguardedCell) };
}

/** The file cannot be read, or not with this mapping. The message is shown to users. */
export class UnreadableFile extends Error {
  override name = "UnreadableFile";
}

/** Reading yields to other work after each chunk of this size. */
const chunkBytes = 64 * 1024;

interface StoredFile extends UploadKey {
  size: number;
  signal: AbortSignal;
  pace: ReadScheduler;
}

export async function* fileBytes(
  pool: pg.Pool,
  { organizationId, uploadId, size, signal, pace }: StoredFile,
): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < size; offset += uploadPieceBytes) {
    const { rows } = await pace.wait(
      pool.query<{ content: Buffer }>(
        "select content from upload_pieces where organization_id = $1 and upload_id = $2 and byte_offset = $3",
        [organizationId, uploadId, offset],
      ),
    );
    // The upload was cancelled in the meantime.
    if (!rows[0]) throw new UnreadableFile("The file is no longer stored; upload it again");
    const { content } = rows[0];
    for (let at = 0; at < content.length; at += chunkBytes) {
      signal.throwIfAborted();
      yield content.subarray(at, at + chunkBytes);
      if (pace.isSpent) await pace.giveWay();
    }
  }
}

/** Limits the size of a file after unpacking it. */
export async function* limitSize(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  pace: ReadScheduler,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    bytes += chunk.length;
    if (bytes > maxUnpackedBytes)
      throw new UnreadableFile(
        `The file unpacks to more than ${sizeText(maxUnpackedBytes)}; split it into several files`,
      );
    yield chunk;
    if (pace.isSpent) await pace.giveWay();
  }
}

/** Reads the file to its end, so that an error anywhere in it is found before the first row is imported. */
export async function countRows(
  { rows }: Pick<OpenFile, "rows">,
  pace: ReadScheduler,
  maxRows = maxUploadRows,
): Promise<number> {
  let count = 0;
  for await (const _row of rows) {
    count += 1;
    if (count > maxRows)
      throw new UnreadableFile(
        `The file has more than ${maxRows.toLocaleString("en")} rows. Split it into several files`,
      );
    if (pace.isSpent) await pace.giveWay();
  }
  return count;
}

/** Consecutive rows of a file that are imported as one batch. */
export interface FileBatch {
  /** Counted from 0. */
  firstRow: number;
  rows: Prepared[];
  /** In the file up to this batch. */
  findings: readonly Finding[];
}

/** Reserved for the rest of the request body. */
const envelopeBytes = 4096;
/** Limits both the records and the cells of a batch, which are in memory and in one column. */
const maxBatchBytes = maxBodyBytes - envelopeBytes;

/**
 * Splits the rows after the first `skipped` ones into batches that fit into one request. The skipped rows are converted as well,
 * because later rows are compared with them.
 */
export async function* splitBatches(
  file: Pick<OpenFile, "rows" | "prepare" | "findings" | "addFindings">,
  { skipped, maxRows, pace }: { skipped: number; maxRows: number; pace: ReadScheduler },
): AsyncGenerator<FileBatch> {
  let firstRow = skipped;
  let rows: Prepared[] = [];
  let bytes = 0;
  let count = 0;
  const finish = (): FileBatch => {
    const batch = { firstRow, rows, findings: file.findings.list() };
    firstRow += rows.length;
    rows = [];
    bytes = 0;
    return batch;
  };
  for await (const row of file.rows) {
    if (pace.isSpent) await pace.giveWay();
    count += 1;
    const prepared = file.prepare(row);
    const isSkipped = count <= skipped;
    const rowBytes = isSkipped ? 0 : batchBytes(row, prepared.text);
    const isFull = rows.length === maxRows || bytes + rowBytes > maxBatchBytes;
    if (isFull && rows.length > 0) yield finish();
    file.findings.isReplay = isSkipped;
    file.addFindings();
    if (isSkipped) continue;
    rows.push(prepared);
    bytes += rowBytes;
  }
  if (rows.length > 0) yield finish();
}

/** Cells are stored as JSON: an empty cell takes three bytes with its comma. */
function batchBytes({ cells }: Row, text: string | undefined): number {
  const cellBytes = cells.reduce((sum, cell) => sum + (cell === "" ? 3 : jsonBytes(cell) + 1), 0);
  return Math.max(cellBytes, text === undefined ? 0 : Buffer.byteLength(text) + 1);
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
