import {
  beginScan,
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
import { checkedInTurns } from "./ndjson.js";
import { ownPace, type Pace } from "./pace.js";
import { InputError, maxRowBytes, recordColumn, type Row, type Table } from "./table.js";

/** An array of records, or an object that holds it under a name like the body of a request. */
export function readJson(text: AsyncIterable<string>, arrayName: string, pace: Pace = ownPace()): Table {
  return { columns: [recordColumn], rows: rowsOf(text, arrayName, pace) };
}

async function* rowsOf(text: AsyncIterable<string>, arrayName: string, pace: Pace): AsyncGenerator<Row> {
  const reader = new PieceReader(text, pace);
  const first = await reader.skipSpace();
  if (first === openBracket) yield* itemsOf(reader);
  else if (first === openBrace) yield* memberItemsOf(reader, arrayName);
  else throw reader.error(`a JSON array of ${arrayName} is expected`);
  if ((await reader.skipSpace()) !== undefined) throw reader.error("something follows the end of the JSON");
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
    if (mark !== comma && mark !== closeBracket)
      throw new InputError(line, "not valid JSON: a comma or the end of the array is expected behind it");
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
    if ((await reader.skipSpace()) !== quote) throw reader.error("a member name is expected");
    const name: unknown = JSON.parse(await reader.takeChecked());
    if ((await reader.skipSpace()) !== colon) throw reader.error("a colon is expected");
    reader.next();
    if ((await reader.skipSpace()) === openBracket && name === arrayName) {
      isFound = true;
      yield* itemsOf(reader);
    } else await reader.takeChecked();
    mark = await reader.skipSpace();
    if (mark === comma) reader.next();
    else if (mark !== closeBrace) throw reader.error("a comma or the end of the object is expected");
  }
  reader.next();
  if (!isFound) throw new InputError(1, `the object has no array "${arrayName}"`);
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

  error(message: string): InputError {
    return new InputError(this.line, message);
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
      if (taken.length > maxRowBytes)
        throw new InputError(startLine, "a value above 5 MB; no larger record can be sent");
      if (scan.isDone) return taken;
      if (await this.#load()) continue;
      if (!endsHere(scan)) throw new InputError(startLine, "a value starts here and does not end");
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
