import { Readable, pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { InputError, maxRowBytes, type Row, type Table } from "./table.js";

export interface CsvOptions {
  delimiter: string;
}

/** Separators that people use when they do not use a comma, for the advice when a header looks like one column. */
const usualDelimiters = [",", ";", "\t", "|"];

/** The first row names the columns. Every row must have as many cells: a ragged one shows that a quote is missing. */
export async function readCsv(text: AsyncIterable<Buffer>, options: CsvOptions): Promise<Table> {
  const rows = parseRows(text, options);
  const header = await rows.next();
  if (header.done) throw new InputError(1, "the file is empty; the first line must name the columns");
  const columns = header.value.cells.map((name) => name.trim());
  checkHeader(columns, header.value.line, options.delimiter);
  return { columns, rows: rowsOf(rows, columns.length) };
}

async function* rowsOf(rows: AsyncGenerator<Row>, width: number): AsyncGenerator<Row> {
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

async function* parseRows(text: AsyncIterable<Buffer>, options: CsvOptions): AsyncGenerator<Row> {
  let lastLine = 0;
  let overcount = 0;
  const parser = parse({
    delimiter: options.delimiter,
    // All of them, so that a file whose rows end in different ways is read as people see it.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
    on_record: (cells: string[], { lines }) => {
      const inside = linesInside(cells);
      overcount += inside.counted - inside.seen;
      lastLine = lines - overcount;
      const row: Row = { line: lastLine - inside.seen, cells };
      // The parser passes on whatever this returns; its types know only rows of cells.
      return row as unknown as string[];
    },
  });
  // The iteration reports the error; the callback is there because a pipeline wants one.
  pipeline(Readable.from(text), parser, () => {});
  try {
    yield* parser as unknown as AsyncIterable<Row>;
  } catch (error) {
    throw error instanceof CsvError
      ? explain(error, lastLine + 1, Number(error["lines"]) - overcount)
      : error;
  }
}

/**
 * The parser counts the lines up to the end of a row, which may hold some inside quotes; and there it counts CR LF as
 * two.
 */
function linesInside(cells: string[]): { counted: number; seen: number } {
  let counted = 0;
  let seen = 0;
  for (const cell of cells) {
    if (!/[\r\n]/.test(cell)) continue;
    counted += cell.match(/[\r\n]/g)?.length ?? 0;
    seen += cell.match(/\r\n|\r|\n/g)?.length ?? 0;
  }
  return { counted, seen };
}

function explain(error: CsvError, rowStartsAt: number, line: number): InputError {
  switch (error.code as string) {
    case "CSV_MAX_RECORD_SIZE":
      return new InputError(
        rowStartsAt,
        "a row above 5 MB starts here; is a closing quote missing? (No larger record can be sent.)",
      );
    case "CSV_QUOTE_NOT_CLOSED":
      return new InputError(rowStartsAt, "a cell in quotes starts in this row and does not end");
    case "CSV_INVALID_CLOSING_QUOTE":
    case "INVALID_OPENING_QUOTE":
      return new InputError(
        line,
        'a quote in the middle of a cell; put the whole cell in quotes and double the quote: "a ""quoted"" word"',
      );
    default:
      return new InputError(line, error.message);
  }
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
    if (name === "") throw new InputError(line, `column ${position + 1} has no name`);
    if (columns.indexOf(name) !== position) throw new InputError(line, `the column "${name}" is there twice`);
  }
}

function nameOf(delimiter: string): string {
  return delimiter === "\t" ? "tabs" : `"${delimiter}"`;
}
