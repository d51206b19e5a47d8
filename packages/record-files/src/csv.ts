import { CsvScan, type CsvOptions } from "./csv-scan.js";
import { columnNames, numberedColumns } from "./header/column-names.js";
import { crossTabOf } from "./header/cross-tab.js";
import type { HeaderPlace } from "./header/recognize-header.js";
import { inputError, type ReadingFact } from "./refusals.js";
import { recordRows } from "./rows/record-rows.js";
import { SetAside } from "./rows/set-aside.js";
import type { Row, Table } from "./table.js";

/** Common separators. */
export const usualDelimiters = [",", ";", "\t", "|"];

/** The separator that occurs most often in the header line. */
export function guessDelimiter(text: string): string {
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const counts = usualDelimiters.map((mark) => header.split(mark).length);
  return usualDelimiters[counts.indexOf(Math.max(...counts))] ?? ",";
}

export interface CsvTableOptions extends CsvOptions, Partial<HeaderPlace> {}

/** Reads the header and sorts the rows below it into records and other lines. */
export async function readCsv(text: AsyncIterable<string>, options: CsvTableOptions): Promise<Table> {
  const { headerLine = 1, headerRows = 1, ...csv } = options;
  const cut = cutRows(text, csv);
  const { columns, header, rows } = await readHeader(cut, { headerLine, headerRows });
  requireSeparated(header.at(-1) ?? [], headerLine, options.delimiter);
  return tableOf(columns, header, rows);
}

/** A table of spreadsheet rows, in which trailing empty cells may be missing. */
export async function tableOfRows(all: AsyncGenerator<Row>, place: HeaderPlace): Promise<Table> {
  const { columns, header, rows } = await readHeader(all, place);
  return tableOf(columns, header, filledUp(rows, columns.length));
}

function tableOf(columns: string[], header: readonly string[][], rows: AsyncIterable<Row>): Table {
  const aside = new SetAside();
  return {
    columns,
    rows: recordRows(rows, { width: columns.length, header, aside }),
    facts: () => [...crossTabFacts(columns), ...aside.facts()],
  };
}

function crossTabFacts(columns: readonly string[]): ReadingFact[] {
  const found = crossTabOf(columns);
  return found ? [{ code: "crossTab", data: found }] : [];
}

async function* filledUp(rows: AsyncIterable<Row>, width: number): AsyncGenerator<Row> {
  for await (const row of rows) {
    while (row.cells.length < width) row.cells.push("");
    yield row;
  }
}

interface Headed {
  columns: string[];
  header: string[][];
  rows: AsyncIterable<Row>;
}

/** Earlier lines are skipped. Without a header, the first row has as many cells as there are columns. */
async function readHeader(
  rows: AsyncGenerator<Row>,
  { headerLine, headerRows }: HeaderPlace,
): Promise<Headed> {
  const header: string[][] = [];
  for (;;) {
    const { done, value } = await rows.next();
    if (done) throw inputError(headerLine, headerLine === 1 ? "fileEmpty" : "headerMissing");
    if (value.line < headerLine) continue;
    if (headerRows === 0)
      return { columns: numberedColumns(value.cells.length), header, rows: withFirst(value, rows) };
    header.push(value.cells);
    if (header.length === headerRows) return { columns: columnNames(header, value.line), header, rows };
  }
}

async function* withFirst(first: Row, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  yield first;
  yield* rows;
}

/** For small tables that are refused as a whole. Drops blank rows and surplus blank cells. */
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

function requireSeparated(header: readonly string[], line: number, delimiter: string): void {
  const [only = ""] = header;
  const other = usualDelimiters.find((mark) => mark !== delimiter && only.includes(mark));
  if (header.length !== 1) return;
  if (other) throw inputError(line, "otherDelimiter", { header: only, delimiter: other });
  if (/\S {2,80}\S/.test(only)) throw inputError(line, "fixedWidth", { header: only });
}
