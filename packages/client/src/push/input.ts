import { open } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { ImportResourceName } from "@gatehouse-parking/contract";
import {
  formatOfExtension,
  gunzip,
  InputError,
  readingFacts,
  readingText,
  readTable,
  recognizeFile,
  type Reading,
  type Table,
  type ToldReading,
} from "@gatehouse-parking/record-files";
import { commandLineReading } from "./messages.js";

/** A file or standard input, and what is known of it beforehand. */
export interface InputSource {
  /** How messages call it. */
  name: string;
  /** Undefined: standard input, which can be read only once. */
  file: string | undefined;
  told: ToldReading;
}

/** The same, once its beginning was looked at. */
export interface RecognizedSource extends InputSource {
  reading: Reading;
  /** What was recognized and not told, for people. */
  said: string;
  /** Everything that standard input holds, unpacked. Undefined for a file, which is opened again. */
  chunks: AsyncIterable<Uint8Array> | undefined;
}

/** How messages call the file at a path. */
export function inputName(path: string): string {
  return path === "-" ? "standard input" : basename(path);
}

/** What the name of a file tells comes after what the user and the mapping say. */
export function describeInput(path: string, told: ToldReading): InputSource {
  const extension = formatExtension(path);
  return {
    name: inputName(path),
    file: path === "-" ? undefined : path,
    told: {
      ...told,
      format: told.format ?? formatOfExtension[extension],
      delimiter: told.delimiter ?? (extension === ".tsv" ? "\t" : undefined),
    },
  };
}

const compressedExtension = ".gz";

/** The extension that tells the format: sessions.csv.gz is a CSV file. */
export function formatExtension(path: string): string {
  const extension = extname(path).toLowerCase();
  return extension === compressedExtension ? extname(basename(path, extname(path))).toLowerCase() : extension;
}

/** Looks at the beginning of an input and finds out how it is to be read. */
export async function recognizeSource(
  source: InputSource,
  standardInput: AsyncIterable<Buffer>,
): Promise<RecognizedSource> {
  if (source.file === undefined) {
    const { reading, chunks } = await recognizeFile(standardInput, source.told, { isEnough: hasTwoLines });
    return { ...source, reading, said: saidOf(reading, source), chunks };
  }
  const reading = await withChunks(
    source.file,
    async (chunks) => (await recognizeFile(chunks, source.told)).reading,
  );
  return { ...source, reading, said: saidOf(reading, source), chunks: undefined };
}

const newline = 0x0a;

/** More of a stream may be a long time coming. */
function hasTwoLines(sample: Uint8Array): boolean {
  return sample.indexOf(newline, sample.indexOf(newline) + 1) > 0;
}

async function withChunks<T>(
  path: string,
  work: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const file = await open(path).catch((error: Error) => {
    throw new Error(`The file cannot be read: ${error.message}`, { cause: error });
  });
  const chunks = file.createReadStream({ autoClose: false });
  try {
    return await work(chunks as AsyncIterable<Buffer>);
  } finally {
    chunks.destroy();
    await file.close();
  }
}

/**
 * Reads an input as far as the work wants it. Nothing is held but the row at hand, so the input may have any size. The
 * file is closed afterwards, also if the work ends before it does.
 */
export async function withTable<T>(
  { file, chunks, reading }: RecognizedSource,
  resource: ImportResourceName,
  work: (table: Table) => Promise<T>,
): Promise<T> {
  const options = { ...reading, arrayName: resource };
  if (file === undefined) return work(await readTable(chunks as AsyncIterable<Uint8Array>, options));
  return withChunks(file, async (bytes) =>
    work(await readTable(reading.isCompressed ? gunzip(bytes) : bytes, options)),
  );
}

/**
 * Where nothing but the first pages of a file spoke for UTF-8 and a later one speaks against it, it is read as
 * Windows-1252. That refuses text in UTF-8, so that no file is read in two ways.
 */
export async function withSecondGuess<T>(
  source: RecognizedSource,
  work: (source: RecognizedSource) => Promise<T>,
): Promise<{ source: RecognizedSource; result: T }> {
  try {
    return { source, result: await work(source) };
  } catch (error) {
    const { encoding, isEncodingGuess } = source.reading;
    if (!isNotUtf8(error) || encoding !== "utf-8" || !isEncodingGuess) throw error;
    const reading: Reading = { ...source.reading, encoding: "windows-1252" };
    const second = { ...source, reading, said: saidOf(reading, source) };
    return { source: second, result: await work(second).catch(() => Promise.reject(error)) };
  }
}

function isNotUtf8(error: unknown): boolean {
  return error instanceof InputError && error.refusal.code === "notUtf8";
}

function saidOf(reading: Reading, { told }: InputSource): string {
  return readingText(readingFacts(reading, told), commandLineReading);
}
