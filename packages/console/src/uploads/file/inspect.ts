import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import {
  formatOfExtension,
  InputError,
  inputError,
  readTable,
  recognizeFile,
  sampleColumns,
  suggestMapping,
  type ColumnSample,
  type Reading,
  type Row,
  type Suggestion,
  type Table,
  type ToldReading,
} from "@gatehouse-parking/record-files";

export interface InspectOrder {
  file: File;
  /** What a person said about the file; the rest is recognized. */
  told: ToldReading;
  resource: ImportResourceName;
  locations: readonly Location[];
}

/** What a file turned out to be, from its beginning. */
export interface Inspection {
  reading: Reading;
  /** The columns and the first rows; or why they cannot be read like this. */
  content: FileContent | { problem: string };
}

export interface FileContent {
  columns: string[];
  /** The first few. */
  rows: Row[];
  /** What the columns hold, as far as it was looked at; of JSON records, their members. */
  samples: ColumnSample[];
  suggestion: Suggestion;
}

const shownRows = 8;

/** Looks at the first rows of a file. Only a file that is no table at all makes it throw. */
export async function inspect(order: InspectOrder): Promise<Inspection> {
  const told = toldWithName(order);
  const { reading } = await recognizeFile(chunksOf(order.file), told);
  try {
    return { reading, content: await readContent(order, reading) };
  } catch (error) {
    const second = secondGuess(error, reading);
    if (second) {
      const content = await readContent(order, second).catch(() => undefined);
      if (content) return { reading: second, content };
    }
    if (error instanceof InputError) return { reading, content: { problem: problemOf(error) } };
    throw error;
  }
}

/** A name tells the format only where a person has not, and never against the content of a spreadsheet. */
function toldWithName({ file, told }: InspectOrder): ToldReading {
  const name = file.name.toLowerCase().replace(/\.gz$/, "");
  const extension = name.slice(Math.max(0, name.lastIndexOf(".")));
  const format = formatOfExtension[extension];
  const isText = format !== undefined && format !== "xlsx";
  return { ...told, format: told.format ?? (isText ? format : undefined) };
}

/** Windows-1252 where only the first pages spoke for UTF-8, as gatehouse-push does. */
function secondGuess(error: unknown, reading: Reading): Reading | undefined {
  const isNotUtf8 = error instanceof InputError && error.refusal.code === "notUtf8";
  return isNotUtf8 && reading.encoding === "utf-8" && reading.isEncodingGuess
    ? { ...reading, encoding: "windows-1252" }
    : undefined;
}

async function readContent(order: InspectOrder, reading: Reading): Promise<FileContent> {
  const { resource, locations, file } = order;
  const { chunks } = await recognizeFile(chunksOf(file), reading);
  const { columns, rows: all } = await readTable(chunks, { ...reading, arrayName: resource });
  const rows: Row[] = [];
  const samples = await sampleColumns({ columns, rows: watched(all, rows) });
  if (rows.length === 0) throw inputError(reading.headerLine, "noRecords");
  return { columns, rows, samples, suggestion: suggestMapping({ resource, samples, locations }) };
}

async function* watched(rows: Table["rows"], first: Row[]): AsyncGenerator<Row> {
  for await (const row of rows) {
    if (first.length < shownRows) first.push(row);
    yield row;
  }
}

export async function* chunksOf(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

function problemOf({ message }: InputError): string {
  return `The file cannot be read like this: ${message}${/[.?)]$/.test(message) ? "" : "."}`;
}
