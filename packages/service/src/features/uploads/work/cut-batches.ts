import { maxBodyBytes } from "@gatehouse-parking/contract";
import type { ReadScheduler, Prepared, Row } from "@gatehouse-parking/record-files";
import type { OpenFile } from "./open-file.js";

/** Consecutive rows of a file that are imported together. */
export interface FileBatch {
  /** Counted from 0. */
  firstRow: number;
  rows: Prepared[];
}

/** Room for what surrounds the records in a body. */
const envelopeBytes = 4096;
/** Bounds the records in UTF-8 and the cells of the file: both are held and stored for a batch as a whole. */
const maxBatchBytes = maxBodyBytes - envelopeBytes;

/** Cuts what comes after the first `skipped` rows into batches of at most `maxRows` rows that fit into one request. */
export async function* cutBatches(
  file: OpenFile,
  { skipped, maxRows, pace }: { skipped: number; maxRows: number; pace: ReadScheduler },
): AsyncGenerator<FileBatch> {
  let batch: FileBatch = { firstRow: skipped, rows: [] };
  let bytes = 0;
  let count = 0;
  for await (const row of file.rows) {
    if (pace.isSpent) await pace.giveWay();
    count += 1;
    if (count <= skipped) continue;
    const prepared = file.prepare(row);
    const rowBytes = weight(row, prepared.text);
    const isFull = batch.rows.length === maxRows || bytes + rowBytes > maxBatchBytes;
    if (isFull && batch.rows.length > 0) {
      yield batch;
      batch = { firstRow: batch.firstRow + batch.rows.length, rows: [] };
      bytes = 0;
    }
    batch.rows.push(prepared);
    bytes += rowBytes;
  }
  if (batch.rows.length > 0) yield batch;
}

/** Cells are kept as JSON: an empty one takes three bytes with its comma, and a control character six. */
function weight({ cells }: Row, text: string | undefined): number {
  const cellBytes = cells.reduce((sum, cell) => sum + (cell === "" ? 3 : jsonBytes(cell) + 1), 0);
  return Math.max(cellBytes, text === undefined ? 0 : Buffer.byteLength(text) + 1);
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
