import { readCsv } from "./csv.js";
import { readJson, readNdjson } from "./json.js";
import type { Encoding } from "./encoding.js";
import { defaultScheduler, type ReadScheduler } from "./scheduler.js";
import type { KnownReading } from "./recognize.js";
import type { Table } from "./table.js";
import { readEncodedText } from "./text.js";

export const inputFormats = ["csv", "ndjson", "json", "xlsx"] as const;
export type InputFormat = (typeof inputFormats)[number];

export const formatOfExtension: Readonly<Record<string, InputFormat>> = {
  ".csv": "csv",
  ".tsv": "csv",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
  ".json": "json",
  ".xlsx": "xlsx",
};

const compressedExtension = ".gz";

/** The extension that determines the format: sessions.csv.gz is a CSV file. */
export function formatExtension(fileName: string): string {
  const name = fileName.toLowerCase();
  const plain = name.endsWith(compressedExtension) ? name.slice(0, -compressedExtension.length) : name;
  const dot = plain.lastIndexOf(".");
  return dot > Math.max(plain.lastIndexOf("/"), plain.lastIndexOf("\\")) + 1 ? plain.slice(dot) : "";
}

/** What the name of a file says about its format. */
export function readingOfName(fileName: string): KnownReading {
  const extension = formatExtension(fileName);
  const format = formatOfExtension[extension];
  return {
    ...(format === undefined ? {} : { format }),
    ...(extension === ".tsv" ? { delimiter: "\t" } : {}),
  };
}

export interface TableOptions {
  format: InputFormat;
  /** `delimiter` and `quote` apply to CSV files only. */
  delimiter: string;
  quote?: string;
  headerLine?: number;
  headerRows?: number;
  /** Spreadsheets only. */
  sheet?: string;
  /** UTF-8 by default. */
  encoding?: Encoding;
  isEncodingGuess?: boolean;
  /** The array of a request body. Another JSON object is searched for the only array of objects. */
  arrayName: string;
  /** Aborted when the rows of a spreadsheet are no longer needed. */
  signal?: AbortSignal;
  scheduler?: ReadScheduler;
}

/**
 * Reads decompressed bytes as a table. Only the current row is in memory, so the file may have any size; a
 * spreadsheet is kept in memory in compressed form.
 */
export async function readTable(chunks: AsyncIterable<Uint8Array>, options: TableOptions): Promise<Table> {
  if (options.format === "xlsx") {
    const { readWorkbook } = await import("./xlsx/read-workbook.js");
    const { sheet = "", headerLine = 1, headerRows = 1, signal, scheduler } = options;
    return readWorkbook(chunks, { sheet, headerLine, headerRows, signal, scheduler });
  }
  const { encoding = "utf-8", isEncodingGuess = false } = options;
  const text = readEncodedText(chunks, encoding, isEncodingGuess);
  if (options.format === "csv") return readCsv(text, options);
  const { arrayName, scheduler = defaultScheduler() } = options;
  return options.format === "json" ? readJson(text, arrayName, scheduler) : readNdjson(text, scheduler);
}
