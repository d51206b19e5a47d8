import type pg from "pg";
import type { BothWaysPage, CursorPage } from "@gatehouse-parking/contract/console";
import { newestFirst, toBothWaysPage, type Reading } from "./both-ways.js";

/**
 * A page of a list with filters that no index knows. It looks at a bounded number of rows and answers with what it found
 * among them; if it stopped before the end, the cursor says where, even on a short page. So one request costs no more
 * than reading this many rows, whatever the filter.
 */
export const maxScannedRows = 20_000;

export interface BoundedList<Row, T> {
  /** What follows SELECT *: the table as `record`, and conditions that an index answers, the cursor's among them. */
  source: string;
  /** What is read of the rows that match. */
  columns: string;
  /** Tables that the rows are shown with. */
  joins?: string;
  /** The other conditions, on `record`. */
  filter?: string | undefined;
  /** Columns of `record` that the list is ordered by; the last one is unique. */
  order: readonly string[];
  /** Parameters of the source, from $1. */
  sourceValues: readonly unknown[];
  /** Parameters of the filter, which follow those of the source. */
  filterValues?: readonly unknown[];
  limit: number;
  toItem: (row: Row) => T;
}

/** Each part of a cursor is a column of the order; none of them contains this. */
const separator = "~";

/** Newest first, and only onwards. */
export async function boundedPage<Row extends pg.QueryResultRow, T>(
  pool: pg.Pool,
  list: BoundedList<Row, T>,
): Promise<CursorPage<T>> {
  const { data, nextCursor } = await boundedPageBothWays(pool, list, newestFirst);
  return { data, nextCursor };
}

export async function boundedPageBothWays<Row extends pg.QueryResultRow, T>(
  pool: pg.Pool,
  list: BoundedList<Row, T>,
  reading: Reading,
): Promise<BothWaysPage<T>> {
  const { limit, toItem } = list;
  const order = list.order.map((column) => `record.${column} ${reading.direction}`).join(", ");
  const scanned = `select * ${list.source} order by ${order}`;
  const cursorColumns = list.order.map((column) => `record.${column}::text as "cursor_${column}"`).join(", ");
  const cursorOf = (row: Row): string => list.order.map((column) => row[`cursor_${column}`]).join(separator);

  const { rows } = await pool.query<Row>(
    `select ${list.columns}, ${cursorColumns}
     from (${scanned} limit ${maxScannedRows}) as record ${list.joins ?? ""}
     where ${list.filter ?? "true"} order by ${order} limit ${limit + 1}`,
    [...list.sourceValues, ...(list.filterValues ?? [])],
  );
  if (rows.length > limit || list.filter === undefined)
    return toBothWaysPage(rows, { limit, reading, cursorOf, toItem });

  const { rows: edges } = await pool.query<Row>(
    `select ${cursorColumns} from (${scanned} limit 1 offset ${maxScannedRows - 1}) as record`,
    [...list.sourceValues],
  );
  const edge = edges[0] && cursorOf(edges[0]);
  return toBothWaysPage(rows, { limit, reading, edge, cursorOf, toItem });
}

/** The parts of a cursor as they came from the address; undefined if there is none or it is not one of this list. */
export function readCursor(text: string | undefined, parts: number): string[] | undefined {
  const found = text?.split(separator);
  return found?.length === parts ? found : undefined;
}
