import type { ImportResourceName } from "@gatehouse-parking/contract";
import { checkedJson } from "./ndjson.js";
import { InputError, maxRowBytes, recordColumn, type Row, type Table } from "./table.js";

/** An array of records, or an object that holds it under the resource's name like the body of a request. */
export function readJson(text: AsyncIterable<Buffer>, resource: ImportResourceName): Table {
  return { columns: [recordColumn], rows: rowsOf(text, resource) };
}

const space = new Set([0x20, 0x09, 0x0a, 0x0d]);
const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

async function* rowsOf(text: AsyncIterable<Buffer>, resource: ImportResourceName): AsyncGenerator<Row> {
  const reader = new ByteReader(text);
  const first = await reader.skipSpace();
  if (first === openBracket) yield* itemsOf(reader);
  else if (first === openBrace) yield* memberItemsOf(reader, resource);
  else throw reader.error(`a JSON array of ${resource} is expected`);
  if ((await reader.skipSpace()) !== undefined) throw reader.error("something follows the end of the JSON");
}

/** The items of the array the reader stands at. They are cut out one by one, so the array may have any length. */
async function* itemsOf(reader: ByteReader): AsyncGenerator<Row> {
  reader.next();
  if ((await reader.skipSpace()) === closeBracket) {
    reader.next();
    return;
  }
  for (;;) {
    await reader.skipSpace();
    const line = reader.line;
    yield { line, cells: [checkedJson(await reader.takeValue(), line)] };
    const mark = await reader.skipSpace();
    reader.next();
    if (mark === closeBracket) return;
    if (mark !== comma) throw reader.error("a comma or the end of the array is expected");
  }
}

/** Members other than the array, such as metadata, are passed over. */
async function* memberItemsOf(reader: ByteReader, resource: ImportResourceName): AsyncGenerator<Row> {
  let isFound = false;
  reader.next();
  for (let mark = await reader.skipSpace(); mark !== closeBrace;) {
    if ((await reader.skipSpace()) !== quote) throw reader.error("a member name is expected");
    const name: unknown = JSON.parse(checkedJson(await reader.takeValue(), reader.line));
    if ((await reader.skipSpace()) !== colon) throw reader.error("a colon is expected");
    reader.next();
    if ((await reader.skipSpace()) === openBracket && name === resource) {
      isFound = true;
      yield* itemsOf(reader);
    } else checkedJson(await reader.takeValue(), reader.line);
    mark = await reader.skipSpace();
    if (mark === comma) reader.next();
    else if (mark !== closeBrace) throw reader.error("a comma or the end of the object is expected");
  }
  reader.next();
  if (!isFound) throw new InputError(1, `the object has no array "${resource}"`);
}

/** Walks over bytes that arrive in chunks; structure in JSON is ASCII, so characters of several bytes need no care. */
class ByteReader {
  line = 1;
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  error(message: string): InputError {
    return new InputError(this.line, message);
  }

  /** Steps over the byte that was just looked at. */
  next(): void {
    if (this.#chunk[this.#at] === newline) this.line += 1;
    this.#at += 1;
  }

  /** The next byte that is no white space, still to be stepped over; undefined at the end. */
  async skipSpace(): Promise<number | undefined> {
    for (;;) {
      if (this.#at === this.#chunk.length && !(await this.#load())) return undefined;
      const byte = this.#chunk[this.#at] as number;
      if (!space.has(byte)) return byte;
      this.next();
    }
  }

  /** The text of the value that starts here. Whether it is well-formed inside is for the parser to say. */
  async takeValue(): Promise<string> {
    const startLine = this.line;
    const parts: Buffer[] = [];
    let bytes = 0;
    let start = this.#at;
    const state = { depth: 0, inString: false, escaped: false };
    for (;;) {
      if (this.#at === this.#chunk.length) {
        parts.push(this.#chunk.subarray(start));
        bytes += this.#chunk.length - start;
        if (bytes > maxRowBytes)
          throw new InputError(startLine, "a value above 5 MB; no larger record can be sent");
        if (!(await this.#load())) {
          if (state.depth > 0 || state.inString)
            throw new InputError(startLine, "a value starts here and does not end");
          break;
        }
        start = 0;
      }
      const byte = this.#chunk[this.#at] as number;
      if (endsBefore(byte, state)) {
        parts.push(this.#chunk.subarray(start, this.#at));
        break;
      }
      advance(byte, state);
      this.next();
    }
    return Buffer.concat(parts).toString("utf8").trim();
  }

  async #load(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      this.#chunk = value;
      this.#at = 0;
      if (value.length > 0) return true;
    }
  }
}

interface ValueState {
  depth: number;
  inString: boolean;
  escaped: boolean;
}

function endsBefore(byte: number, state: ValueState): boolean {
  if (state.inString || state.depth > 0) return false;
  return byte === comma || byte === closeBracket || byte === closeBrace || byte === colon;
}

function advance(byte: number, state: ValueState): void {
  if (state.inString) {
    if (state.escaped) state.escaped = false;
    else if (byte === backslash) state.escaped = true;
    else if (byte === quote) state.inString = false;
  } else if (byte === quote) state.inString = true;
  else if (byte === openBracket || byte === openBrace) state.depth += 1;
  else if (byte === closeBracket || byte === closeBrace) state.depth -= 1;
}
