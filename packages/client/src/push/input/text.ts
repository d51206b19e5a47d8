import { isUtf8 } from "node:buffer";
import { InputError } from "./table.js";

/** What a file starts with when it is no text in UTF-8, and what to do about it. */
const foreignBeginnings: readonly { bytes: readonly number[]; message: string }[] = [
  { bytes: [0xff, 0xfe], message: "the file is encoded in UTF-16; save it as UTF-8" },
  { bytes: [0xfe, 0xff], message: "the file is encoded in UTF-16; save it as UTF-8" },
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    message: "the file is a ZIP archive or a spreadsheet; unpack it, or save the sheet as CSV",
  },
  {
    bytes: [0x1f, 0x8b],
    message: "the file is compressed; pipe it in: gunzip -c FILE | gatehouse-push ... -",
  },
];
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const newline = 0x0a;
const markAfterNewline = Buffer.concat([Buffer.from([newline]), byteOrderMark]);
const longestBeginning = 4;

/**
 * Passes text in UTF-8 through and refuses anything else, with the line. Nothing is ever replaced: two different keys
 * could become the same one. A byte order mark at the beginning is dropped, as spreadsheets like to write one; a
 * later one shows that files were joined, header and all.
 */
export async function* readText(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let line = 1;
  let held: Buffer = Buffer.alloc(0);
  let isBeginning = true;
  let isLineStart = false;
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    if (isBeginning) {
      if (held.length < longestBeginning) continue;
      held = withoutBeginning(held);
      isBeginning = false;
    }
    const end = endOfWholeCharacters(held);
    const text = held.subarray(0, end);
    check(text, line, isLineStart);
    line += newlinesIn(text);
    if (text.length > 0) isLineStart = text.at(-1) === newline;
    held = held.subarray(end);
    yield text;
  }
  if (isBeginning) held = withoutBeginning(held);
  check(held, line, isLineStart);
  if (held.length > 0) yield held;
}

function withoutBeginning(bytes: Buffer): Buffer {
  for (const { bytes: beginning, message } of foreignBeginnings) {
    if (beginning.every((byte, position) => bytes[position] === byte)) throw new InputError(1, message);
  }
  return startsWithMark(bytes) ? bytes.subarray(byteOrderMark.length) : bytes;
}

/** A chunk may end inside a character; what is cut waits for the next one. */
function endOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

function check(text: Buffer, firstLine: number, isLineStart: boolean): void {
  if (!isUtf8(text)) {
    throw new InputError(
      lineOfFirst(text, firstLine, (line) => !isUtf8(line)),
      "not valid UTF-8; save the file as UTF-8",
    );
  }
  if ((isLineStart && startsWithMark(text)) || text.includes(markAfterNewline)) {
    throw new InputError(
      lineOfFirst(text, firstLine, (line, position) => (position > 0 || isLineStart) && startsWithMark(line)),
      "a byte order mark in the middle of the file; it looks as if several files were joined: push them one by one",
    );
  }
}

function startsWithMark(bytes: Buffer): boolean {
  return bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
}

function lineOfFirst(
  text: Buffer,
  firstLine: number,
  isWrong: (line: Buffer, position: number) => boolean,
): number {
  let line = firstLine;
  for (let start = 0; ; line += 1) {
    const end = text.indexOf(newline, start);
    if (end === -1 || isWrong(text.subarray(start, end), start)) return line;
    start = end + 1;
  }
}

function newlinesIn(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(newline); at !== -1; at = text.indexOf(newline, at + 1)) count += 1;
  return count;
}
