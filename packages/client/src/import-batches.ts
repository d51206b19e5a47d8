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
  /** Records as JSON texts. */
  texts: readonly string[];
  /** The run's metadata as a JSON text. */
  metadata?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Ends pauses and further attempts, but not a request under way. */
  stop?: AbortSignal | undefined;
}

/** What the service answered, with the receipt of the answer if it came with one. */
export type ImportedRun = ImportRun & {
  /** The signed receipt, if the service gives any; `checkReceipt` checks it. */
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
    // A record that is stored already is Skipped, so a batch can be sent again whatever became of it.
    isRepeatable: true,
    ...(request.onHeaders ? { onHeaders: request.onHeaders } : {}),
    signal: request.signal,
    stop: request.stop,
  });
  if (!Array.isArray(answer.results) || answer.results.length !== request.texts.length) {
    throw new GatehouseError(
      `The answer does not have one result for each of the ${request.texts.length} records, so their outcomes are unknown`,
    );
  }
  return answer;
}

/** Waits until the operation's budget has room, so that the next request is not refused. */
export async function keepPace(
  connection: Connection,
  operation: OperationName,
  signal?: AbortSignal,
): Promise<void> {
  const durationMs = connection.budgetOf(operation).waitMs();
  if (durationMs === 0) return;
  connection.onPause({ reason: "rate limit", durationMs, operation });
  await wait(durationMs, signal);
}

export interface ImportAllOptions<Item> {
  /** Kept on every run of this import. */
  metadata?: Record<string, unknown>;
  /** How a record becomes JSON; JSON.stringify unless told. */
  toJson?: (record: Item) => string;
  signal?: AbortSignal;
}

/** One request of an import: its records, their outcomes in the same order, and the run the service made of it. */
export interface ImportedBatch<Item> {
  /** The position of the batch's first record in the input. */
  first: number;
  records: Item[];
  outcomes: RecordOutcome[];
  run: ImportedRun;
}

/** What became of one record of the input. */
export type ImportedRecord<Item> = RecordOutcome & {
  /** The record's position in the input. */
  index: number;
  record: Item;
  /** The run it was part of. */
  referenceUuid: string;
};

/**
 * Imports any number of records in batches, in order, at the pace the service allows. One request is in flight at a
 * time: the service decides the imports of one organization one after the other, so more would not be faster, and
 * records would no longer be decided in the order of the input.
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

/** The same, record by record. */
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
