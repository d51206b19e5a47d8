import { open } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { ImportResourceName } from "@gatehouse-parking/contract";
import {
  formatOfExtension,
  InputError,
  inputFormats,
  readTable,
  type InputFormat,
  type Table,
} from "@gatehouse-parking/record-files";

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

/**
 * Reads an input as far as the work wants it. Nothing is held but the row at hand, so the input may have any size. The
 * file is closed afterwards, also if the work ends before it does.
 */
export async function withTable<T>(
  source: InputSource,
  resource: ImportResourceName,
  standardInput: AsyncIterable<Buffer>,
  work: (table: Table) => Promise<T>,
): Promise<T> {
  const options = { format: source.format, delimiter: source.delimiter, arrayName: resource };
  if (source.file === undefined) return work(await readTable(standardInput, options));
  const file = await open(source.file).catch((error: Error) => {
    throw new Error(`The file cannot be read: ${error.message}`, { cause: error });
  });
  const chunks = file.createReadStream({ autoClose: false });
  try {
    return await work(await readTable(chunks, options));
  } finally {
    chunks.destroy();
    await file.close();
  }
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
