import { CsvScan, type CsvOptions } from "./csv-scan.js";
import { inputError } from "./refusals.js";
import { maxNamesLength, type Row, type Table } from "./table.js";

/** Common separators. */
export const usualDelimiters = [",", ";", "\t", "|"];

/** The separator that occurs most often in the header line. */
export function guessDelimiter(text: string): string {
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const counts = usualDelimiters.map((mark) => header.split(mark).length);
  return usualDelimiters[counts.indexOf(Math.max(...counts))] ?? ",";
}

export interface CsvTableOptions extends CsvOptions {
  /** The number of the header line; 1 by default. Earlier lines are skipped. */
  headerLine?: number | undefined;
}

/**
 * Reads the header and requires every row to have as many cells, because a ragged row indicates a missing
 * quote. Unnamed columns at the end, which trailing delimiters create, get the name "column N".
 */
export async function readCsv(text: AsyncIterable<string>, options: CsvTableOptions): Promise<Table> {
  const rows = cutRows(text, options);
  const { header, columns } = await readHeader(rows, options.headerLine ?? 1);
  requireSeparated(columns, header.line, options.delimiter);
  requireNames(columns, header.line);
  return { columns, rows: ofWidth(rows, columns.length) };
}

/** A table of spreadsheet rows, in which trailing empty cells may be missing. */
export async function tableOfRows(rows: AsyncGenerator<Row>, headerLine: number): Promise<Table> {
  const { header, columns } = await readHeader(rows, headerLine);
  requireNames(columns, header.line);
  return { columns, rows: ofWidth(filledUp(rows, columns.length), columns.length) };
}

async function* filledUp(rows: AsyncIterable<Row>, width: number): AsyncGenerator<Row> {
  for await (const row of rows) {
    while (row.cells.length < width) row.cells.push("");
    yield row;
  }
}

async function readHeader(
  rows: AsyncGenerator<Row>,
  headerLine: number,
): Promise<{ header: Row; columns: string[] }> {
  const header = await headerOf(rows, headerLine);
  return { header, columns: withNamesAtTheEnd(header.cells.map((name) => name.trim())) };
}

async function headerOf(rows: AsyncGenerator<Row>, headerLine: number): Promise<Row> {
  for (;;) {
    const { done, value } = await rows.next();
    if (done) throw inputError(headerLine, headerLine === 1 ? "fileEmpty" : "headerMissing");
    if (value.line >= headerLine) return value;
  }
}

function withNamesAtTheEnd(names: readonly string[]): string[] {
  let named = names.length;
  while (named > 1 && names[named - 1] === "") named -= 1;
  return names.map((name, position) => (position < named ? name : unnamedColumn(position)));
}

export function unnamedColumn(position: number): string {
  return `column ${position + 1}`;
}

/** Passes on rows that have as many cells as the header. Drops blank rows and surplus blank cells. */
export async function* ofWidth(rows: AsyncIterable<Row>, width: number): AsyncGenerator<Row> {
  for await (const row of rows) {
    if (row.cells.length === 1 && row.cells[0]?.trim() === "") continue;
    while (row.cells.length > width && row.cells.at(-1)?.trim() === "") row.cells.pop();
    if (row.cells.length !== width)
      throw inputError(row.line, "raggedRow", { cells: row.cells.length, columns: width });
    yield row;
  }
}

/** All rows of a CSV file, including the header. */
export async function* cutRows(text: AsyncIterable<string>, options: CsvOptions): AsyncGenerator<Row> {
  const scan = new CsvScan(options);
  for await (const piece of text) yield* scan.scan(piece);
  yield* scan.end();
}

function requireSeparated(columns: readonly string[], line: number, delimiter: string): void {
  const [only = ""] = columns;
  const other = usualDelimiters.find((mark) => mark !== delimiter && only.includes(mark));
  if (columns.length === 1 && other)
    throw inputError(line, "otherDelimiter", { header: only, delimiter: other });
}

function requireNames(columns: readonly string[], line: number): void {
  const seen = new Set<string>();
  let length = 0;
  for (const [position, name] of columns.entries()) {
    if (name === "") throw inputError(line, "columnNameless", { position });
    if (seen.has(name)) throw inputError(line, "columnTwice", { name });
    seen.add(name);
    length += name.length;
    if (length > maxNamesLength) throw inputError(line, "columnNamesTooLong", { maxLength: maxNamesLength });
  }
}

const maxHeaderRow = 10;

/**
 * Titles and dates of reports come before the header and have fewer cells. The header is the first of the top
 * rows that is nearly as full as the fullest one and contains only distinct names.
 */
export function recognizeHeader(rows: readonly Row[]): number {
  const top = rows.slice(0, maxHeaderRow);
  const fullest = Math.max(0, ...top.map(({ cells }) => filledOf(cells).length));
  const isHeader = ({ cells }: Row): boolean => {
    const names = filledOf(cells).map((cell) => cell.trim());
    return (
      names.length >= fullest * 0.8 &&
      new Set(names).size === names.length &&
      names.every((name) => /\p{L}/u.test(name))
    );
  };
  // The first row is the header unless it is clearly a title. The reader reports what is wrong with it.
  const first = top[0];
  if (!first || filledOf(first.cells).length > fullest / 2) return first?.line ?? 1;
  return top.find(isHeader)?.line ?? first.line;
}

function filledOf(cells: readonly string[]): string[] {
  return cells.filter((cell) => cell.trim() !== "");
}
