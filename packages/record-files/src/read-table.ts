import { readCsv } from "./csv.js";
import { readJson, readNdjson } from "./json.js";
import type { Encoding } from "./encoding.js";
import { ownPace, type Pace } from "./pace.js";
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

export interface TableOptions {
  format: InputFormat;
  /** CSV files only, and so is the quote. */
  delimiter: string;
  quote?: string;
  headerLine?: number;
  /** Spreadsheets only. */
  sheet?: string;
  /** UTF-8 unless told or recognized. */
  encoding?: Encoding;
  isEncodingGuess?: boolean;
  /** What the array of records is called, where a JSON file is an object. */
  arrayName: string;
  /** Given when the rows of a spreadsheet are not wanted any more. */
  signal?: AbortSignal;
  pace?: Pace;
}

/** Starts to read bytes that are unpacked already. Nothing is held but the row at hand, so the file may have any size; a spreadsheet is held packed. */
export async function readTable(chunks: AsyncIterable<Uint8Array>, options: TableOptions): Promise<Table> {
  if (options.format === "xlsx") {
    const { readWorkbook } = await import("./xlsx/read-workbook.js");
    const { sheet = "", headerLine = 1, signal, pace } = options;
    return readWorkbook(chunks, { sheet, headerLine, signal, pace });
  }
  const { encoding = "utf-8", isEncodingGuess = false } = options;
  const text = readEncodedText(chunks, encoding, isEncodingGuess);
  if (options.format === "csv") return readCsv(text, options);
  const { arrayName, pace = ownPace() } = options;
  return options.format === "json" ? readJson(text, arrayName, pace) : readNdjson(text, pace);
}
