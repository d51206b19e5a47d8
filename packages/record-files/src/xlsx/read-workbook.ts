import { tableOfRows } from "../csv.js";
import { recognizeHeader, type HeaderPlace } from "../header/recognize-header.js";
import { inputError } from "../refusals.js";
import type { Row, Table } from "../table.js";
import { openWorkbook, wholeOf, type Sheet, type Workbook } from "./workbook.js";
import type { ZipOptions } from "./zip.js";

/** The chosen sheet and its header. */
interface SheetChoice extends HeaderPlace {
  sheet: string;
  /** Sheets with content. */
  sheets: string[];
}

const sampleRows = 60;

/** The given sheet, or the first visible one with a table, or else the first with content. */
export async function recognizeSheet(
  chunks: AsyncIterable<Uint8Array>,
  told: { sheet?: string | undefined; headerLine?: number | undefined; headerRows?: number | undefined },
  options: ZipOptions = {},
): Promise<{ choice: SheetChoice; bytes: Uint8Array }> {
  const bytes = await wholeOf(chunks);
  const workbook = await openWorkbook(bytes, options);
  const visible = workbook.sheets.filter(({ isHidden }) => !isHidden);
  let chosen: { sheet: Sheet; rows: Row[]; isTable: boolean } | undefined;
  const sheets: string[] = [];
  for (const sheet of told.sheet === undefined ? visible : [sheetCalled(workbook, told.sheet)]) {
    const rows = await firstRows(workbook, sheet);
    if (rows.length === 0) continue;
    sheets.push(sheet.name);
    const isTable = holdsTable(rows);
    if (!chosen || (isTable && !chosen.isTable)) chosen = { sheet, rows, isTable };
  }
  if (!chosen) throw inputError(1, "spreadsheetEmpty");
  const place = recognizeHeader(chosen.rows, told);
  return { choice: { sheet: chosen.sheet.name, ...place, sheets }, bytes };
}

/** A cover sheet has titles and notes. A table has a header of several columns with rows below it. */
function holdsTable(rows: readonly Row[]): boolean {
  const { headerLine } = recognizeHeader(rows);
  const wide = rows.filter(({ cells }) => cells.filter((cell) => cell.trim() !== "").length > 1);
  return wide.some(({ line }) => line === headerLine) && wide.some(({ line }) => line > headerLine);
}

export async function readWorkbook(
  chunks: AsyncIterable<Uint8Array>,
  { sheet, headerLine, headerRows, ...options }: { sheet: string } & HeaderPlace & ZipOptions,
): Promise<Table> {
  const workbook = await openWorkbook(await wholeOf(chunks), options);
  return tableOfRows(filledRows(workbook, sheetCalled(workbook, sheet)), { headerLine, headerRows });
}

function sheetCalled(workbook: Workbook, name: string): Sheet {
  const found = workbook.sheets.find((sheet) => sheet.name === name);
  if (found) return found;
  throw inputError(1, "sheetMissing", { name, sheets: workbook.sheets.map((sheet) => sheet.name) });
}

/** Rows with content; missing cells at the end are empty. */
async function* filledRows(workbook: Workbook, sheet: Sheet): AsyncGenerator<Row> {
  for await (const row of workbook.rows(sheet)) if (row.cells.some((cell) => cell.trim() !== "")) yield row;
}

async function firstRows(workbook: Workbook, sheet: Sheet): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of filledRows(workbook, sheet)) {
    rows.push(row);
    if (rows.length === sampleRows) break;
  }
  return rows;
}
