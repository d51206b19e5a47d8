import { maxBodyBytes, resources } from "./contract.js";
import type { ImportResourceName } from "@gatehouse-parking/contract";

/** Consecutive records that go into one request. */
export interface Batch<Item> {
  /** The position of the first record in the input. */
  first: number;
  records: Item[];
  /** The JSON text of each record; undefined for one that is not to be sent. */
  texts: (string | undefined)[];
}

export interface BatchLimits {
  maxRecords: number;
  /** What the records of a request may weigh together, commas included. */
  maxBytes: number;
}

/** What surrounds the records in the body: braces, the array's name and the commas of its members. */
const envelopeBytes = 64;

export function batchLimits(resource: ImportResourceName, metadata: string | undefined): BatchLimits {
  return {
    maxRecords: resources[resource].maxRecords,
    maxBytes: maxBodyBytes - envelopeBytes - byteLength(metadata ?? ""),
  };
}

/** A record that does not fit into a request even alone. */
export class RecordTooLargeError extends RangeError {
  override name = "RecordTooLargeError";
  readonly index: number;

  constructor(index: number, bytes: number) {
    super(`Record ${index} has ${bytes} bytes of JSON; a request holds ${maxBodyBytes / 1024 ** 2} MB`);
    this.index = index;
  }
}

/** Cuts any sequence of records into the largest batches that one request takes, by number and by bytes. */
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
    // What came before it is on its way by now.
    if (recordBytes > limits.maxBytes) throw new RecordTooLargeError(index, recordBytes);
    batch.records.push(record);
    batch.texts.push(text);
    bytes += recordBytes;
    // A full batch goes at once: the next record may be a long time coming.
    if (batch.records.length === limits.maxRecords) {
      yield batch;
      batch = { first: index + 1, records: [], texts: [] };
      bytes = 0;
    }
  }
  if (batch.records.length > 0) yield batch;
}

/** The body of a request, from texts that are JSON already. */
export function batchBody(
  resource: ImportResourceName,
  texts: readonly string[],
  metadata: string | undefined,
): string {
  return `{"${resource}":[${texts.join(",")}]${metadata === undefined ? "" : `,"metadata":${metadata}`}}`;
}

const encoder = new TextEncoder();

export function byteLength(text: string): number {
  // Text of one byte a character needs no encoding to be measured; most records are.
  return isAscii.test(text) ? text.length : encoder.encode(text).length;
}

const isAscii = /^[\0-\x7f]*$/;
