import { shownName } from "./shown-name.js";

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

/** Something is wrong with the file itself, so nothing of it can be trusted from this line on. */
export class InputError extends Error {
  override name = "InputError";
  readonly line: number;

  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}

/** The bytes on this line are no text in UTF-8. */
export class NotUtf8Error extends InputError {
  override name = "NotUtf8Error";

  constructor(line: number) {
    super(line, 'not valid UTF-8; save the file as UTF-8 (in a spreadsheet: "CSV UTF-8")');
  }
}

/** A column has no name, or the name of another one. */
export class HeaderError extends InputError {
  override name = "HeaderError";
  /** Counted from 0. */
  readonly position: number;
  readonly repeatedName: string | undefined;

  constructor(line: number, position: number, repeatedName: string | undefined) {
    super(
      line,
      repeatedName === undefined
        ? `column ${position + 1} has no name`
        : `the column ${shownName(repeatedName)} is there twice`,
    );
    this.position = position;
    this.repeatedName = repeatedName;
  }
}
