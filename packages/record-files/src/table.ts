/**
 * Every input is read as a table: named columns and rows of text. A JSON record is a row with one column, `record`,
 * so that files of every kind take the same way from here on.
 */
export interface Table {
  columns: string[];
  rows: AsyncIterable<Row>;
}

export interface Row {
  /** The line the row starts on, counted from 1. */
  line: number;
  cells: string[];
  /** Whether the reader has found a valid record in the only cell. */
  isJson?: true;
}

/** The column that holds a whole record as JSON. */
export const recordColumn = "record";

/** A row is held in memory whole, and a larger one would fit into no request. */
export const maxRowBytes = 5 * 1024 * 1024;

/** As many as a spreadsheet can have, and so a table of any kind. */
export const maxColumns = 16_384;

/** How long the names of all columns may be together. They are kept as long as the outcomes of the rows. */
export const maxNamesLength = 256 * 1024;

/** Columns that a file of failed rows has more; they are passed over when it is pushed again. */
export const failurePrefix = "failure.";
export const failureColumns = ["line", "code", "name", "detail"].map((name) => failurePrefix + name);
