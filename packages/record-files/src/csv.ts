import { CsvScan, type CsvOptions } from "./csv-scan.js";
import { HeaderError, InputError, type Row, type Table } from "./table.js";

/** Separators that people use. */
const usualDelimiters = [",", ";", "\t", "|"];

/** The separator that occurs most often in the header line. */
export function guessDelimiter(text: string): string {
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const counts = usualDelimiters.map((mark) => header.split(mark).length);
  return usualDelimiters[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** The first row names the columns. Every row must have as many cells: a ragged one shows that a quote is missing. */
export async function readCsv(text: AsyncIterable<string>, options: CsvOptions): Promise<Table> {
  const rows = cutRows(text, options);
  const header = await rows.next();
  if (header.done) throw new InputError(1, "the file is empty; the first line must name the columns");
  const columns = header.value.cells.map((name) => name.trim());
  checkHeader(columns, header.value.line, options.delimiter);
  return { columns, rows: ofWidth(rows, columns.length) };
}

/** Passes rows on that have as many cells as the header; blank ones are left out. */
export async function* ofWidth(rows: AsyncIterable<Row>, width: number): AsyncGenerator<Row> {
  for await (const row of rows) {
    if (row.cells.length === 1 && row.cells[0]?.trim() === "") continue;
    if (row.cells.length !== width) {
      throw new InputError(
        row.line,
        `${row.cells.length} cells, but the header names ${width} columns; is a quote missing around a cell that contains the separator?`,
      );
    }
    yield row;
  }
}

/** All rows of a CSV file, the header among them. */
export async function* cutRows(text: AsyncIterable<string>, options: CsvOptions): AsyncGenerator<Row> {
  const scan = new CsvScan(options);
  for await (const piece of text) yield* scan.scan(piece);
  yield* scan.end();
}

function checkHeader(columns: string[], line: number, delimiter: string): void {
  const [only = ""] = columns;
  const other = usualDelimiters.find((mark) => mark !== delimiter && only.includes(mark));
  if (columns.length === 1 && other) {
    throw new InputError(
      line,
      `the header is one column, "${only.slice(0, 80)}"; if the cells are separated by ${nameOf(other)}, add --delimiter ${other === "\t" ? "tab" : `"${other}"`}`,
    );
  }
  for (const [position, name] of columns.entries()) {
    if (name === "") throw new HeaderError(line, position, undefined);
    if (columns.indexOf(name) !== position) throw new HeaderError(line, position, name);
  }
}

function nameOf(delimiter: string): string {
  return delimiter === "\t" ? "tabs" : `"${delimiter}"`;
}
