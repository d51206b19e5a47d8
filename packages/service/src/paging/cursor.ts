import type { CursorPage } from "@gatehouse-parking/contract/console";

/**
 * One page out of rows that were read with one row more than fits, which tells whether there is another page. The
 * cursor is the last row that is shown; lists are read from there by their index, however long they are.
 */
export function toCursorPage<Row, T>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
  toItem: (row: Row) => T,
): CursorPage<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(toItem),
    nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null,
  };
}
