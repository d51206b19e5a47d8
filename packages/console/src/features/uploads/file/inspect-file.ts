import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import {
  InputError,
  inputError,
  readingOfName,
  readTable,
  recognizeFile,
  recognizeLater,
  profileTable,
  columnSamples,
  suggestAndCheck,
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

/** The format of a file. */
export interface Inspection {
  reading: Reading;
  /** The settings with which others read the file in the same way. */
  told: KnownReading;
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
  /** Like the profile, about the whole file. */
  suggestion: Suggestion;
  profile: FileProfile;
}

const shownRows = 8;

/** Inspects a file like gatehouse-push, in bounded memory. Throws only if the file is not a table at all. */
export async function inspect(order: InspectRequest, onProgress?: OnProgress): Promise<Inspection> {
  const { file, overrides } = order;
  const { format, ...named } = readingOfName(file.name);
  // Spreadsheets are known by their content.
  const known = { ...named, ...(format === undefined || format === "xlsx" ? {} : { format }), ...overrides };
  const { reading } = await recognizeFile(chunksOf(file), known);
  const told = { ...overrides, ...(await differencesByName(order, reading)) };
  try {
    return { reading, told, content: await readContent(order, reading, onProgress) };
  } catch (error) {
    const isNotUtf8 = error instanceof InputError && error.refusal.code === "notUtf8";
    const second = isNotUtf8 ? await recognizeLater(chunksOf(order.file), reading) : undefined;
    if (second) {
      const content = await readContent(order, second, onProgress).catch(() => undefined);
      const { encoding } = second;
      if (content) return { reading: second, told: { ...told, encoding }, content };
    }
    if (error instanceof InputError) return { reading, told, content: { problem: describeProblem(error) } };
    throw error;
  }
}

/** What only the name of a file says. The service goes by the content. */
async function differencesByName(
  { file, overrides }: InspectRequest,
  reading: Reading,
): Promise<KnownReading> {
  if (reading.format === "xlsx") return {};
  const byContent = (await recognizeFile(chunksOf(file), overrides)).reading;
  const names = (["format", "delimiter"] as const).filter((name) => byContent[name] !== reading[name]);
  return Object.fromEntries(names.map((name) => [name, reading[name]]));
}

/** Gets the share of the work that is done. */
export type OnProgress = (done: number) => void;

/** The file is read once for the profile, and once to try the suggestion. */
const passes = 2;

async function readContent(
  { resource, locations, file }: InspectRequest,
  reading: Reading,
  onProgress: OnProgress = () => undefined,
): Promise<FileContent> {
  const open = async (pass: number): Promise<Table> => {
    const onRead = (bytes: number) => onProgress((pass + bytes / file.size) / passes);
    const { chunks } = await recognizeFile(chunksOf(file, onRead), reading);
    return readTable(chunks, { ...reading, arrayName: resource });
  };
  const table = await open(0);
  const profile = await profileTable(table);
  if (profile.rowCount === 0) throw inputError(reading.headerLine, "noRecords");
  const suggestion = await suggestAndCheck({ resource, profile, locations }, await open(1));
  const rows = shownRowsOf(profile);
  return { columns: table.columns, rows, samples: columnSamples(profile), suggestion, profile };
}

/** Each group has at most `shownRows` rows. */
function shownRowsOf({ rows }: FileProfile): ShownRow[] {
  const group = (wanted: SampledRow["why"]) => rows.filter(({ why }) => why === wanted).slice(0, shownRows);
  return [...group("first"), ...group("unlike")].map(({ row, why }) => ({
    ...row,
    isUnlike: why === "unlike",
  }));
}

async function* chunksOf(file: File, onRead?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
      bytes += value.length;
      onRead?.(bytes);
    }
  } finally {
    await reader.cancel();
  }
}

function describeProblem({ message }: InputError): string {
  return texts.unreadable(`${message}${/[.?)]$/.test(message) ? "" : "."}`);
}
