import { guessEncoding } from "./guess-encoding.js";
import { inputError } from "./refusals.js";

/** Supported encodings and their names. */
export const encodingNames = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 (little endian)",
  "utf-16be": "UTF-16 (big endian)",
  "windows-1252": "Windows-1252",
  latin1: "Latin-1",
  "windows-1250": "Windows-1250",
  "windows-1251": "Windows-1251",
  "windows-1253": "Windows-1253",
  "windows-1254": "Windows-1254",
  "windows-1255": "Windows-1255",
  "windows-1256": "Windows-1256",
  "windows-1257": "Windows-1257",
  "windows-1258": "Windows-1258",
  "windows-874": "Windows-874",
  "iso-8859-2": "ISO 8859-2",
  "iso-8859-3": "ISO 8859-3",
  "iso-8859-4": "ISO 8859-4",
  "iso-8859-5": "ISO 8859-5",
  "iso-8859-6": "ISO 8859-6",
  "iso-8859-7": "ISO 8859-7",
  "iso-8859-8": "ISO 8859-8",
  "iso-8859-10": "ISO 8859-10",
  "iso-8859-13": "ISO 8859-13",
  "iso-8859-14": "ISO 8859-14",
  "iso-8859-15": "ISO 8859-15",
  "koi8-r": "KOI8-R",
  "koi8-u": "KOI8-U",
  ibm866: "DOS 866",
  macintosh: "Mac Roman",
  "x-mac-cyrillic": "Mac Cyrillic",
  shift_jis: "Shift_JIS",
  "euc-jp": "EUC-JP",
  "iso-2022-jp": "ISO-2022-JP",
  "euc-kr": "EUC-KR",
  big5: "Big5",
  gbk: "GBK",
  gb18030: "GB 18030",
} as const;
export type Encoding = keyof typeof encodingNames;
export const encodings = Object.keys(encodingNames) as Encoding[];

/** Evidence for the encoding of some bytes. */
export interface Utf8Evidence {
  /** Valid multi-byte UTF-8 characters. */
  characters: number;
  /** Bytes that are invalid in UTF-8. */
  invalidBytes: number;
  /** Bytes that Windows-1252 leaves undefined. */
  undefinedBytes: number;
  /** Bytes that are printable in Windows-1252 and control characters in Latin-1. */
  windowsBytes: number;
  letters: number;
}

const undefinedInWindows = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/** A character that is cut off at the end counts as valid. */
export function utf8Evidence(bytes: Uint8Array): Utf8Evidence {
  const evidence = { characters: 0, invalidBytes: 0, undefinedBytes: 0, windowsBytes: 0, letters: 0 };
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] as number;
    if (byte < 0x80) {
      if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) evidence.letters += 1;
      at += 1;
      continue;
    }
    if (undefinedInWindows.has(byte)) evidence.undefinedBytes += 1;
    else if (byte < 0xa0) evidence.windowsBytes += 1;
    const length = lengthOfCharacter(bytes, at);
    if (length === 0) evidence.invalidBytes += 1;
    else evidence.characters += 1;
    at += Math.max(1, length);
  }
  return evidence;
}

/** Returns 0 if no UTF-8 character starts here. */
function lengthOfCharacter(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  const length = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (lead >= 0xf5) return 0;
  for (let next = 1; next < length; next += 1) {
    const byte = bytes[at + next];
    if (byte === undefined) return next;
    if ((byte & 0xc0) !== 0x80) return 0;
  }
  return length;
}

interface RecognizedEncoding {
  encoding: Encoding;
  /** Whether another encoding would be plausible too. */
  isUncertain?: true;
}

/** Too few characters to tell languages apart. */
const fewBytes = 3;

/**
 * Detects the encoding from the first bytes; undefined if they are inconclusive. Text that is partly UTF-8 was joined
 * from two files and is not guessed.
 */
export function recognizeEncoding(sample: Uint8Array): RecognizedEncoding | undefined {
  if (sample[0] === 0xff && sample[1] === 0xfe) return { encoding: "utf-16le" };
  if (sample[0] === 0xfe && sample[1] === 0xff) return { encoding: "utf-16be" };
  const wide = recognizeWideText(sample);
  if (wide) return { encoding: wide };
  const { characters, invalidBytes, undefinedBytes } = utf8Evidence(sample);
  if (invalidBytes === 0) return { encoding: "utf-8" };
  if (characters >= invalidBytes) return undefined;
  if (invalidBytes < fewBytes)
    return undefinedBytes === 0 ? { encoding: "windows-1252", isUncertain: true } : undefined;
  const guess = guessEncoding(sample);
  return guess && { encoding: guess.encoding, ...(guess.isCertain ? {} : { isUncertain: true }) };
}

/** Detects UTF-16 without a byte order mark: every other byte of digits, separators and line ends is zero. */
function recognizeWideText(sample: Uint8Array): Encoding | undefined {
  const zeros = [0, 0];
  for (const [position, byte] of sample.entries()) if (byte === 0) zeros[position % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  const many = sample.length / 2 / 4;
  // A few characters, such as the ideographic space, have a zero on the other side.
  if (odd > many && odd > even * 2) return "utf-16le";
  if (even > many && even > odd * 2) return "utf-16be";
  return undefined;
}

/** 0x80 to 0x9f in Windows-1252; the rest is Latin-1. */
const windowsLetters =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** Decodes bytes piece by piece; `line` is used in messages. */
export interface PieceDecoder {
  decode(bytes: Uint8Array, line: number): string;
  end(line: number): string;
}

/**
 * A decoder for any encoding except UTF-8. `isGuess`: Windows-1252 was detected, so the text must not contain
 * obvious UTF-8.
 */
export function pieceDecoder(encoding: Exclude<Encoding, "utf-8">, isGuess: boolean): PieceDecoder {
  if (encoding === "windows-1252" || encoding === "latin1")
    return { decode: (bytes, line) => decodeNarrow(bytes, encoding, isGuess, line), end: () => "" };
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const attempt = (line: number, work: () => string): string => {
    try {
      return work();
    } catch {
      throw inputError(line, "notInEncoding", { encoding });
    }
  };
  return {
    decode: (bytes, line) => attempt(line, () => decoder.decode(bytes, { stream: true })),
    end: (line) => attempt(line, () => decoder.decode()),
  };
}

function decodeNarrow(
  bytes: Uint8Array,
  encoding: "windows-1252" | "latin1",
  isGuess: boolean,
  line: number,
): string {
  let text = "";
  let ahead = line;
  for (const [position, byte] of bytes.entries()) {
    if (byte === 0x0a) ahead += 1;
    if (byte < 0x80 || byte >= 0xa0 || encoding === "latin1") text += String.fromCharCode(byte);
    else if (undefinedInWindows.has(byte)) throw inputError(ahead, "notInEncoding", { encoding });
    else text += windowsLetters[byte - 0x80];
    if (isGuess && byte >= 0xc2 && position + 1 < bytes.length && lengthOfCharacter(bytes, position) > 1)
      throw inputError(ahead, "mixedEncodings");
  }
  return text;
}
