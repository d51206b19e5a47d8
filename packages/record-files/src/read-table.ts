import { readCsv } from "./csv.js";
import { readJson } from "./json.js";
import { readNdjson } from "./ndjson.js";
import type { Table } from "./table.js";
import { readText } from "./text.js";

export const inputFormats = ["csv", "ndjson", "json"] as const;
export type InputFormat = (typeof inputFormats)[number];

export const formatOfExtension: Readonly<Record<string, InputFormat>> = {
  ".csv": "csv",
  ".tsv": "csv",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
  ".json": "json",
};

export interface TableOptions {
  format: InputFormat;
  /** Of a CSV file. */
  delimiter: string;
  /** What the array of records is called, where a JSON file is an object. */
  arrayName: string;
}

/** Starts to read. Nothing is held but the row at hand, so the file may have any size. */
export async function readTable(chunks: AsyncIterable<Uint8Array>, options: TableOptions): Promise<Table> {
  const text = readText(chunks);
  if (options.format === "csv") return readCsv(text, options);
  return options.format === "json" ? readJson(text, options.arrayName) : readNdjson(text);
}
