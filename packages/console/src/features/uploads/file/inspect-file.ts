import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import {
  formatOfExtension,
  InputError,
  inputError,
  readTable,
  recognizeFile,
  recognizeLater,
  profileTable,
  columnSamples,
  suggestMapping,
  type ColumnSample,
  type FileProfile,
  type SampledRow,
  type Reading,
  type Row,
  type Suggestion,
  type Table,
  type KnownReading,
} from "@gatehouse-parking/record-files";
import { texts } from "./texts.js";

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

export interface ShownRow extends Row {
  isUnlike: boolean;
}

export interface FileContent {
  columns: string[];
  /** The first few, and those most unlike the others. */
  rows: ShownRow[];
  /** Sample values of the columns, or of the members of JSON records. */
  samples: ColumnSample[];
  suggestion: Suggestion;
  profile: FileProfile;
  /** Whether the profile is of the whole file. The suggestion and its counts are about the rows of the profile. */
  isWhole: boolean;
}

const shownRows = 8;
/** Larger files are not read to their end here. The check on the service reads every row. */
const maxProfiledRows = 200_000;
const maxProfiledCharacters = 64 * 1024 * 1024;

/** Inspects a file. Throws only if the file is not a table at all. */
export async function inspect(order: InspectRequest): Promise<Inspection> {
  const overrides = overridesWithName(order);
  const { reading } = await recognizeFile(chunksOf(order.file), overrides);
  try {
    return { reading, content: await readContent(order, reading) };
  } catch (error) {
    const isNotUtf8 = error instanceof InputError && error.refusal.code === "notUtf8";
    const second = isNotUtf8 ? await recognizeLater(chunksOf(order.file), reading) : undefined;
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

async function readContent(order: InspectRequest, reading: Reading): Promise<FileContent> {
  const { resource, locations, file } = order;
  const { chunks } = await recognizeFile(chunksOf(file), reading);
  const { columns, rows: all } = await readTable(chunks, { ...reading, arrayName: resource });
  const limit = { isReached: false };
  const profile = await profileTable({ columns, rows: limitRows(all, limit) });
  if (profile.rowCount === 0) throw inputError(reading.headerLine, "noRecords");
  const suggestion = suggestMapping({ resource, profile, locations });
  const rows = shownRowsOf(profile);
  return { columns, rows, samples: columnSamples(profile), suggestion, profile, isWhole: !limit.isReached };
}

/** Each group has at most `shownRows` rows. */
function shownRowsOf({ rows }: FileProfile): ShownRow[] {
  const group = (wanted: SampledRow["why"]) => rows.filter(({ why }) => why === wanted).slice(0, shownRows);
  return [...group("first"), ...group("unlike")].map(({ row, why }) => ({
    ...row,
    isUnlike: why === "unlike",
  }));
}

async function* limitRows(rows: Table["rows"], limit: { isReached: boolean }): AsyncGenerator<Row> {
  let count = 0;
  let characters = 0;
  for await (const row of rows) {
    if (count === maxProfiledRows || characters > maxProfiledCharacters) {
      limit.isReached = true;
      return;
    }
    count += 1;
    characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
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
  return texts.unreadable(`${message}${/[.?)]$/.test(message) ? "" : "."}`);
}
