import { isObject } from "@gatehouse-parking/contract";
import {
  InputError,
  LocationIndex,
  MappingError,
  prepareRows,
  readingFacts,
  readingText,
  readTable,
  recognizeFile,
  toMapping,
  type Mapping,
  type Prepared,
  type PrepareOptions,
  type Row,
} from "@gatehouse-parking/record-files";
import type pg from "pg";
import { readAllLocations } from "../../../core/locations/list-locations.js";
import { unguardedCell } from "../../../core/downloads/row-format.js";
import { isOfFailures } from "../outcomes.js";
import { resourceNameOf, type UploadRow } from "../upload-row.js";
import { fileBytes, limited } from "./file-bytes.js";
import type { ReadingPace } from "./reading-pace.js";

/** A file that is being read: its rows, and the record that each of them becomes. */
export interface OpenFile {
  columns: string[];
  /** How it is read, in words, where that is not what everybody expects. */
  reading: string;
  rows: AsyncIterable<Row>;
  prepare(row: Row): Prepared;
  /** How many bytes of the file, as it was sent, are read. */
  readonly readBytes: number;
}

/** Begins to read an uploaded file in the way that gatehouse-push does, with the mapping of the upload. */
export async function openFile(
  pool: pg.Pool,
  upload: UploadRow,
  { signal, pace }: { signal: AbortSignal; pace: ReadingPace },
): Promise<OpenFile> {
  const { organization_id: organizationId, id: uploadId, size_bytes: size } = upload;
  let readBytes = 0;
  const file = { organizationId, uploadId, size, signal, pace };
  const stored = fileBytes(pool, file, (bytes) => (readBytes = bytes));
  const mapping = toMapping(JSON.parse(upload.mapping ?? "{}"));
  const told = mapping.file ?? {};
  const resource = resourceNameOf(upload);
  return withReadableErrors(async () => {
    const { reading, chunks } = await recognizeFile(stored, told, { signal, scheduler: pace });
    const arrayName = resource;
    const table = await readTable(limited(chunks, signal, pace), {
      ...reading,
      arrayName,
      signal,
      scheduler: pace,
    });
    const options = await pace.wait(prepareOptions(pool, upload, mapping));
    return {
      columns: table.columns,
      reading: readingText(readingFacts(reading, told)),
      rows: isOfFailures(table.columns) ? bareRows(table.rows) : table.rows,
      prepare: prepareRows(table.columns, resource, options),
      get readBytes() {
        return readBytes;
      },
    };
  });
}

/** What is wrong with a file or a mapping is told to people; any other error is one of ours. */
export async function withReadableErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isReadable = error instanceof InputError || error instanceof MappingError;
    throw isReadable ? new UnreadableFile(error.message, { cause: error }) : error;
  }
}

async function prepareOptions(pool: pg.Pool, upload: UploadRow, mapping: Mapping): Promise<PrepareOptions> {
  const { timeZone } = mapping;
  const isLookedUp = [...mapping.columns.values()].some(
    (target) => isObject(target) && target.location !== undefined,
  );
  const locations =
    isLookedUp || timeZone === "location" ? await readAllLocations(pool, upload.organization_id) : undefined;
  return {
    mapping,
    ignoreUnknownColumns: upload.ignore_unknown_columns,
    timeZone:
      timeZone === "location"
        ? new Map((locations ?? []).map(({ uuid, timeZone: zone }) => [uuid.toLowerCase(), zone]))
        : timeZone,
    asksAboutTimes: true,
    locations: locations && new LocationIndex(locations),
  };
}

async function* bareRows(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  for await (const { line, cells } of rows) yield { line, cells: cells.map(unguardedCell) };
}

/** The file, or the way in which it is to be read, is not right. The message is meant for people. */
export class UnreadableFile extends Error {
  override name = "UnreadableFile";
}
