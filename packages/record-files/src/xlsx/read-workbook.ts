import { tableOfRows } from "../csv.js";
import { recognizeHeader, type HeaderPlace } from "../header/recognize-header.js";
import { inputError, type ReadingFact } from "../refusals.js";
import type { Row, Table } from "../table.js";
import { SheetNotes } from "./sheet-notes.js";
import { openWorkbook, wholeOf, type Sheet, type Workbook } from "./workbook.js";
import type { ZipOptions } from "./zip.js";

/** The chosen sheet and its header. */
interface SheetChoice extends HeaderPlace {
  sheet: string;
  /** Sheets with content. */
  sheets: string[];
}

const sampleRows = 60;
/** Sheets with more rows count as equally long, and the first of them is chosen. */
const maxCountedRows = 5_000;
/** For all sheets together, so that the choice between many sheets takes a short time. */
const maxCountedCells = 250_000;

/** The given sheet, or the visible one with the most rows below a header, or else the first with content. */
export async function recognizeSheet(
  chunks: AsyncIterable<Uint8Array>,
  told: { sheet?: string | undefined; headerLine?: number | undefined; headerRows?: number | undefined },
  options: ZipOptions = {},
): Promise<{ choice: SheetChoice; bytes: Uint8Array }> {
  const bytes = await wholeOf(chunks);
  const workbook = await openWorkbook(bytes, options);
  const visible = workbook.sheets.filter(({ isHidden }) => !isHidden);
  const candidates = told.sheet === undefined ? visible : [sheetCalled(workbook, told.sheet)];
  const budget = { cells: candidates.length > 1 ? maxCountedCells : 0 };
  let chosen: { sheet: Sheet; rows: Row[]; recordCount: number } | undefined;
  const sheets: string[] = [];
  for (const sheet of candidates) {
    const { rows, recordCount } = await beginningOf(workbook, sheet, budget);
    if (rows.length === 0) continue;
    sheets.push(sheet.name);
    if (!chosen || recordCount > chosen.recordCount) chosen = { sheet, rows, recordCount };
  }
  if (!chosen) throw inputError(1, "spreadsheetEmpty");
  const place = recognizeHeader(chosen.rows, told);
  return { choice: { sheet: chosen.sheet.name, ...place, sheets }, bytes };
}

/** The first rows, and how many rows of a table are below the header. */
async function beginningOf(
  workbook: Workbook,
  sheet: Sheet,
  budget: { cells: number },
): Promise<{ rows: Row[]; recordCount: number }> {
  const rows: Row[] = [];
  let more = 0;
  for await (const row of filledRows(workbook, sheet)) {
    if (rows.length < sampleRows) rows.push(row);
    else if (isWide(row)) more += 1;
    budget.cells -= row.cells.length;
    const isSampled = rows.length === sampleRows;
    if (isSampled && (budget.cells <= 0 || more >= maxCountedRows)) break;
  }
  const recordCount = recordsIn(rows);
  return { rows, recordCount: recordCount === 0 ? 0 : recordCount + more };
}

/** A cover sheet has titles and notes. A table has a header of several columns with rows below it. */
function recordsIn(rows: readonly Row[]): number {
  const { headerLine } = recognizeHeader(rows);
  const wide = rows.filter(isWide);
  return wide.some(({ line }) => line === headerLine)
    ? wide.filter(({ line }) => line > headerLine).length
    : 0;
}

function isWide({ cells }: Row): boolean {
  return cells.filter((cell) => cell.trim() !== "").length > 1;
}

export async function readWorkbook(
  chunks: AsyncIterable<Uint8Array>,
  { sheet, headerLine, headerRows, ...options }: { sheet: string } & HeaderPlace & ZipOptions,
): Promise<Table> {
  const workbook = await openWorkbook(await wholeOf(chunks), options);
  const notes = new SheetNotes(headerLine + headerRows);
  const rows = filledRows(workbook, sheetCalled(workbook, sheet), notes);
  const table = await tableOfRows(rows, { headerLine, headerRows });
  const dates: ReadingFact[] = workbook.is1904 ? [{ code: "dates1904", data: {} }] : [];
  return { ...table, facts: () => [...dates, ...(table.facts?.() ?? []), ...notes.facts()] };
}

function sheetCalled(workbook: Workbook, name: string): Sheet {
  const found = workbook.sheets.find((sheet) => sheet.name === name);
  if (found) return found;
  throw inputError(1, "sheetMissing", { name, sheets: workbook.sheets.map((sheet) => sheet.name) });
}

/** Rows with content; missing cells at the end are empty. */
async function* filledRows(workbook: Workbook, sheet: Sheet, notes?: SheetNotes): AsyncGenerator<Row> {
  for await (const row of workbook.rows(sheet, notes))
    if (row.cells.some((cell) => cell.trim() !== "")) yield row;
}
