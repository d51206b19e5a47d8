import { maxCounted, type BothWaysPage } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { toBothWaysPage, type Reading } from "./pages.js";

/**
 * A page of a list with filters that no index supports. It reads a limited number of rows and returns the matches. If
 * it stopped before the end, the cursor says where, even if the page is short. So the cost of a request does not
 * depend on the filter.
 */
export const maxScannedRows = 20_000;

export interface BoundedList<Row, T> {
  /**
   * The SQL after SELECT: the table as `record`, with the conditions that an index supports, including the cursor's.
   */
  source: string;
  /** The columns of the matching rows. */
  columns: string;
  /** Joined tables for display. */
  joins?: string;
  /** The other conditions, on `record`. */
  filter?: string | undefined;
  /** The columns of `record` that order the list. The last one is unique. */
  order: readonly string[];
  /** The SQL for a column's value in a cursor, if not its text. */
  cursors?: Readonly<Record<string, string>>;
  /**
   * For an order that no index supports, so rows are sorted: the columns for order and filter only. The rows are then
   * read from the table by organization ($1) and id.
   */
  sorted?: { columns: readonly string[]; table: string };
  /** Parameters of the source, from $1. */
  sourceValues: readonly unknown[];
  /** Parameters of the filter, after those of the source. */
  filterValues?: readonly unknown[];
  limit: number;
  toItem: (row: Row) => T;
}

/** Separates the parts of a cursor. Column values never contain it. */
const separator = "~";

export async function boundedPageBothWays<Row extends pg.QueryResultRow, T>(
  pool: pg.Pool,
  list: BoundedList<Row, T>,
  reading: Reading,
): Promise<BothWaysPage<T>> {
  const page = await readPage(pool, list, reading);
  return reading.isCounted ? { ...page, total: await countRows(pool, list) } : page;
}

/** Reads as many rows as a page with a filter, so a filter that leaves few rows may not count all of them. */
async function countRows<Row extends pg.QueryResultRow, T>(
  pool: pg.Pool,
  { source, joins = "", filter, sourceValues, filterValues = [] }: BoundedList<Row, T>,
): Promise<{ count: number; isMore: boolean }> {
  const scannedAtMost = filter === undefined ? maxCounted + 1 : maxScannedRows;
  const { rows } = await pool.query<{ count: number; scanned: number }>(
    `select count(*) as scanned, count(*) filter (where ${filter ?? "true"}) as count
     from (select * ${source} limit ${scannedAtMost}) as record ${filter === undefined ? "" : joins}`,
    [...sourceValues, ...filterValues],
  );
  const { count, scanned } = rows[0] as { count: number; scanned: number };
  return { count: Math.min(count, maxCounted), isMore: count > maxCounted || scanned === scannedAtMost };
}

async function readPage<Row extends pg.QueryResultRow, T>(
  pool: pg.Pool,
  list: BoundedList<Row, T>,
  reading: Reading,
): Promise<BothWaysPage<T>> {
  const { limit, toItem } = list;
  const order = list.order.map((column) => `record.${column} ${reading.direction}`).join(", ");
  const { sorted, joins = "", filter = "true" } = list;
  const scanned = `select ${sorted?.columns.map((column) => `record.${column}`).join(", ") ?? "*"} ${list.source} order by ${order}`;
  const cursorColumns = list.order
    .map((column) => `${list.cursors?.[column] ?? `record.${column}::text`} as "cursor_${column}"`)
    .join(", ");
  const cursorOf = (row: Row): string => list.order.map((column) => row[`cursor_${column}`]).join(separator);

  const looked = `(${scanned} limit ${list.filter === undefined ? limit + 1 : maxScannedRows}) as record`;
  const matching = `where ${filter} order by ${order} limit ${limit + 1}`;
  const { rows } = await pool.query<Row>(
    sorted === undefined
      ? `select ${list.columns}, ${cursorColumns} from ${looked} ${joins} ${matching}`
      : `select ${list.columns}, ${cursorColumns}
         from (select record.id from ${looked} ${matching}) as found
         join lateral (
           select * from ${sorted.table} where organization_id = $1 and id = found.id limit 1
         ) as record on true ${joins} order by ${order}`,
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

/** The decoded parts of a cursor. Undefined: missing or not a cursor of this list. */
export function readCursor(text: string | undefined, parts: number): string[] | undefined {
  const found = text?.split(separator);
  return found?.length === parts ? found : undefined;
}
