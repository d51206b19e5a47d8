import { pieceDecoder, type Encoding, type PieceDecoder } from "./encoding.js";
import { inputError } from "./refusals.js";

/** First bytes of files that are not UTF-8 text. */
const foreignBeginnings = [
  { bytes: [0xff, 0xfe], code: "utf16" },
  { bytes: [0xfe, 0xff], code: "utf16" },
  { bytes: [0x50, 0x4b, 0x03, 0x04], code: "zip" },
  { bytes: [0x1f, 0x8b], code: "gzip" },
] as const;
const longestBeginning = 4;
const byteOrderMark = "\ufeff";
const newline = 0x0a;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8 and rejects invalid bytes with their line. Nothing is replaced, because two different keys
 * could become equal. Drops a byte order mark at the beginning; a later one indicates joined files.
 */
export async function* readText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let line = 1;
  let held: Uint8Array = new Uint8Array();
  let isBeginning = true;
  let isLineStart = false;
  const take = (bytes: Uint8Array): string => {
    let text = decode(bytes, line);
    if (isBeginning && text.startsWith(byteOrderMark)) text = text.slice(byteOrderMark.length);
    isBeginning = false;
    refuseJoinedFiles(text, line, isLineStart);
    line += newlinesIn(text);
    if (text !== "") isLineStart = text.endsWith("\n");
    return text;
  };
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : joined(held, chunk);
    if (isBeginning) {
      if (held.length < longestBeginning) continue;
      refuseForeign(held);
    }
    const end = endOfWholeCharacters(held);
    const text = take(held.subarray(0, end));
    held = held.subarray(end);
    if (text !== "") yield text;
  }
  if (isBeginning) refuseForeign(held);
  const rest = take(held);
  if (rest !== "") yield rest;
}

/** Like readText for other encodings; `isGuess` means that the encoding was detected. */
export async function* readEncodedText(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  isGuess: boolean,
): AsyncGenerator<string> {
  if (encoding === "utf-8") yield* readText(chunks);
  else yield* decodedPieces(chunks, pieceDecoder(encoding, isGuess));
}

async function* decodedPieces(
  chunks: AsyncIterable<Uint8Array>,
  decoder: PieceDecoder,
): AsyncGenerator<string> {
  let line = 1;
  let isBeginning = true;
  let isLineStart = false;
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, line);
    if (text === "") continue;
    if (isBeginning && text.startsWith(byteOrderMark)) text = text.slice(byteOrderMark.length);
    isBeginning = false;
    refuseJoinedFiles(text, line, isLineStart);
    line += newlinesIn(text);
    if (text !== "") isLineStart = text.endsWith("\n");
    yield text;
  }
  const rest = decoder.end(line);
  if (rest !== "") yield rest;
}

function refuseForeign(bytes: Uint8Array): void {
  for (const { bytes: beginning, code } of foreignBeginnings)
    if (beginning.every((byte, position) => bytes[position] === byte)) throw inputError(1, code);
}

/** A chunk may end inside a character; the rest waits for the next chunk. */
function endOfWholeCharacters(bytes: Uint8Array): number {
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

function decode(bytes: Uint8Array, firstLine: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw inputError(firstLine + linesBeforeInvalid(bytes), "notUtf8");
  }
}

/** A newline byte is never part of another character, so lines can be checked one by one. */
function linesBeforeInvalid(bytes: Uint8Array): number {
  for (let lines = 0, start = 0; ; lines += 1) {
    const end = bytes.indexOf(newline, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return lines;
    start = end + 1;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function refuseJoinedFiles(text: string, firstLine: number, isLineStart: boolean): void {
  const isFirst = isLineStart && text.startsWith(byteOrderMark);
  const before = isFirst ? 0 : text.indexOf(`\n${byteOrderMark}`) + 1;
  if (before === 0 && !isFirst) return;
  throw inputError(firstLine + newlinesIn(text.slice(0, before)), "joinedFiles");
}

export function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
