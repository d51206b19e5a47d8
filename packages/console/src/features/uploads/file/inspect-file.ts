import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import {
  formatOfExtension,
  InputError,
  inputError,
  readTable,
  recognizeFile,
  profileTable,
  columnSamples,
  suggestMapping,
  type ColumnSample,
  type Reading,
  type Row,
  type Suggestion,
  type Table,
  type KnownReading,
} from "@gatehouse-parking/record-files";
import { texts } from "../texts.js";

export interface InspectRequest {
  file: File;
  /** Options that the user has chosen. The rest is detected. */
  overrides: KnownReading;
  resource: ImportResourceName;
  locations: readonly Location[];
}

/** The format that was detected at the start of a file. */
export interface Inspection {
  reading: Reading;
  /** The columns and first rows, or why they cannot be read. */
  content: FileContent | { problem: string };
}

export interface FileContent {
  columns: string[];
  /** The first few. */
  rows: Row[];
  /** Sample values of the columns, or of the members of JSON records. */
  samples: ColumnSample[];
  suggestion: Suggestion;
}

const shownRows = 8;

/** Inspects a file. Throws only if the file is not a table at all. */
export async function inspect(order: InspectRequest): Promise<Inspection> {
  const overrides = overridesWithName(order);
  const { reading } = await recognizeFile(chunksOf(order.file), overrides);
  try {
    return { reading, content: await readContent(order, reading) };
  } catch (error) {
    const second = fallbackReading(error, reading);
    if (second) {
      const content = await readContent(order, second).catch(() => undefined);
      if (content) return { reading: second, content };
    }
    if (error instanceof InputError) return { reading, content: { problem: describeProblem(error) } };
    throw error;
  }
}

/** The file extension decides only if the user did not, and never overrides the content of a spreadsheet. */
function overridesWithName({ file, overrides }: InspectRequest): KnownReading {
  const name = file.name.toLowerCase().replace(/\.gz$/, "");
  const extension = name.slice(Math.max(0, name.lastIndexOf(".")));
  const format = formatOfExtension[extension];
  const isText = format !== undefined && format !== "xlsx";
  return { ...overrides, format: overrides.format ?? (isText ? format : undefined) };
}

/** Falls back to Windows-1252 if UTF-8 was a wrong guess, like gatehouse-push. */
function fallbackReading(error: unknown, reading: Reading): Reading | undefined {
  const isNotUtf8 = error instanceof InputError && error.refusal.code === "notUtf8";
  return isNotUtf8 && reading.encoding === "utf-8" && reading.isEncodingGuess
    ? { ...reading, encoding: "windows-1252" }
    : undefined;
}

async function readContent(order: InspectRequest, reading: Reading): Promise<FileContent> {
  const { resource, locations, file } = order;
  const { chunks } = await recognizeFile(chunksOf(file), reading);
  const { columns, rows: all } = await readTable(chunks, { ...reading, arrayName: resource });
  const rows: Row[] = [];
  const profile = await profileTable({ columns, rows: keepFirst(all, rows) });
  if (rows.length === 0) throw inputError(reading.headerLine, "noRecords");
  const suggestion = suggestMapping({ resource, profile, locations });
  return { columns, rows, samples: columnSamples(profile), suggestion };
}

async function* keepFirst(rows: Table["rows"], first: Row[]): AsyncGenerator<Row> {
  for await (const row of rows) {
    if (first.length < shownRows) first.push(row);
    yield row;
  }
}

async function* chunksOf(file: File): AsyncGenerator<Uint8Array> {
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

function describeProblem({ message }: InputError): string {
  return texts.format.unreadable(`${message}${/[.?)]$/.test(message) ? "" : "."}`);
}
