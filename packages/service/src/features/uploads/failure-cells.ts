import { failureColumns, failurePrefix } from "@gatehouse-parking/record-files";

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
