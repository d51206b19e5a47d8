import { maxExportedRows } from "@gatehouse-parking/contract";
import { TimeSlice } from "../scheduling/time-slice.js";
import type { RowFormat } from "./row-format.js";

/** A list that is read page by page, whatever its cursors are. */
export type PageReader<Row> = (
  cursor: string | undefined,
  limit: number,
) => Promise<{ data: readonly Row[]; nextCursor: string | null }>;

/** What arrives together is taken in one turn of the event loop, in which nobody else is served. */
const usualRowsPerRead = 100;
/**
 * A filter that hardly anything matches looks at many rows for each that it finds; so reads that find less than they are
 * asked for are bounded. The others are by the number of rows.
 */
const maxShortReads = 200;

/** What has left when an export ends. */
export interface Exported {
  rows: number;
  /** Nothing that the list has was left out: neither beyond the bound, nor because somebody went away. */
  isWhole: boolean;
}

interface ExportOptions {
  /** Fewer if a row can be large. */
  rowsPerRead?: number | undefined;
  onEnd: (exported: Exported) => Promise<void>;
}

/**
 * A list in pieces of a file, a statement each: between them no connection and no snapshot is held, however slowly the
 * file is taken. It ends with a call of `onEnd`, also if it is broken off.
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
      // The connection breaks, so that the file does not look complete.
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

/** Hundreds of rows take longer than others should wait. */
async function linesOf<Row>(rows: readonly Row[], toLine: (row: Row) => string): Promise<string> {
  const budget = new TimeSlice();
  let lines = "";
  for (const row of rows) {
    lines += toLine(row);
    if (budget.isSpent) await budget.giveWay();
  }
  return lines;
}

/** Reads the first page before anything is sent, so that what is refused is refused by its status. */
export async function begun<Row>(
  read: PageReader<Row>,
  rowsPerRead = usualRowsPerRead,
): Promise<PageReader<Row>> {
  const first = await read(undefined, rowsPerRead);
  return async (cursor, limit) => (cursor === undefined ? first : read(cursor, limit));
}

/**
 * A list that is short enough to be read at once, or whose order no cursor follows: while it is read page by page, a row
 * that comes or goes would move others from one page to the next.
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
