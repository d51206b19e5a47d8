import { open } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { ImportResourceName } from "@gatehouse-parking/contract";
import { readCsv } from "./csv.js";
import { readJson } from "./json.js";
import { readNdjson } from "./ndjson.js";
import { InputError, type Table } from "./table.js";
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

/** A file or standard input, and how it is to be read. */
export interface InputSource {
  /** How messages call it. */
  name: string;
  /** Undefined: standard input, which can be read only once. */
  file: string | undefined;
  format: InputFormat;
  delimiter: string;
}

/** How messages call the file at a path. */
export function inputName(path: string): string {
  return path === "-" ? "standard input" : basename(path);
}

export function describeInput(
  path: string,
  options: { format?: InputFormat | undefined; delimiter?: string | undefined },
): InputSource {
  const extension = extname(path).toLowerCase();
  const format = options.format ?? formatOfExtension[extension];
  const name = inputName(path);
  if (!format) {
    throw new Error(
      `${name}: the name does not tell the format; add --format ${inputFormats.join(", --format ")}`,
    );
  }
  return {
    name,
    file: path === "-" ? undefined : path,
    format,
    delimiter: options.delimiter ?? (extension === ".tsv" ? "\t" : ","),
  };
}

/** Starts to read. Nothing is held but the row at hand, so the input may have any size. */
export async function openTable(
  source: InputSource,
  resource: ImportResourceName,
  standardInput: AsyncIterable<Buffer>,
): Promise<Table> {
  const text = readText(source.file === undefined ? standardInput : await openFile(source.file));
  if (source.format === "csv") return readCsv(text, { delimiter: source.delimiter });
  return source.format === "json" ? readJson(text, resource) : readNdjson(text);
}

async function openFile(path: string): Promise<AsyncIterable<Buffer>> {
  const file = await open(path).catch((error: Error) => {
    throw new Error(`The file cannot be read: ${error.message}`, { cause: error });
  });
  return file.createReadStream();
}

/** Reads a file to its end before anything is sent, so that one that is broken is refused as a whole. */
export async function countRows(table: Table, signal: AbortSignal): Promise<number> {
  let rows = 0;
  for await (const _ of table.rows) {
    rows += 1;
    if (signal.aborted) break;
  }
  return rows;
}

/** Puts the input's name in front of what is wrong with it. */
export function withInputName(error: unknown, source: InputSource): unknown {
  return error instanceof InputError
    ? new Error(`${source.name}, ${error.message}`, { cause: error })
    : error;
}
