import type pg from "pg";

const rowsPerPiece = 100;

/**
 * For a statement that may have thousands of rows: the server sends so many and waits to be asked for the next, in one
 * snapshot. All of them at once would be taken in one turn of the event loop, in which nobody else is served. The `rowCount`
 * of its result counts the last piece alone.
 */
export function inPieces<Query extends pg.QueryConfig | pg.QueryArrayConfig>(query: Query): Query {
  // Node-postgres knows it, its types do not.
  return Object.assign(query, { rows: rowsPerPiece });
}
