import { maxExportedRows } from "@gatehouse-parking/contract";
import type { RowFormat } from "./row-format.js";

/** A list that is read page by page, whatever its cursors are. */
export type PageReader<Row> = (
  cursor: string | undefined,
  limit: number,
) => Promise<{ data: readonly Row[]; nextCursor: string | null }>;

const rowsPerRead = 500;
/** A filter that hardly anything matches looks at many rows for each that it finds; so reads are bounded as well. */
const maxReads = 200;

/** What has left when an export ends. */
export interface Exported {
  rows: number;
  /** Nothing that the list has was left out: neither beyond the bound, nor because somebody went away. */
  isWhole: boolean;
}

/**
 * A list in pieces of a file, a statement each: between them no connection and no snapshot is held, however slowly the
 * file is taken. It ends with a call of `onEnd`, also if it is broken off.
 */
export async function* exportList<Row>(
  read: PageReader<Row>,
  { heading, toLine }: RowFormat<Row>,
  onEnd: (exported: Exported) => Promise<void>,
): AsyncGenerator<string> {
  const exported = { rows: 0, isWhole: false };
  try {
    if (heading !== "") yield heading;
    let cursor: string | undefined;
    for (let reads = 0; reads < maxReads && exported.rows < maxExportedRows; reads += 1) {
      const page = await read(cursor, Math.min(rowsPerRead, maxExportedRows - exported.rows));
      exported.rows += page.data.length;
      // Nothing would end the stream.
      if (page.data.length > 0) yield page.data.map(toLine).join("");
      exported.isWhole = page.nextCursor === null;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  } finally {
    await onEnd(exported);
  }
}

/** Reads the first page before anything is sent, so that what is refused is refused by its status. */
export async function begun<Row>(read: PageReader<Row>): Promise<PageReader<Row>> {
  const first = await read(undefined, rowsPerRead);
  return async (cursor, limit) => (cursor === undefined ? first : read(cursor, limit));
}

/** A list with numbered pages. */
export function numberedReader<Row>(
  read: (page: { page: number; pageSize: number }) => Promise<{ data: readonly Row[]; hasNextPage: boolean }>,
): PageReader<Row> {
  return async (cursor, limit) => {
    const page = Number(cursor ?? 1);
    // Pages of one size, or a row would be passed over.
    const { data, hasNextPage } = await read({ page, pageSize: rowsPerRead });
    return { data: data.slice(0, limit), nextCursor: hasNextPage ? String(page + 1) : null };
  };
}

/** A list that is short enough to be read at once. */
export function wholeReader<Row>(read: () => Promise<readonly Row[]>): PageReader<Row> {
  return async () => ({ data: (await read()).slice(0, maxExportedRows), nextCursor: null });
}
