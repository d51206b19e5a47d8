import type {
  ImportResourceName,
  KeptMapping,
  OperationName,
  RowChoice,
  Upload,
  UploadDetail,
  UploadOutcome,
  UploadOutcomePage,
} from "@gatehouse-parking/contract";
import type { CallOptions, Page, PageQuery } from "./client.js";
import { maxPieceRequestBytes, paths, RecordStatus, uploadPieceBytes } from "./contract.js";
import { keepPace } from "./import-batches.js";
import { queryText, sendRequest, streamText, type ClientRequest, type Connection } from "./request.js";
import { wait } from "./retry.js";

export interface NewUpload {
  /** Its ending says the format: .csv, .tsv, .json, .ndjson or .xlsx, each also with .gz. */
  fileName: string;
  /** Bytes. */
  size: number;
  resource: ImportResourceName;
  /** Your own name for the upload. Creating it again returns the upload that exists, so that it can be continued. */
  reference?: string;
}

/** A File or Blob, such as `await openAsBlob(path)` of node:fs, which reads the file as it is sent. */
export interface UploadSource {
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

export interface SendOptions extends CallOptions {
  /** Called after each piece. */
  onProgress?: (upload: { receivedBytes: number; size: number }) => void;
}

export interface UploadStart {
  /** true: a check, which stores nothing. false: an import. */
  validateOnly: boolean;
  /** The name of a mapping that was saved in the console. */
  mappingName?: string;
  /** The content of a mapping file. */
  mapping?: Record<string, unknown>;
  ignoreUnknownColumns?: boolean;
  /** What `send` returned, to be sure that all pieces are of the same file. */
  sha256?: string;
}

export interface OutcomesQuery {
  /** The last `row` that was read. */
  after?: number;
  limit?: number;
  failedOnly?: boolean;
}

export interface WaitOptions extends CallOptions {
  intervalMs?: number;
  /** Called after each look. */
  onProgress?: (upload: UploadDetail) => void;
}

const defaultIntervalMs = 2_000;
const outcomesPerPage = 1_000;
/** The service is working on it, or will be. */
const running: ReadonlySet<Upload["state"]> = new Set(["waiting", "working"]);

export function isRunning({ state }: Pick<Upload, "state">): boolean {
  return running.has(state);
}

export type UploadMethods = ReturnType<typeof uploadMethods>;

export function uploadMethods(connection: Connection) {
  async function ask<Answer>(
    operation: OperationName,
    { uuid = "", query = "", ...request }: Partial<ClientRequest> & { uuid?: string; query?: string },
  ): Promise<Answer> {
    await keepPace(connection, operation, request.signal);
    const path = paths[operation].replace(":uploadUuid", encodeURIComponent(uuid)) + query;
    return sendRequest(connection, { operation, method: "GET", isRepeatable: true, ...request, path });
  }
  const change = (
    operation: OperationName,
    uuid: string,
    options: CallOptions & { isRepeatable?: boolean },
    body?: object,
  ) =>
    ask<Upload>(operation, { ...options, uuid, method: "POST", ...(body && { body: JSON.stringify(body) }) });
  const rowsCsv = (uuid: string, rows: RowChoice, { signal }: CallOptions): AsyncGenerator<string> =>
    streamText(connection, {
      operation: "downloadUploadFailures",
      method: "GET",
      path:
        paths.downloadUploadFailures.replace(":uploadUuid", encodeURIComponent(uuid)) + queryText({ rows }),
      isRepeatable: false,
      signal,
    });

  const self = {
    /** The mappings that were saved in the console. `start` takes their names. */
    mappings: (query: PageQuery & { resource?: ImportResourceName } = {}, options: CallOptions = {}) =>
      ask<Page<KeptMapping>>("listMappings", { ...options, query: queryText(query) }),

    /** Announces a file. It is retried only with a `reference`, because two requests would be two uploads. */
    create: (upload: NewUpload, options: CallOptions = {}): Promise<Upload> =>
      ask("createUpload", {
        ...options,
        method: "POST",
        body: JSON.stringify(upload),
        isRepeatable: upload.reference !== undefined,
      }),

    /** Sends what the service does not have of the file yet, and returns the checksum for `start`. */
    async send(
      uuid: string,
      source: UploadSource,
      { onProgress, ...options }: SendOptions = {},
    ): Promise<{ receivedBytes: number; sha256: string }> {
      let { receivedBytes } = await self.get(uuid, options);
      const digests: Uint8Array[] = [];
      for (let offset = 0; offset < source.size; offset += maxPieceRequestBytes) {
        options.signal?.throwIfAborted();
        const end = Math.min(offset + maxPieceRequestBytes, source.size);
        const body = new Uint8Array(await source.slice(offset, end).arrayBuffer());
        for (let at = 0; at < body.length; at += uploadPieceBytes)
          digests.push(await sha256(body.subarray(at, at + uploadPieceBytes)));
        if (end <= receivedBytes) continue;
        ({ receivedBytes } = await ask<{ receivedBytes: number }>("sendUploadPiece", {
          ...options,
          uuid,
          query: `?offset=${offset}`,
          method: "POST",
          headers: { "content-type": "application/octet-stream" },
          body,
        }));
        onProgress?.({ receivedBytes, size: source.size });
      }
      return { receivedBytes, sha256: hex(await sha256(joined(digests))) };
    },

    /** Starts a check or an import in the background. */
    start: (uuid: string, start: UploadStart, options: CallOptions = {}) =>
      change("startUpload", uuid, options, start),

    get: (uuid: string, options: CallOptions = {}): Promise<UploadDetail> =>
      ask("getUpload", { ...options, uuid }),

    list: (
      query: PageQuery & { state?: Upload["state"]; reference?: string } = {},
      options: CallOptions = {},
    ): Promise<Page<Upload>> => ask("listUploads", { ...options, query: queryText(query) }),

    /** Looks at the upload until it is neither waiting nor being processed. */
    async wait(
      uuid: string,
      { intervalMs = defaultIntervalMs, onProgress, ...options }: WaitOptions = {},
    ): Promise<UploadDetail> {
      for (;;) {
        const upload = await self.get(uuid, options);
        onProgress?.(upload);
        if (!isRunning(upload)) return upload;
        await wait(intervalMs, options.signal);
      }
    },

    /** One page of the rows with their outcomes. */
    listOutcomes: (
      uuid: string,
      { failedOnly = false, ...query }: OutcomesQuery = {},
      options: CallOptions = {},
    ): Promise<UploadOutcomePage> =>
      ask("listUploadOutcomes", {
        ...options,
        uuid,
        query: queryText({ ...query, ...(failedOnly && { status: RecordStatus.Failed }) }),
      }),

    /** All rows with their outcomes, in the order of the file. */
    async *outcomes(
      uuid: string,
      query: OutcomesQuery = {},
      options: CallOptions = {},
    ): AsyncGenerator<UploadOutcome, void, undefined> {
      for (let { after = 0 } = query; ;) {
        const { data, nextAfter } = await self.listOutcomes(
          uuid,
          { limit: outcomesPerPage, ...query, after },
          options,
        );
        yield* data;
        if (nextAfter === null) return;
        after = nextAfter;
      }
    },

    /** The failed rows in the columns of the file, as the text of a CSV file. */
    failuresCsv: (uuid: string, options: CallOptions = {}) => rowsCsv(uuid, "failed", options),

    /** The same for the rows whose stored record has other values. */
    conflictsCsv: (uuid: string, options: CallOptions = {}) => rowsCsv(uuid, "conflicts", options),

    /** Ends the upload after the current batch and deletes its file. */
    cancel: (uuid: string, options: CallOptions = {}) =>
      change("cancelUpload", uuid, { ...options, isRepeatable: false }),

    /** Deletes the upload with the outcomes of its rows. Imported records stay. */
    remove: (uuid: string, options: CallOptions = {}): Promise<Upload> =>
      ask("removeUpload", { ...options, uuid, method: "DELETE", isRepeatable: false }),
  };
  return self;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
