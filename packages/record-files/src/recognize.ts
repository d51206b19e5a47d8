import { importResourceNames, isObject } from "@gatehouse-parking/contract";
import { recognizeCsv } from "./recognize-csv.js";
import type { HeaderPlace } from "./header/recognize-header.js";
import { recognizeEncoding, type Encoding } from "./encoding.js";
import { sampleWords } from "./guess-encoding.js";
import { gunzip, isGzip } from "./gzip.js";
import type { ReadScheduler } from "./scheduler.js";
import { maxObjectDepth } from "./json-arrays.js";
import type { InputFormat } from "./read-table.js";
import { inputError, type ReadingFact } from "./refusals.js";
import { failureColumns } from "./table.js";

/** How to read a file. */
export interface Reading extends HeaderPlace {
  format: InputFormat;
  isCompressed: boolean;
  encoding: Encoding;
  /** Whether the encoding was neither given nor proven by a byte order mark. */
  isEncodingGuess: boolean;
  /** Words that show whether the encoding is right, if another one would be plausible too. */
  doubtfulWords?: readonly string[];
  /** `delimiter` and `quote` apply to CSV files only. */
  delimiter: string;
  quote: string;
  /** Spreadsheets only. */
  sheet?: string;
  /** Visible sheets with content, or the sheet that was given. */
  sheets?: readonly string[];
}

/** The known facts about a file; the rest is detected. */
export type KnownReading = {
  [Part in Exclude<keyof Reading, "isCompressed" | "isEncodingGuess" | "doubtfulWords" | "sheets">]?:
    | Reading[Part]
    | undefined;
};

/** How many bytes are inspected. */
export const sampleBytes = 64 * 1024;
const plainSettings = { delimiter: ",", quote: '"', headerLine: 1, headerRows: 1 };
const lastFailureColumn = failureColumns.at(-1) as string;

/** Detects how to read a file from its beginning, which is already decompressed. */
export function recognize(sample: Uint8Array, isCompressed: boolean, told: KnownReading): Reading {
  refuseForeignFiles(sample);
  const recognized = told.encoding === undefined ? recognizeEncoding(sample) : undefined;
  const encoding = told.encoding ?? recognized?.encoding ?? "utf-8";
  const text = decodeSample(sample, encoding);
  refuseMarkup(text);
  const format = told.format ?? formatOf(text);
  const isWhole = sample.length < sampleBytes;
  const csv = format === "csv" ? recognizeCsv({ text, isWhole }, told) : plainSettings;
  return {
    format,
    isCompressed,
    encoding,
    isEncodingGuess: told.encoding === undefined && !startsWithMark(sample),
    ...(recognized?.isUncertain ? { doubtfulWords: sampleWords(text) } : {}),
    ...csv,
  };
}

/** A byte order mark proves the encoding. */
function startsWithMark([first, second, third]: Uint8Array): boolean {
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isWide || (first === 0xef && second === 0xbb && third === 0xbf);
}

function refuseForeignFiles(sample: Uint8Array): void {
  const startsWith = (...bytes: number[]) => bytes.every((byte, position) => sample[position] === byte);
  if (startsWith(0xd0, 0xcf, 0x11, 0xe0)) throw inputError(1, "oldSpreadsheet");
  if (startsWith(0x25, 0x50, 0x44, 0x46)) throw inputError(1, "pdf");
}

/** Programs save web pages and XML under the names of spreadsheets. */
function refuseMarkup(text: string): void {
  const beginning = text.trimStart().slice(0, 100).toLowerCase();
  if (/^<(?:!doctype html|html|head|meta|body|table|style)\b/.test(beginning)) throw inputError(1, "html");
  if (beginning.startsWith("<?xml")) throw inputError(1, "xml");
}

function decodeSample(sample: Uint8Array, encoding: Encoding): string {
  const text = new TextDecoder(encoding).decode(sample);
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** NDJSON, a JSON array or request body, or CSV. */
function formatOf(text: string): InputFormat {
  const beginning = text.trimStart();
  if (beginning.startsWith("[")) return "json";
  if (!beginning.startsWith("{")) return "csv";
  const [line = ""] = beginning.split("\n", 1);
  const first = parsed(line);
  const isOnlyLine = beginning.slice(line.length).trim() === "";
  const isEnvelope = first === undefined || isRequestBody(first) || (isOnlyLine && containsRecords(first));
  return isEnvelope ? "json" : "ndjson";
}

function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** A request body may fit on one line. No record has a member with such a name. */
function isRequestBody(value: object): boolean {
  return importResourceNames.some((name) => Array.isArray((value as Record<string, unknown>)[name]));
}

/** Whether a parsed object contains an array of objects. */
function containsRecords(value: unknown, depth = 0): boolean {
  if (Array.isArray(value)) return isObject(value[0]);
  return (
    isObject(value) &&
    depth < maxObjectDepth &&
    Object.values(value).some((member) => containsRecords(member, depth + 1))
  );
}

/** The decompressed bytes of a file, and how to read them. */
export interface RecognizedFile {
  reading: Reading;
  chunks: AsyncIterable<Uint8Array>;
}

interface RecognizeOptions {
  /** Whether the sample is large enough. */
  isEnough?: (sample: Uint8Array) => boolean;
  /** Aborts reading. */
  signal?: AbortSignal;
  scheduler?: ReadScheduler;
}

/** Detects how to read a file from its beginning. */
export async function recognizeFile(
  chunks: AsyncIterable<Uint8Array>,
  told: KnownReading,
  { isEnough = () => false, signal, scheduler }: RecognizeOptions = {},
): Promise<RecognizedFile> {
  const packed = await peek(chunks, ({ length }) => length >= 2);
  const isCompressed = isGzip(packed.sample);
  const { sample, chunks: all } = await peek(
    isCompressed ? gunzip(packed.chunks, scheduler) : packed.chunks,
    isEnough,
  );
  if (isZip(sample)) {
    // Spreadsheets are rare, so browsers load their reader on demand.
    const { recognizeSheet } = await import("./xlsx/read-workbook.js");
    const { choice, bytes } = await recognizeSheet(all, told, { signal, scheduler });
    return { reading: { ...spreadsheet, isCompressed, ...choice }, chunks: once(bytes) };
  }
  if (told.format === "xlsx") throw inputError(1, "notSpreadsheet");
  // We wrote the file of failed rows. The given settings describe the original file.
  const about: KnownReading = isOfFailures(sample)
    ? { delimiter: told.delimiter, headerLine: 1, headerRows: 1 }
    : told;
  return { reading: recognize(sample, isCompressed, about), chunks: all };
}

/** Values that do not matter for a spreadsheet, except that its failed rows are written as CSV. */
const spreadsheet = {
  format: "xlsx",
  encoding: "utf-8",
  isEncodingGuess: false,
  delimiter: ",",
  quote: '"',
} as const;

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Whether the file starts with the header of a file of failed rows. */
function isOfFailures(sample: Uint8Array): boolean {
  const [header = ""] = decodeSample(sample, "utf-8").split("\n", 1);
  return header.trimEnd().endsWith(lastFailureColumn);
}

/** Reads about `sampleBytes` of a file; `chunks` still yields the whole file. */
async function peek(
  chunks: AsyncIterable<Uint8Array>,
  isEnough: (sample: Uint8Array) => boolean,
): Promise<{ sample: Uint8Array; chunks: AsyncIterable<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  // Pieces may have one byte each, so they are copied into one buffer.
  const buffer = new Uint8Array(sampleBytes);
  let length = 0;
  let isEnd = false;
  while (!isEnd && length < sampleBytes && !isEnough(buffer.subarray(0, length))) {
    const { done, value } = await iterator.next();
    if (done) isEnd = true;
    else {
      seen.push(value);
      const taken = value.subarray(0, sampleBytes - length);
      buffer.set(taken, length);
      length += taken.length;
    }
  }
  const sample = buffer.subarray(0, length);
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* seen.splice(0);
      if (!isEnd) yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
  return { sample, chunks: all() };
}

/**
 * The reading of a file whose beginning looked like UTF-8, though later bytes are not; undefined if its lines beyond
 * ASCII show no encoding.
 */
export async function recognizeLater(
  chunks: AsyncIterable<Uint8Array>,
  reading: Reading,
  scheduler?: ReadScheduler,
): Promise<Reading | undefined> {
  if (reading.encoding !== "utf-8" || !reading.isEncodingGuess) return undefined;
  const sample = await linesBeyondAscii(reading.isCompressed ? gunzip(chunks, scheduler) : chunks);
  const found = recognizeEncoding(sample);
  if (!found || found.encoding === "utf-8") return undefined;
  const words = sampleWords(decodeSample(sample, found.encoding));
  return {
    ...reading,
    encoding: found.encoding,
    ...(found.isUncertain ? { doubtfulWords: words } : {}),
  };
}

const newline = 0x0a;

/** The first lines with other bytes than ASCII, up to the size of a sample. */
async function linesBeyondAscii(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const found = new Uint8Array(sampleBytes);
  let length = 0;
  const add = (line: Uint8Array) => {
    if (!line.some((byte) => byte >= 0x80)) return;
    const taken = line.subarray(0, sampleBytes - length);
    found.set(taken, length);
    length += taken.length;
  };
  // A line that continues in the next chunk counts as two.
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(newline, start);
      add(chunk.subarray(start, end === -1 ? chunk.length : end + 1));
      start = end === -1 ? chunk.length : end + 1;
    }
    if (length === sampleBytes) break;
  }
  return found.subarray(0, length);
}

/** Unusual facts that were detected. */
export function readingFacts(reading: Reading, told: KnownReading): ReadingFact[] {
  const { format, encoding, delimiter, quote, sheet, sheets } = reading;
  const facts: (ReadingFact | false)[] = [
    reading.isCompressed && { code: "compressed", data: {} },
    told.format !== format && { code: "format", data: { format } },
    told.sheet === undefined &&
      sheet !== undefined && { code: "sheet", data: { name: sheet, count: sheets?.length ?? 1 } },
    told.encoding === undefined &&
      encoding !== "utf-8" && {
        code: "encoding",
        data: { encoding, words: reading.doubtfulWords ?? [] },
      },
    told.delimiter === undefined && delimiter !== "," && { code: "delimiter", data: { delimiter } },
    told.quote === undefined && quote !== '"' && { code: "quote", data: { quote } },
    headerFact(reading, told),
  ];
  return facts.filter((fact) => fact !== false);
}

function headerFact({ headerLine: line, headerRows }: Reading, told: KnownReading): ReadingFact | false {
  if (told.headerRows === undefined && headerRows === 0) return { code: "headerless", data: { line } };
  if (told.headerRows === undefined && headerRows === 2) return { code: "twoHeaderRows", data: { line } };
  return told.headerLine === undefined && line !== 1 && { code: "headerLine", data: { line } };
}
