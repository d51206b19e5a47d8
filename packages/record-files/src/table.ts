import type { ReadingFact, RowProblem } from "./refusals.js";

/**
 * Every input becomes a table: named columns and rows of text. A JSON record is a row with the single column
 * `record`, so all formats share the rest of the pipeline.
 */
export interface Table {
  columns: string[];
  rows: AsyncIterable<Row>;
  /** Facts from reading the rows, such as lines that are not records. */
  facts?: () => ReadingFact[];
}

export interface Row {
  /** The line on which the row starts, counted from 1. */
  line: number;
  cells: string[];
  /** Whether the only cell contains a valid JSON record. */
  isJson?: true;
  /** Why the row cannot be a record, if the file itself shows it. */
  problem?: RowProblem;
}

/** The column that contains a whole record as JSON. */
export const recordColumn = "record";

/** A row is held in memory, and a larger record would not fit into a request. */
export const maxRowBytes = 5 * 1024 * 1024;

/** The maximum of a spreadsheet, used for every table. */
export const maxColumns = 16_384;

/** The maximum total length of all column names, which are stored as long as the outcomes of the rows. */
export const maxNamesLength = 256 * 1024;

/** Additional columns of a file of failed rows; ignored when it is pushed again. */
export const failurePrefix = "failure.";
export const failureColumns = ["line", "code", "name", "detail"].map((name) => failurePrefix + name);
