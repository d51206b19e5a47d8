import type pg from "pg";
import type { BothWaysPage } from "@gatehouse-parking/contract/console";
import { toBothWaysPage, type Reading } from "./pages.js";

/**
 * A page of a list with filters that no index knows. It looks at a bounded number of rows and answers with what it found
 * among them; if it stopped before the end, the cursor says where, even on a short page. So one request costs no more
 * than reading this many rows, whatever the filter.
 */
export const maxScannedRows = 20_000;

export interface BoundedList<Row, T> {
  /** What follows SELECT: the table as `record`, and conditions that an index answers, the cursor's among them. */
  source: string;
  /** What is read of the rows that match. */
  columns: string;
  /** Tables that the rows are shown with. */
  joins?: string;
  /** The other conditions, on `record`. */
  filter?: string | undefined;
  /** Columns of `record` that the list is ordered by; the last one is unique. */
  order: readonly string[];
  /** How a column of the order is written in a cursor, if not as its text. */
  cursors?: Readonly<Record<string, string>>;
  /**
   * For an order that no index gives, so that the rows of a page are sorted: only these columns of them, the order's
   * and the filter's; the rows themselves are read from the table afterwards, by organization ($1) and id.
   */
  sorted?: { columns: readonly string[]; table: string };
  /** Parameters of the source, from $1. */
  sourceValues: readonly unknown[];
  /** Parameters of the filter, which follow those of the source. */
  filterValues?: readonly unknown[];
  limit: number;
  toItem: (row: Row) => T;
}

/** Each part of a cursor is a column of the order; none of them contains this. */
const separator = "~";

export async function boundedPageBothWays<Row extends pg.QueryResultRow, T>(
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

/** The parts of a cursor as they came from the address; undefined if there is none or it is not one of this list. */
export function readCursor(text: string | undefined, parts: number): string[] | undefined {
  const found = text?.split(separator);
  return found?.length === parts ? found : undefined;
}
