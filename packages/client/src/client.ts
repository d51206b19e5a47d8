import type {
  ImportRecords,
  ImportResourceName,
  ImportRun,
  ImportRunSummary,
  Lead,
  LeadAccepted,
  Location,
  ValidationReport,
} from "@gatehouse-parking/contract";
import {
  importAll,
  importBatch,
  importBatches,
  keepPace,
  validateBatch,
  type ImportAllOptions,
  type ImportedBatch,
  type ImportedRecord,
  type ImportedRun,
} from "./import-batches.js";
import { limits } from "./constants.js";
import { paths, resources } from "./contract.js";
import {
  createRateLimits,
  queryText,
  sendRequest,
  type Connection,
  type Fetch,
  type Pause,
} from "./request.js";
import { defaultRetry, type RetryPolicy } from "./retry.js";
import { uploadMethods } from "./uploads.js";

export interface ClientOptions {
  /** The service's address, such as https://gatehouse.example.com. */
  url: string;
  apiKey: string;
  /** Defaults to the runtime's fetch. */
  fetch?: Fetch;
  /** Time limit for one attempt, including reading the response. */
  timeoutMs?: number;
  retry?: Partial<RetryPolicy>;
  /** Called before the client pauses for the rate limit or for a retry. */
  onPause?: (pause: Pause) => void;
}

export type RecordOf = ImportRecords;

export interface CallOptions {
  signal?: AbortSignal;
}

export interface ImportOptions extends CallOptions {
  /** Stored with the import, not copied to its records. */
  metadata?: Record<string, unknown>;
}

export interface LeadOptions extends CallOptions {
  /**
   * Makes the lead safe to retry. Without a key, leads are not retried. Reusing the key for a different lead
   * is rejected.
   */
  idempotencyKey?: string;
}

export interface PageQuery {
  page?: number;
  pageSize?: number;
}

export interface Page<Item> {
  data: Item[];
  totalCount: number;
  pageSize: number;
  currentPage: number;
  totalPages: number;
  hasPreviousPage: boolean;
  hasNextPage: boolean;
}

export type GatehouseClient = ReturnType<typeof createClient>;

/** Page size of each request; defaults to the maximum. */
export interface ListQuery {
  pageSize?: number;
}

const defaultTimeoutMs = 120_000;

/** A client for one service and one API key. Its only state is what it knows about the rate limits. */
export function createClient(options: ClientOptions) {
  const connection = connect(options);

  const read = <Answer>(
    operation: "listLocations" | "listImports" | "getImport",
    path: string,
    { signal }: CallOptions,
  ) => sendRequest<Answer>(connection, { operation, method: "GET", path, isRepeatable: true, signal });
  const locationPage = (query: PageQuery & { query?: string }, options: CallOptions) =>
    read<Page<Location>>("listLocations", paths.listLocations + queryText(query), options);
  const importPage = (query: PageQuery, options: CallOptions) =>
    read<Page<ImportRunSummary>>("listImports", paths.listImports + queryText(query), options);

  return {
    submitLead(lead: Lead, { idempotencyKey, signal }: LeadOptions = {}): Promise<LeadAccepted> {
      return sendRequest(connection, {
        operation: "submitLead",
        method: "POST",
        path: paths.submitLead,
        ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } }),
        body: JSON.stringify(lead),
        // Without a key, the same lead sent twice creates two leads.
        isRepeatable: idempotencyKey !== undefined,
        signal,
      });
    },

    ...batchMethods(connection),

    listLocations: (
      query: PageQuery & { query?: string } = {},
      options: CallOptions = {},
    ): Promise<Page<Location>> => locationPage(query, options),
    /** All locations, or all that match the query, page by page at the pace of the rate limit. */
    allLocations: (
      { pageSize = limits.locationPages.maxPageSize, query }: ListQuery & { query?: string } = {},
      options: CallOptions = {},
    ): AsyncGenerator<Location, void, undefined> =>
      allPages(
        async (page) => {
          await keepPace(connection, "listLocations", options.signal);
          return locationPage({ page, pageSize, ...(query === undefined ? {} : { query }) }, options);
        },
        ({ uuid }) => uuid,
      ),
    listImports: (query: PageQuery = {}, options: CallOptions = {}): Promise<Page<ImportRunSummary>> =>
      importPage(query, options),
    /** All imports, newest first. Use `break` to stop early. */
    allImports: (
      { pageSize = limits.importPages.maxPageSize }: ListQuery = {},
      options: CallOptions = {},
    ): AsyncGenerator<ImportRunSummary, void, undefined> =>
      allPages(
        async (page) => {
          await keepPace(connection, "listImports", options.signal);
          return importPage({ page, pageSize }, options);
        },
        ({ referenceUuid }) => referenceUuid,
      ),
    getImport: (referenceUuid: string, options: CallOptions = {}): Promise<ImportRun> =>
      read(
        "getImport",
        paths.getImport.replace(":referenceUuid", encodeURIComponent(referenceUuid)),
        options,
      ),

    /** Files that the service imports in the background. */
    uploads: uploadMethods(connection),

    /** Imports any number of records and yields their outcomes in input order as responses arrive. */
    importAll: <Resource extends keyof RecordOf>(
      resource: Resource,
      records: Iterable<RecordOf[Resource]> | AsyncIterable<RecordOf[Resource]>,
      options: ImportAllOptions<RecordOf[Resource]> = {},
    ): AsyncGenerator<ImportedRecord<RecordOf[Resource]>> =>
      importAll(connection, resource, records, options),
    /** Like `importAll`, but yields one batch at a time. */
    importBatches: <Resource extends keyof RecordOf>(
      resource: Resource,
      records: Iterable<RecordOf[Resource]> | AsyncIterable<RecordOf[Resource]>,
      options: ImportAllOptions<RecordOf[Resource]> = {},
    ): AsyncGenerator<ImportedBatch<RecordOf[Resource]>> =>
      importBatches(connection, resource, records, options),
  };
}

type BatchMethods = {
  [Name in ImportResourceName as `import${Capitalize<Name>}`]: (
    records: readonly RecordOf[Name][],
    options?: ImportOptions,
  ) => Promise<ImportedRun>;
} & {
  /** Returns what an import would return, without storing anything. */
  [Name in ImportResourceName as `validate${Capitalize<Name>}`]: (
    records: readonly RecordOf[Name][],
    options?: ImportOptions,
  ) => Promise<ValidationReport>;
};

/** Two methods per resource: `importTransactions`, `validateTransactions` and so on. */
function batchMethods(connection: Connection): BatchMethods {
  const methods = Object.entries(resources).flatMap(([name, { importOperation, validateOperation }]) => {
    const resource = name as ImportResourceName;
    return [
      [
        importOperation,
        (records: readonly object[], options: ImportOptions = {}) =>
          importBatch(connection, { resource, ...batch(records, options) }),
      ],
      [
        validateOperation,
        (records: readonly object[], options: ImportOptions = {}) =>
          validateBatch(connection, { resource, ...batch(records, options) }),
      ],
    ];
  });
  return Object.fromEntries(methods) as BatchMethods;
}

export function connect(options: ClientOptions): Connection {
  const { fetch: fetchGiven } = options;
  // Otherwise these mistakes would look like connection errors.
  if (!URL.canParse(options.url)) throw new TypeError(`url must be a valid address, not "${options.url}"`);
  if (!isSafeForKey(new URL(options.url)))
    throw new TypeError(
      `url must be an https:// address, not "${options.url}": the key would be sent unencrypted`,
    );
  if (!/^[\x21-\x7e]+$/.test(options.apiKey))
    throw new TypeError("apiKey is empty or contains invalid characters");
  return {
    url: withoutTrailingSlashes(options.url),
    apiKey: options.apiKey,
    // Browsers require fetch to be called on the global object.
    fetch: fetchGiven ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    retry: { ...defaultRetry, ...options.retry },
    onPause: options.onPause ?? (() => {}),
    rateLimitOf: createRateLimits(),
  };
}

export const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether the key stays confidential: HTTPS, or plain HTTP to this machine. */
export function isSafeForKey({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && loopbackHosts.has(hostname));
}

function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === "/") end -= 1;
  return url.slice(0, end);
}

function batch(records: readonly object[], { metadata, signal }: ImportOptions) {
  return {
    texts: records.map((record) => JSON.stringify(record)),
    metadata: metadata && JSON.stringify(metadata),
    signal,
  };
}

/**
 * Yields all items of a list. Items that are added during the read shift others to the next page, so items
 * are deduplicated by UUID.
 */
async function* allPages<Item>(
  readPage: (page: number) => Promise<Page<Item>>,
  uuidOf: (item: Item) => string,
): AsyncGenerator<Item, void, undefined> {
  const given = new Set<string>();
  for (let number = 1; ; number += 1) {
    const { data, hasNextPage } = await readPage(number);
    for (const item of data) {
      if (given.has(uuidOf(item))) continue;
      given.add(uuidOf(item));
      yield item;
    }
    if (!hasNextPage) return;
  }
}
