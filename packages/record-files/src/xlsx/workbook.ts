import { inputError, type InputError } from "../refusals.js";
import { maxColumns, maxRowBytes, type Row } from "../table.js";
import { cellFormat, dateText, numberText, type CellFormat } from "./cell-formats.js";
import { defaultScheduler, type ReadScheduler } from "../scheduler.js";
import type { SheetNotes } from "./sheet-notes.js";
import { readXml, type XmlEvent } from "./xml.js";
import { Zip, type ZipOptions } from "./zip.js";

/** The compressed file is kept in memory. Larger tables should be CSV, which may have any size. */
const maxWorkbookBytes = 100 * 1024 * 1024;
/**
 * Shared texts are kept in memory, each with the piece of the document that contains it. Two spreadsheets at
 * a time must fit into a process with 512 MB.
 */
const maxSharedBytes = 64 * 1024 * 1024;
export const maxSharedTexts = 1_000_000;
/** The maximum size of the parts that list sheets and styles. */
const maxDescriptionBytes = 16 * 1024 * 1024;
export const maxDescriptionEvents = 500_000;
export const maxSheets = 1_000;
/** Spreadsheets allow 31 and 255 characters. */
const maxNameLength = 255;
/** The maximum number of cells of all sheets that are read, including blank ones. */
const maxCells = 500_000_000;

export interface Sheet {
  name: string;
  isHidden: boolean;
  part: string;
}

/** An .xlsx spreadsheet. */
export interface Workbook {
  sheets: readonly Sheet[];
  /** Whether dates are counted from 1904. */
  is1904: boolean;
  /** Rows of text with their numbers; dates are in ISO 8601. */
  rows(sheet: Sheet, notes?: SheetNotes): AsyncGenerator<Row>;
}

const workbookPart = "xl/workbook.xml";

export async function openWorkbook(bytes: Uint8Array, options: ZipOptions = {}): Promise<Workbook> {
  const { scheduler = defaultScheduler() } = options;
  const zip = await Zip.open(bytes, { ...options, scheduler });
  if (!zip.has(workbookPart)) throw inputError(1, "zip");
  const { sheets, is1904 } = await readSheets(zip);
  const formats = await readFormats(zip);
  const shared = await readSharedTexts(zip);
  const made = { cells: 0 };
  return {
    ...{ sheets, is1904 },
    rows: (sheet, notes) =>
      rowsOf({ zip, part: sheet.part, scheduler, made, notes }, { formats, shared, is1904 }),
  };
}

export async function wholeOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of chunks) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxWorkbookBytes) throw inputError(1, "spreadsheetTooLarge", { maxBytes: maxWorkbookBytes });
  }
  if (pieces.length === 1) return pieces[0] as Uint8Array;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

async function readSheets(zip: Zip): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const parts = new Map<string, string>();
  for await (const event of eventsOf(zip, "xl/_rels/workbook.xml.rels")) {
    if (event.kind !== "open" || event.name !== "Relationship") continue;
    const target = event.attributes["Target"] ?? "";
    parts.set(event.attributes["Id"] ?? "", target.startsWith("/") ? target.slice(1) : `xl/${target}`);
  }
  const sheets: Sheet[] = [];
  let is1904 = false;
  for await (const event of eventsOf(zip, workbookPart)) {
    if (event.kind !== "open") continue;
    const { attributes } = event;
    if (event.name === "workbookPr") is1904 = isTrue(attributes["date1904"]);
    const part = event.name === "sheet" ? parts.get(attributes["r:id"] ?? "") : undefined;
    if (part !== undefined && zip.has(part))
      sheets.push({
        name: (attributes["name"] ?? "").slice(0, maxNameLength),
        isHidden: (attributes["state"] ?? "visible") !== "visible",
        part,
      });
    if (sheets.length > maxSheets) throw inputError(1, "tooManySheets", { max: maxSheets });
  }
  if (sheets.length === 0) throw inputError(1, "spreadsheetDamaged");
  return { sheets, is1904 };
}

/** Yields the events of a small document. */
async function* eventsOf(zip: Zip, part: string): AsyncGenerator<XmlEvent> {
  let count = 0;
  for await (const events of readXml(zip.read(part, maxDescriptionBytes))) {
    count += events.length;
    if (count > maxDescriptionEvents) throw inputError(1, "tooManyStyles");
    yield* events;
  }
}

function isTrue(text: string | undefined): boolean {
  return text === "1" || text === "true";
}

/** The format of each style, in the order in which cells refer to them. */
async function readFormats(zip: Zip): Promise<CellFormat[]> {
  if (!zip.has("xl/styles.xml")) return [];
  const own = new Map<number, CellFormat>();
  const formats: CellFormat[] = [];
  let isInside = false;
  for await (const event of eventsOf(zip, "xl/styles.xml")) {
    if (event.kind === "text") continue;
    if (event.name === "cellXfs") isInside = event.kind === "open";
    if (event.kind !== "open") continue;
    const id = Number(event.attributes["numFmtId"] ?? 0);
    if (event.name === "numFmt")
      own.set(id, cellFormat(id, (event.attributes["formatCode"] ?? "").slice(0, maxNameLength)));
    if (event.name === "xf" && isInside) formats.push(own.get(id) ?? cellFormat(id, undefined));
  }
  return formats;
}

async function readSharedTexts(zip: Zip): Promise<string[]> {
  const texts: string[] = [];
  if (!zip.has("xl/sharedStrings.xml")) return texts;
  let text = "";
  const place = new TextPlace();
  const take = (event: XmlEvent): void => {
    if (event.kind === "open" && event.name === "si") text = "";
    if (place.holdsText(event)) text += event.kind === "text" ? event.text : "";
    if (event.kind !== "close" || event.name !== "si") return;
    texts.push(text);
  };
  for await (const events of readXml(zip.read("xl/sharedStrings.xml", maxSharedBytes))) {
    for (const event of events) take(event);
    if (texts.length > maxSharedTexts) throw inputError(1, "tooMuchText");
  }
  return texts;
}

/**
 * Tracks whether text belongs to a cell: inside t, but not in the phonetic readings of Japanese spreadsheets.
 */
class TextPlace {
  #isInText = false;
  #isInReading = false;

  holdsText(event: { kind: string; name?: string }): boolean {
    if (event.name === "t") this.#isInText = event.kind === "open";
    if (event.name === "rPh") this.#isInReading = event.kind === "open";
    return event.kind === "text" && this.#isInText && !this.#isInReading;
  }
}

type Attributes = Readonly<Record<string, string | undefined>>;

interface Values {
  formats: readonly CellFormat[];
  shared: readonly string[];
  is1904: boolean;
}

interface SheetSource {
  zip: Zip;
  part: string;
  scheduler: ReadScheduler;
  /** The number of cells of all sheets. */
  made: { cells: number };
  notes: SheetNotes | undefined;
}

/** Rows are passed on immediately, because a few bytes can create thousands of blank cells. */
async function* rowsOf(source: SheetSource, values: Values): AsyncGenerator<Row> {
  const { zip, part, scheduler, made, notes } = source;
  const sheet = new SheetScan(values, notes);
  for await (const events of readXml(zip.read(part), () => sheet.tooLong())) {
    for (const event of events) {
      const row = sheet.take(event);
      if (!row) continue;
      made.cells += row.cells.length;
      if (made.cells > maxCells) throw inputError(row.line, "tooManySheetCells", { max: maxCells });
      yield row;
      if (scheduler.isSpent) await scheduler.giveWay();
    }
  }
}

/** The text of a formula whose value is not in the file. It looks like an error, so no field takes it. */
const unknownValue = "#FORMULA?";

/** Assembles the rows of a sheet from XML events. */
class SheetScan {
  readonly #values: Values;
  readonly #notes: SheetNotes | undefined;
  readonly #place = new TextPlace();
  #line = 0;
  #cells: string[] = [];
  #length = 0;
  #cell: Attributes = {};
  #stored = "";
  #isInValue = false;
  #isHidden = false;
  #hasFormula = false;
  #hasValue = false;

  constructor(values: Values, notes: SheetNotes | undefined) {
    this.#values = values;
    this.#notes = notes;
  }

  /** Returns the row at its end. */
  take(event: XmlEvent): Row | undefined {
    const isText = this.#place.holdsText(event);
    if (event.kind === "text") {
      if (isText || this.#isInValue) this.#add(event.text);
      return undefined;
    }
    const isOpen = event.kind === "open";
    if (event.name === "v") {
      this.#isInValue = isOpen;
      this.#hasValue = true;
    } else if (event.name === "row" && isOpen) this.#beginRow(event.attributes);
    else if (event.name === "row") return this.#endRow();
    else if (event.name === "c" && isOpen) {
      this.#cell = event.attributes;
      this.#stored = "";
      this.#hasFormula = this.#hasValue = false;
    } else if (event.name === "c") this.#endCell();
    else if (event.name === "f") this.#hasFormula = true;
    else if (event.name === "mergeCell" && isOpen) this.#notes?.addMerged(event.attributes["ref"] ?? "");
    return undefined;
  }

  #add(text: string): void {
    this.#stored += text;
    this.#grow(text.length);
  }

  #endRow(): Row {
    if (this.#isHidden && this.#cells.some((cell) => cell.trim() !== "")) this.#notes?.addHidden(this.#line);
    return { line: this.#line, cells: this.#cells };
  }

  #beginRow({ r: number, hidden }: Attributes): void {
    this.#isHidden = isTrue(hidden);
    this.#line = number === undefined ? this.#line + 1 : Number(number);
    if (!Number.isSafeInteger(this.#line) || this.#line < 1) throw inputError(1, "spreadsheetDamaged");
    this.#cells = [];
    this.#length = 0;
  }

  #endCell(): void {
    const column = columnOf(this.#cell["r"]) ?? this.#cells.length;
    if (column >= maxColumns) throw inputError(1, "spreadsheetDamaged");
    while (this.#cells.length < column) this.#cells.push("");
    const isUnknown = this.#hasFormula && !this.#hasValue;
    if (isUnknown) this.#notes?.addUnknown(this.#line, this.#cell["r"] ?? "");
    const text = isUnknown ? unknownValue : cellText(this.#stored, this.#cell, this.#values);
    this.#cells[column] = text;
    // The shared text was not counted when it was read.
    this.#grow(text.length);
  }

  #grow(length: number): void {
    this.#length += length;
    if (this.#length > maxRowBytes) throw this.tooLong();
  }

  tooLong(): InputError {
    return inputError(Math.max(1, this.#line), "rowTooLarge", { maxBytes: maxRowBytes });
  }
}

/** The column index of a reference such as AB12. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellText(stored: string, cell: Attributes, { formats, shared, is1904 }: Values): string {
  switch (cell["t"] ?? "n") {
    case "s": {
      const text = stored === "" ? "" : shared[Number(stored)];
      if (text === undefined) throw inputError(1, "spreadsheetDamaged");
      return text;
    }
    case "b":
      return stored === "1" ? "true" : stored === "0" ? "false" : stored;
    case "n": {
      const format = formats[Number(cell["s"] ?? 0)];
      const isDate = format !== undefined && (format.hasDate || format.hasTime) && stored !== "";
      return (isDate ? dateText(Number(stored), format, is1904) : undefined) ?? numberText(stored);
    }
    default:
      return stored;
  }
}
