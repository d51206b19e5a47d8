import { failureColumns, failurePrefix } from "@gatehouse-parking/record-files";

/** What spreadsheets take for a formula; see downloads/csv.ts. */
const beginsLikeFormula = /^'{0,200}[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * Rows that failed leave with an apostrophe before what looks like a formula, and come back when they are corrected. So
 * the apostrophe is one that can be told from the file's own: a cell that begins with some gets one more.
 */
export function guardedCell(cell: string): string {
  return beginsLikeFormula.test(cell) ? `'${cell}` : cell;
}

/** The cell that was guarded. */
export function bareCell(cell: string): string {
  return cell.startsWith("'") && beginsLikeFormula.test(cell) ? cell.slice(1) : cell;
}

/** Whether these are the columns of a file of failed rows, which was written here. */
export function isOfFailures(columns: readonly string[]): boolean {
  return failureColumns.every(
    (name, index) => columns[columns.length - failureColumns.length + index] === name,
  );
}

/** The positions of columns that are the file's own: a file of failures that fails again has new ones. */
export function ownPositions(columns: readonly string[]): number[] {
  return [...columns.keys()].filter((position) => !columns[position]?.startsWith(failurePrefix));
}
