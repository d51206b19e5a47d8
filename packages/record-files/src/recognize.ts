import { importResourceNames } from "@gatehouse-parking/contract";
import { CsvScan } from "./csv-scan.js";
import { recognizeHeader, usualDelimiters } from "./csv.js";
import { recognizeEncoding, type Encoding } from "./encoding.js";
import { gunzip, isGzip } from "./gzip.js";
import type { Pace } from "./pace.js";
import type { InputFormat } from "./read-table.js";
import { inputError, type ReadingFact } from "./refusals.js";
import { failureColumns, type Row } from "./table.js";

/** How a file is to be read. */
export interface Reading {
  format: InputFormat;
  isCompressed: boolean;
  encoding: Encoding;
  /** Whether nobody has said so, and the file's bytes do not prove it either. */
  isEncodingGuess: boolean;
  /** CSV files only, and so is the quote. */
  delimiter: string;
  quote: string;
  /** CSV files and spreadsheets. */
  headerLine: number;
  /** Spreadsheets only. */
  sheet?: string;
  /** The sheets of a spreadsheet that people see and that hold something; if one was told, that one. */
  sheets?: readonly string[];
}

/** What is known of a file beforehand; what is not is recognized. */
export type ToldReading = {
  [Part in Exclude<keyof Reading, "isCompressed" | "isEncodingGuess" | "sheets">]?: Reading[Part] | undefined;
};

/** How much of a file is looked at. */
export const sampleBytes = 64 * 1024;
/** How many rows of it. */
const sampleRows = 60;
const lastFailureColumn = failureColumns.at(-1) as string;

/** Finds out how a file is to be read from its beginning, which is unpacked already. */
export function recognize(sample: Uint8Array, isCompressed: boolean, told: ToldReading): Reading {
  refuseForeignFiles(sample);
  const recognized = told.encoding ?? recognizeEncoding(sample);
  const encoding = recognized ?? "utf-8";
  const text = decodeSample(sample, encoding);
  const format = told.format ?? formatOf(text);
  const csv = format === "csv" ? recognizeCsv(text, told) : { delimiter: ",", quote: '"', headerLine: 1 };
  return {
    format,
    isCompressed,
    encoding,
    isEncodingGuess: told.encoding === undefined && !startsWithMark(sample),
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

function decodeSample(sample: Uint8Array, encoding: Encoding): string {
  const text = new TextDecoder(encoding).decode(sample);
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** A record a line, an array or the body of a request, or a table. */
function formatOf(text: string): InputFormat {
  const beginning = text.trimStart();
  if (beginning.startsWith("[")) return "json";
  if (!beginning.startsWith("{")) return "csv";
  const end = beginning.indexOf("\n");
  const first = parsed(end === -1 ? beginning : beginning.slice(0, end));
  return first === undefined || isRequestBody(first) ? "json" : "ndjson";
}

function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** It may stand in one line. No record has a member of such a name. */
function isRequestBody(value: object): boolean {
  return importResourceNames.some((name) => Array.isArray((value as Record<string, unknown>)[name]));
}

function recognizeCsv(text: string, told: ToldReading): Pick<Reading, "delimiter" | "quote" | "headerLine"> {
  const quote = told.quote ?? recognizeQuote(text);
  const delimiter = told.delimiter ?? recognizeDelimiter(text, quote);
  const rows = firstRows(text, delimiter, quote);
  return { delimiter, quote, headerLine: told.headerLine ?? recognizeHeader(rows) };
}

/** Single quotes are quotes where the first line begins and ends with one, and double quotes do not occur in it. */
function recognizeQuote(text: string): string {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? "").trim();
  return line.length > 1 && line.startsWith("'") && line.endsWith("'") && !line.includes('"') ? "'" : '"';
}

/** The separator with which the most rows have the same number of cells, or else the one that makes the most cells. */
function recognizeDelimiter(text: string, quote: string): string {
  let best = { delimiter: ",", share: 0, width: 1 };
  for (const delimiter of usualDelimiters) {
    const widths = firstRows(text, delimiter, quote).map(({ cells }) => cells.length);
    const width = mostFrequent(widths);
    const share = widths.filter((other) => other === width).length / widths.length;
    if (width < 2 || share < best.share || (share === best.share && width <= best.width)) continue;
    best = { delimiter, share, width };
  }
  return best.delimiter;
}

function mostFrequent(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const [found] = [...counts].toSorted((one, other) => other[1] - one[1] || other[0] - one[0]);
  return found?.[0] ?? 0;
}

/** The rows that are whole, up to one that cannot be read with these marks. */
function firstRows(text: string, delimiter: string, quote: string): Row[] {
  const scan = new CsvScan({ delimiter, quote });
  const rows: Row[] = [];
  const isWhole = text.length < sampleBytes / 2;
  try {
    for (let at = 0; at < text.length && rows.length < sampleRows; at += 1024)
      rows.push(...scan.scan(text.slice(at, at + 1024)));
    if (isWhole && rows.length < sampleRows) rows.push(...scan.end());
  } catch {
    // The reader proper says what is wrong, with the line.
  }
  return rows.filter(({ cells }) => cells.length > 1 || cells[0]?.trim() !== "").slice(0, sampleRows);
}

/** A file's bytes, unpacked, and how they are to be read. */
export interface RecognizedFile {
  reading: Reading;
  chunks: AsyncIterable<Uint8Array>;
}

interface RecognizeOptions {
  /** When what has come is enough to look at. */
  isEnough?: (sample: Uint8Array) => boolean;
  /** Reading ends when it is aborted. */
  signal?: AbortSignal;
  pace?: Pace;
}

/** Looks at the beginning of a file. */
export async function recognizeFile(
  chunks: AsyncIterable<Uint8Array>,
  told: ToldReading,
  { isEnough = () => false, signal, pace }: RecognizeOptions = {},
): Promise<RecognizedFile> {
  const packed = await peek(chunks, ({ length }) => length >= 2);
  const isCompressed = isGzip(packed.sample);
  const { sample, chunks: all } = await peek(
    isCompressed ? gunzip(packed.chunks, pace) : packed.chunks,
    isEnough,
  );
  if (isZip(sample)) {
    // Spreadsheets are rare, and browsers load what reads them only for them.
    const { recognizeSheet } = await import("./xlsx/read-workbook.js");
    const { choice, bytes } = await recognizeSheet(all, told, { signal, pace });
    return { reading: { ...spreadsheet, isCompressed, ...choice }, chunks: once(bytes) };
  }
  if (told.format === "xlsx") throw inputError(1, "notSpreadsheet");
  // Failed rows were written by us. What was told is about the file that they come from.
  const about: ToldReading = isOfFailures(sample) ? { delimiter: told.delimiter } : told;
  return { reading: recognize(sample, isCompressed, about), chunks: all };
}

/** What does not matter for a spreadsheet, except that its failed rows become a CSV file. */
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

/** Whether it begins with the header of a file of failed rows. */
function isOfFailures(sample: Uint8Array): boolean {
  const [header = ""] = decodeSample(sample, "utf-8").split("\n", 1);
  return header.trimEnd().endsWith(lastFailureColumn);
}

/** The beginning of a file, at most about `sampleBytes` of it; `chunks` has all of it. */
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

/** What was recognized and is not what everybody expects. */
export function readingFacts(reading: Reading, told: ToldReading): ReadingFact[] {
  const { format, encoding, delimiter, quote, headerLine, sheet, sheets } = reading;
  const facts: (ReadingFact | false)[] = [
    reading.isCompressed && { code: "compressed", data: {} },
    told.format !== format && { code: "format", data: { format } },
    told.sheet === undefined &&
      sheet !== undefined && { code: "sheet", data: { name: sheet, count: sheets?.length ?? 1 } },
    told.encoding === undefined && encoding !== "utf-8" && { code: "encoding", data: { encoding } },
    told.delimiter === undefined && delimiter !== "," && { code: "delimiter", data: { delimiter } },
    told.quote === undefined && quote !== '"' && { code: "quote", data: { quote } },
    told.headerLine === undefined && headerLine !== 1 && { code: "headerLine", data: { line: headerLine } },
  ];
  return facts.filter((fact) => fact !== false);
}
