import type {
  ImportResourceName,
  ImportRun,
  OperationName,
  ValidationReport,
} from "@gatehouse-parking/contract";
import { batchBody, batchLimits, cutIntoBatches } from "./batches.js";
import { GatehouseError } from "./errors.js";
import { paths, receiptHeader, resources } from "./contract.js";
import { outcomeOf, type RecordOutcome } from "./outcomes.js";
import { sendRequest, type ClientRequest, type Connection } from "./request.js";
import { wait } from "./retry.js";

export interface BatchRequest {
  resource: ImportResourceName;
  /** The records as JSON. */
  texts: readonly string[];
  /** The metadata of the import as JSON. */
  metadata?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Aborts pauses and further attempts, but not a request in flight. */
  stop?: AbortSignal | undefined;
}

/** The response, including its receipt if there was one. */
export type ImportedRun = ImportRun & {
  /** The signed receipt, if the service issues them; `checkReceipt` verifies it. */
  receipt?: string;
};

export async function importBatch(connection: Connection, request: BatchRequest): Promise<ImportedRun> {
  let receipt: string | undefined;
  const onHeaders = (headers: Headers): void => {
    receipt = headers.get(receiptHeader) ?? undefined;
  };
  const run = await sendBatch<ImportRun>(connection, { ...request, onHeaders }, "importOperation");
  return receipt === undefined ? run : { ...run, receipt };
}

export const validateBatch = (connection: Connection, request: BatchRequest): Promise<ValidationReport> =>
  sendBatch(connection, request, "validateOperation");

async function sendBatch<Answer extends ValidationReport>(
  connection: Connection,
  request: BatchRequest & Pick<ClientRequest, "onHeaders">,
  kind: "importOperation" | "validateOperation",
): Promise<Answer> {
  const operation = resources[request.resource][kind];
  const answer = await sendRequest<Answer>(connection, {
    operation,
    method: "POST",
    path: paths[operation],
    body: batchBody(request.resource, request.texts, request.metadata),
    // Existing records are Skipped, so resending a batch is always safe.
    isRepeatable: true,
    ...(request.onHeaders ? { onHeaders: request.onHeaders } : {}),
    signal: request.signal,
    stop: request.stop,
  });
  if (!Array.isArray(answer.results) || answer.results.length !== request.texts.length) {
    throw new GatehouseError(
      `The response does not contain one result for each of the ${request.texts.length} records, so their outcomes are unknown`,
    );
  }
  return answer;
}

/** Waits until the rate limit allows another request. */
export async function keepPace(
  connection: Connection,
  operation: OperationName,
  signal?: AbortSignal,
): Promise<void> {
  const durationMs = connection.rateLimitOf(operation).waitMs();
  if (durationMs === 0) return;
  connection.onPause({ reason: "rate limit", durationMs, operation });
  await wait(durationMs, signal);
}

export interface ImportAllOptions<Item> {
  /** Stored with every import of this call. */
  metadata?: Record<string, unknown>;
  /** Serializes a record; defaults to JSON.stringify. */
  toJson?: (record: Item) => string;
  signal?: AbortSignal;
}

/** One request: its records, their outcomes in the same order, and the import. */
export interface ImportedBatch<Item> {
  /** The position of the batch's first record in the input. */
  first: number;
  records: Item[];
  outcomes: RecordOutcome[];
  run: ImportedRun;
}

/** The outcome of one record. */
export type ImportedRecord<Item> = RecordOutcome & {
  /** The record's position in the input. */
  index: number;
  record: Item;
  /** The import that contained the record. */
  referenceUuid: string;
};

/**
 * Imports any number of records in batches, in input order and within the rate limit. Only one request is in
 * flight: the service processes the imports of an organization one after the other, so concurrency would not
 * be faster and would break the order.
 */
export async function* importBatches<Item>(
  connection: Connection,
  resource: ImportResourceName,
  records: Iterable<Item> | AsyncIterable<Item>,
  options: ImportAllOptions<Item> = {},
): AsyncGenerator<ImportedBatch<Item>> {
  const toJson = options.toJson ?? ((record: Item) => JSON.stringify(record));
  const metadata = options.metadata && JSON.stringify(options.metadata);
  for await (const batch of cutIntoBatches(records, batchLimits(resource, metadata), toJson)) {
    await keepPace(connection, resources[resource].importOperation, options.signal);
    const run = await importBatch(connection, {
      resource,
      texts: batch.texts as string[],
      metadata,
      signal: options.signal,
    });
    yield { first: batch.first, records: batch.records, outcomes: run.results.map(outcomeOf), run };
  }
}

/** Like importBatches, but yields single records. */
export async function* importAll<Item>(
  connection: Connection,
  resource: ImportResourceName,
  records: Iterable<Item> | AsyncIterable<Item>,
  options: ImportAllOptions<Item> = {},
): AsyncGenerator<ImportedRecord<Item>> {
  for await (const { first, records: sent, outcomes, run } of importBatches(
    connection,
    resource,
    records,
    options,
  )) {
    for (const [position, record] of sent.entries()) {
      const outcome = outcomes[position] as RecordOutcome;
      yield { ...outcome, index: first + position, record, referenceUuid: run.referenceUuid };
    }
  }
}
