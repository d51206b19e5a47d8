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
import { ownPace, type Pace } from "./pace.js";
import { inputError, type InputError } from "./refusals.js";
import { maxRowBytes, recordColumn, type Row, type Table } from "./table.js";

/** An array of records, or an object that holds it under a name like the body of a request. */
export function readJson(text: AsyncIterable<string>, arrayName: string, pace: Pace = ownPace()): Table {
  return { columns: [recordColumn], rows: rowsOf(text, arrayName, pace) };
}

async function* rowsOf(text: AsyncIterable<string>, arrayName: string, pace: Pace): AsyncGenerator<Row> {
  const reader = new PieceReader(text, pace);
  const first = await reader.skipSpace();
  if (first === openBracket) yield* itemsOf(reader);
  else if (first === openBrace) yield* memberItemsOf(reader, arrayName);
  else throw inputError(reader.line, "arrayExpected", { name: arrayName });
  if ((await reader.skipSpace()) !== undefined) throw inputError(reader.line, "jsonFollowed");
}

/** The items of the array the reader stands at. They are cut out one by one, so the array may have any length. */
async function* itemsOf(reader: PieceReader): AsyncGenerator<Row> {
  reader.next();
  if ((await reader.skipSpace()) === closeBracket) {
    reader.next();
    return;
  }
  for (;;) {
    await reader.skipSpace();
    const line = reader.line;
    const record = await reader.takeChecked();
    const mark = await reader.skipSpace();
    if (mark !== comma && mark !== closeBracket) throw inputError(line, "jsonExpected", { what: "comma" });
    yield { line, cells: [record], isJson: true };
    reader.next();
    if (mark === closeBracket) return;
  }
}

/** Members other than the array, such as metadata, are passed over. */
async function* memberItemsOf(reader: PieceReader, arrayName: string): AsyncGenerator<Row> {
  let isFound = false;
  reader.next();
  for (let mark = await reader.skipSpace(); mark !== closeBrace;) {
    if ((await reader.skipSpace()) !== quote)
      throw inputError(reader.line, "jsonExpected", { what: "memberName" });
    const name: unknown = JSON.parse(await reader.takeChecked());
    if ((await reader.skipSpace()) !== colon)
      throw inputError(reader.line, "jsonExpected", { what: "colon" });
    reader.next();
    if ((await reader.skipSpace()) === openBracket && name === arrayName) {
      isFound = true;
      yield* itemsOf(reader);
    } else await reader.takeChecked();
    mark = await reader.skipSpace();
    if (mark === comma) reader.next();
    else if (mark !== closeBrace) throw inputError(reader.line, "jsonExpected", { what: "commaOrEnd" });
  }
  reader.next();
  if (!isFound) throw inputError(1, "arrayMissing", { name: arrayName });
}

/** Walks over text that arrives in pieces. */
class PieceReader {
  line = 1;
  readonly #pieces: AsyncIterator<string>;
  readonly #pace: Pace;
  #piece = "";
  #at = 0;

  constructor(pieces: AsyncIterable<string>, pace: Pace) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#pace = pace;
  }

  /** Steps over the mark that was just looked at. */
  next(): void {
    this.#at += 1;
  }

  /** The code of the next character that is no white space, still to be stepped over; undefined at the end. */
  async skipSpace(): Promise<number | undefined> {
    for (;;) {
      this.#stepTo(skipSpace(this.#piece, this.#at));
      if (this.#at < this.#piece.length) return this.#piece.charCodeAt(this.#at);
      if (!(await this.#load())) return undefined;
    }
  }

  /** The text of the value that starts here, which is valid JSON. */
  async takeChecked(): Promise<string> {
    const startLine = this.line;
    return checkedInTurns(await this.takeValue(), startLine, this.#pace);
  }

  /** The text of the value that starts here, if one does. Whether it is well-formed inside is for the parser to say. */
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

/** Whether a value may end where the file does. */
function endsHere(scan: ValueScan): boolean {
  try {
    finishScan(scan);
    return true;
  } catch (error) {
    if (error instanceof MalformedJson) return false;
    throw error;
  }
}

/** One JSON record a line; blank lines are skipped. */
export function readNdjson(text: AsyncIterable<string>, pace: Pace = ownPace()): Table {
  return { columns: [recordColumn], rows: recordLines(text, pace) };
}

async function* recordLines(text: AsyncIterable<string>, pace: Pace): AsyncGenerator<Row> {
  let line = 1;
  for await (const content of linesOf(text)) {
    const record = content.trim();
    if (record !== "") yield { line, cells: [await checkedInTurns(record, line, pace)], isJson: true };
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

/** Up to here parsing costs nothing that anybody would notice, and its messages are the better ones. */
const maxParsedLength = 4_096;

/**
 * The text of a record, which is kept as it is: its numbers may have more digits than a parsed value holds. A long one is
 * not parsed: a few megabytes of brackets would hold everybody up for seconds.
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

/** The same, giving way to other work. */
export async function checkedInTurns(text: string, line: number, pace: Pace): Promise<string> {
  if (text.length <= maxParsedLength) return checkedJson(text, line);
  try {
    await checkJsonInTurns(text, pace);
    return text;
  } catch (error) {
    throw error instanceof MalformedJson ? notJson(error, line) : error;
  }
}

function notJson(error: unknown, line: number): InputError {
  // Newer engines count lines within the record, which has only one; the file's line is the one to say.
  const reason = (error as Error).message.replace("line 1 column", "column");
  return inputError(line, "notJson", { reason });
}
