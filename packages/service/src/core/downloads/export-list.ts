import { maxExportedRows } from "@gatehouse-parking/contract";
import { TimeSlice } from "../scheduling/time-slice.js";
import type { RowFormat } from "./row-format.js";

/** A list that is read page by page with any kind of cursor. */
export type PageReader<Row> = (
  cursor: string | undefined,
  limit: number,
) => Promise<{ data: readonly Row[]; nextCursor: string | null }>;

/** Rows of one chunk are formatted in one turn of the event loop, which blocks other requests. */
const usualRowsPerRead = 100;
/**
 * A rarely matching filter reads many rows per match, so the number of reads that return less than a page is limited.
 * Other reads are limited by the number of rows.
 */
const maxShortReads = 200;

/** The result of an export. */
export interface Exported {
  rows: number;
  /** True: the list is complete. False: it exceeded the limit or was aborted. */
  isWhole: boolean;
}

interface ExportOptions {
  /** Smaller if rows can be large. */
  rowsPerRead?: number | undefined;
  onEnd: (exported: Exported) => Promise<void>;
}

/**
 * Streams a list as a file, one statement per chunk. Between chunks it holds no connection and no snapshot, however
 * slow the client is. It always calls `onEnd`, even if the export is aborted.
 */
export async function* exportList<Row>(
  read: PageReader<Row>,
  { heading, toLine }: RowFormat<Row>,
  { rowsPerRead = usualRowsPerRead, onEnd }: ExportOptions,
): AsyncGenerator<string> {
  const exported = { rows: 0, isWhole: false };
  try {
    if (heading !== "") yield heading;
    let cursor: string | undefined;
    for (let shortReads = 0; exported.rows < maxExportedRows;) {
      // Breaking the connection shows the client that the file is incomplete.
      if (shortReads === maxShortReads) throw new Error("The export was stopped: it read too many rows");
      const limit = Math.min(rowsPerRead, maxExportedRows - exported.rows);
      const { data, nextCursor } = await read(cursor, limit);
      if (data.length < limit) shortReads += 1;
      for (let begin = 0; begin < data.length; begin += rowsPerRead) {
        const piece = data.slice(begin, begin + rowsPerRead);
        exported.rows += piece.length;
        yield await linesOf(piece, toLine);
      }
      exported.isWhole = nextCursor === null;
      if (nextCursor === null) return;
      cursor = nextCursor;
    }
  } finally {
    await onEnd(exported);
  }
}

/** Formatting hundreds of rows would block other requests for too long. */
async function linesOf<Row>(rows: readonly Row[], toLine: (row: Row) => string): Promise<string> {
  const budget = new TimeSlice();
  let lines = "";
  for (const row of rows) {
    lines += toLine(row);
    if (budget.isSpent) await budget.giveWay();
  }
  return lines;
}

/** Reads the first page before sending anything, so that errors get their HTTP status. */
export async function begun<Row>(
  read: PageReader<Row>,
  rowsPerRead = usualRowsPerRead,
): Promise<PageReader<Row>> {
  const first = await read(undefined, rowsPerRead);
  return async (cursor, limit) => (cursor === undefined ? first : read(cursor, limit));
}

/**
 * A list that is short enough to read at once, or that cannot be paged: inserted or deleted rows would move others
 * between pages.
 */
export function wholeReader<Row>(read: (limit: number) => Promise<readonly Row[]>): PageReader<Row> {
  return async () => {
    const rows = await read(maxExportedRows + 1);
    return {
      data: rows.slice(0, maxExportedRows),
      nextCursor: rows.length > maxExportedRows ? "more" : null,
    };
  };
}
