import { maxBodyBytes, resources } from "./contract.js";
import type { ImportResourceName } from "@gatehouse-parking/contract";

/** Consecutive records that go into one request. */
export interface Batch<Item> {
  /** The position of the first record in the input. */
  first: number;
  records: Item[];
  /** The JSON text of each record; undefined for a record that cannot be sent. */
  texts: (string | undefined)[];
}

export interface BatchLimits {
  maxRecords: number;
  /** The maximum size of all records in one request, including commas. */
  maxBytes: number;
}

/** The braces, the name of the array and the commas between members. */
const envelopeBytes = 64;

export function batchLimits(resource: ImportResourceName, metadata: string | undefined): BatchLimits {
  return {
    maxRecords: resources[resource].maxRecords,
    maxBytes: maxBodyBytes - envelopeBytes - byteLength(metadata ?? ""),
  };
}

/** A single record that exceeds the size of a request. */
export class RecordTooLargeError extends RangeError {
  override name = "RecordTooLargeError";
  readonly index: number;

  constructor(index: number, bytes: number) {
    super(
      `Record ${index} has ${bytes} bytes of JSON; the limit of a request is ${maxBodyBytes / 1024 ** 2} MB`,
    );
    this.index = index;
  }
}

/** Splits records into the largest batches that fit into one request, by count and by bytes. */
export async function* cutIntoBatches<Item>(
  records: Iterable<Item> | AsyncIterable<Item>,
  limits: BatchLimits,
  toJson: (record: Item) => string | undefined,
): AsyncGenerator<Batch<Item>> {
  let batch: Batch<Item> = { first: 0, records: [], texts: [] };
  let bytes = 0;
  for await (const record of records) {
    const text = toJson(record);
    const recordBytes = text === undefined ? 0 : byteLength(text) + 1;
    const index = batch.first + batch.records.length;
    if (bytes + recordBytes > limits.maxBytes && batch.records.length > 0) {
      yield batch;
      batch = { first: index, records: [], texts: [] };
      bytes = 0;
    }
    // The records before it are already on their way.
    if (recordBytes > limits.maxBytes) throw new RecordTooLargeError(index, recordBytes);
    batch.records.push(record);
    batch.texts.push(text);
    bytes += recordBytes;
    // Yield a full batch immediately: the next record may take a long time to arrive.
    if (batch.records.length === limits.maxRecords) {
      yield batch;
      batch = { first: index + 1, records: [], texts: [] };
      bytes = 0;
    }
  }
  if (batch.records.length > 0) yield batch;
}

/** Builds the request body from records that are already JSON. */
export function batchBody(
  resource: ImportResourceName,
  texts: readonly string[],
  metadata: string | undefined,
): string {
  return `{"${resource}":[${texts.join(",")}]${metadata === undefined ? "" : `,"metadata":${metadata}`}}`;
}

const encoder = new TextEncoder();

export function byteLength(text: string): number {
  // ASCII text needs no encoding to be measured, and most records are ASCII.
  return isAscii.test(text) ? text.length : encoder.encode(text).length;
}

const isAscii = /^[\0-\x7f]*$/;
