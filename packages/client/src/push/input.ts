import { open } from "node:fs/promises";
import { basename } from "node:path";
import type { ImportResourceName } from "@gatehouse-parking/contract";
import {
  gunzip,
  InputError,
  readingFacts,
  readingOfName,
  readingText,
  readTable,
  recognizeFile,
  recognizeLater,
  type Reading,
  type Table,
  type KnownReading,
} from "@gatehouse-parking/record-files";
import { given } from "./file-options.js";
import { commandLineReading } from "./messages.js";

/** A file or standard input, with the options that are already known. */
export interface InputSource {
  /** The name used in messages. */
  name: string;
  /** Undefined for standard input, which can be read only once. */
  file: string | undefined;
  told: KnownReading;
}

/** An input whose format was detected from its beginning. */
export interface RecognizedSource extends InputSource {
  reading: Reading;
  /** The detected format, for people. */
  said: string;
  /** Decompressed standard input. Undefined for a file, which is opened again. */
  chunks: AsyncIterable<Uint8Array> | undefined;
}

/** The name of a file in messages. */
export function inputName(path: string): string {
  return path === "-" ? "standard input" : basename(path);
}

/** The command line and the mapping override what the file name suggests. */
export function describeInput(path: string, told: KnownReading): InputSource {
  return {
    name: inputName(path),
    file: path === "-" ? undefined : path,
    told: { ...readingOfName(path), ...given(told) },
  };
}

/** Detects the format from the beginning of the input. */
export async function recognizeSource(
  source: InputSource,
  standardInput: AsyncIterable<Buffer>,
): Promise<RecognizedSource> {
  if (source.file === undefined) {
    const { reading, chunks } = await recognizeFile(standardInput, source.told, { isEnough: hasTwoLines });
    return { ...source, reading, said: describeReading(reading, source), chunks };
  }
  const reading = await withChunks(
    source.file,
    async (chunks) => (await recognizeFile(chunks, source.told)).reading,
  );
  return { ...source, reading, said: describeReading(reading, source), chunks: undefined };
}

const newline = 0x0a;

/** Reading more could block: the rest of a stream may take a long time to arrive. */
function hasTwoLines(sample: Uint8Array): boolean {
  return sample.indexOf(newline, sample.indexOf(newline) + 1) > 0;
}

async function withChunks<T>(
  path: string,
  work: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const file = await open(path).catch((error: Error) => {
    throw new Error(`Cannot read the file: ${error.message}`, { cause: error });
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
 * Reads an input row by row, so the input may have any size. Closes the file afterwards, even if `work` stops
 * early.
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
 * If only the first bytes suggested UTF-8 and later bytes contradict it, reads the file in the encoding that those show.
 * Standard input cannot be read again.
 */
export async function withFallbackEncoding<T>(
  source: RecognizedSource,
  work: (source: RecognizedSource) => Promise<T>,
): Promise<{ source: RecognizedSource; result: T }> {
  try {
    return { source, result: await work(source) };
  } catch (error) {
    if (!isNotUtf8(error) || source.file === undefined) throw error;
    const reading = await withChunks(source.file, (chunks) => recognizeLater(chunks, source.reading));
    if (!reading) throw error;
    const second = { ...source, reading, said: describeReading(reading, source) };
    return { source: second, result: await work(second).catch(() => Promise.reject(error)) };
  }
}

function isNotUtf8(error: unknown): boolean {
  return error instanceof InputError && error.refusal.code === "notUtf8";
}

function describeReading(reading: Reading, { told }: InputSource): string {
  return readingText(readingFacts(reading, told), commandLineReading);
}
