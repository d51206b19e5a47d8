import {
  beginScan,
  checkJson,
  checkJsonInTurns,
  closeBrace,
  closeBracket,
  colon,
  comma,
  finishScan,
  MalformedJson,
  openBrace,
  openBracket,
  quote,
  scanOn,
  skipSpace,
  type ValueScan,
} from "@gatehouse-parking/json-text";
import { newlinesIn } from "./text.js";
import { defaultScheduler, type ReadScheduler } from "./scheduler.js";
import { inputError, type InputError } from "./refusals.js";
import { maxRowBytes, recordColumn, type Row, type Table } from "./table.js";

/** Reads an array of records, or an object that contains the array under a name, like a request body. */
export function readJson(
  text: AsyncIterable<string>,
  arrayName: string,
  scheduler: ReadScheduler = defaultScheduler(),
): Table {
  return { columns: [recordColumn], rows: rowsOf(text, arrayName, scheduler), facts: () => [] };
}

async function* rowsOf(
  text: AsyncIterable<string>,
  arrayName: string,
  scheduler: ReadScheduler,
): AsyncGenerator<Row> {
  const reader = new PieceReader(text, scheduler);
  const first = await reader.skipSpace();
  if (first === openBracket) yield* itemsOf(reader);
  else if (first === openBrace) yield* memberItemsOf(reader, arrayName);
  else throw inputError(reader.line, "arrayExpected", { name: arrayName });
  if ((await reader.skipSpace()) !== undefined) throw inputError(reader.line, "jsonFollowed");
}

/** Yields the items of the array at the current position one by one, so the array may have any length. */
async function* itemsOf(reader: PieceReader): AsyncGenerator<Row> {
  reader.next();
  if ((await reader.skipSpace()) === closeBracket) {
    reader.next();
    return;
  }
  for (;;) {
    await reader.skipSpace();
    const line = reader.line;
    const record = await reader.takeValidValue();
    const mark = await reader.skipSpace();
    if (mark !== comma && mark !== closeBracket) throw inputError(line, "jsonExpected", { what: "comma" });
    yield { line, cells: [record], isJson: true };
    reader.next();
    if (mark === closeBracket) return;
  }
}

/** Skips other members, such as metadata. */
async function* memberItemsOf(reader: PieceReader, arrayName: string): AsyncGenerator<Row> {
  let isFound = false;
  reader.next();
  for (let mark = await reader.skipSpace(); mark !== closeBrace;) {
    if ((await reader.skipSpace()) !== quote)
      throw inputError(reader.line, "jsonExpected", { what: "memberName" });
    const name: unknown = JSON.parse(await reader.takeValidValue());
    if ((await reader.skipSpace()) !== colon)
      throw inputError(reader.line, "jsonExpected", { what: "colon" });
    reader.next();
    if ((await reader.skipSpace()) === openBracket && name === arrayName) {
      isFound = true;
      yield* itemsOf(reader);
    } else await reader.takeValidValue();
    mark = await reader.skipSpace();
    if (mark === comma) reader.next();
    else if (mark !== closeBrace) throw inputError(reader.line, "jsonExpected", { what: "commaOrEnd" });
  }
  reader.next();
  if (!isFound) throw inputError(1, "arrayMissing", { name: arrayName });
}

/** Scans text that arrives in pieces. */
class PieceReader {
  line = 1;
  readonly #pieces: AsyncIterator<string>;
  readonly #scheduler: ReadScheduler;
  #piece = "";
  #at = 0;

  constructor(pieces: AsyncIterable<string>, scheduler: ReadScheduler) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#scheduler = scheduler;
  }

  /** Skips the current character. */
  next(): void {
    this.#at += 1;
  }

  /** The next character that is not white space, without consuming it; undefined at the end. */
  async skipSpace(): Promise<number | undefined> {
    for (;;) {
      this.#stepTo(skipSpace(this.#piece, this.#at));
      if (this.#at < this.#piece.length) return this.#piece.charCodeAt(this.#at);
      if (!(await this.#load())) return undefined;
    }
  }

  /** Consumes a value and checks that it is valid JSON. */
  async takeValidValue(): Promise<string> {
    const startLine = this.line;
    return checkJsonYielding(await this.takeValue(), startLine, this.#scheduler);
  }

  /** Consumes a value without checking it. */
  async takeValue(): Promise<string> {
    const startLine = this.line;
    const scan = valueAt(this.#piece, this.#at);
    if (scan === undefined) return "";
    for (let taken = ""; ;) {
      const end = scanOn(scan, this.#piece, this.#at);
      taken += this.#piece.slice(this.#at, end);
      this.#stepTo(end);
      if (taken.length > maxRowBytes) throw inputError(startLine, "rowTooLarge", { maxBytes: maxRowBytes });
      if (scan.isDone) return taken;
      if (await this.#load()) continue;
      if (!endsHere(scan)) throw inputError(startLine, "jsonOpen");
      return taken;
    }
  }

  #stepTo(position: number): void {
    this.line += newlinesIn(this.#piece.slice(this.#at, position));
    this.#at = position;
  }

  async #load(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#pieces.next();
      if (done) return false;
      this.#piece = value;
      this.#at = 0;
      if (value.length > 0) return true;
    }
  }
}

function valueAt(text: string, at: number): ValueScan | undefined {
  try {
    return beginScan(text, at);
  } catch (error) {
    if (error instanceof MalformedJson) return undefined;
    throw error;
  }
}

/** Whether a value may end at the end of the file. */
function endsHere(scan: ValueScan): boolean {
  try {
    finishScan(scan);
    return true;
  } catch (error) {
    if (error instanceof MalformedJson) return false;
    throw error;
  }
}

/** Reads one JSON record per line and skips blank lines. */
export function readNdjson(
  text: AsyncIterable<string>,
  scheduler: ReadScheduler = defaultScheduler(),
): Table {
  return { columns: [recordColumn], rows: recordLines(text, scheduler), facts: () => [] };
}

async function* recordLines(text: AsyncIterable<string>, scheduler: ReadScheduler): AsyncGenerator<Row> {
  let line = 1;
  for await (const content of linesOf(text)) {
    const record = content.trim();
    if (record !== "")
      yield { line, cells: [await checkJsonYielding(record, line, scheduler)], isJson: true };
    line += 1;
  }
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let line = 1;
  let begun = "";
  for await (const piece of text) {
    let start = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", start)) {
      yield begun + piece.slice(start, end);
      begun = "";
      line += 1;
      start = end + 1;
    }
    begun += piece.slice(start);
    if (begun.length > maxRowBytes) throw inputError(line, "rowTooLarge", { maxBytes: maxRowBytes });
  }
  yield begun;
}

/** Below this length JSON.parse is fast enough and has better messages. */
const maxParsedLength = 4_096;

/**
 * Checks a record and keeps its text: numbers may have more digits than a parsed value can hold. Long records
 * are not parsed, because megabytes of brackets would block the event loop for seconds.
 */
export function checkedJson(text: string, line: number): string {
  try {
    if (text.length <= maxParsedLength) JSON.parse(text);
    else checkJson(text);
    return text;
  } catch (error) {
    throw notJson(error, line);
  }
}

/** Like checkedJson, but yields to other work. */
export async function checkJsonYielding(
  text: string,
  line: number,
  scheduler: ReadScheduler,
): Promise<string> {
  if (text.length <= maxParsedLength) return checkedJson(text, line);
  try {
    await checkJsonInTurns(text, scheduler);
    return text;
  } catch (error) {
    throw error instanceof MalformedJson ? notJson(error, line) : error;
  }
}

function notJson(error: unknown, line: number): InputError {
  // Newer engines report the line within the record; the file's line is the useful one.
  const reason = (error as Error).message.replace("line 1 column", "column");
  return inputError(line, "notJson", { reason });
}
