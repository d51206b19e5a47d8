import {
  MappingPageQuery,
  NewUpload,
  RecordStatus,
  UploadFailuresQuery,
  UploadOutcomesQuery,
  UploadPageQuery,
  UploadPieceQuery,
  operations,
  uploadOffsetHeader,
  uploadPieceBytes,
  UploadStart,
  type ErrorName,
  type ImportResourceName,
  type OperationName,
  type Static,
  type TObject,
  type TSchema,
} from "@gatehouse-parking/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import type { Actor } from "../../core/audit/audit.js";
import { declaredInputReader } from "../../core/console/read-input.js";
import { refusePermission } from "../../core/gate/key-confirmation.js";
import { defineOperation, type OperationDefinition } from "../../core/operations/define-operation.js";
import { toPage } from "../../core/operations/paging.js";
import type { Reads } from "../../core/operations/serializers.js";
import { showApiKey } from "../../core/organizations/api-keys.js";
import type { KeyedSemaphore } from "../../core/scheduling/keyed-semaphore.js";
import { clientAddress } from "../../core/server/client-address.js";
import { transaction } from "../../core/database/transaction.js";
import { cancelUpload, removeUpload } from "./change-state.js";
import { FileDownloads } from "./file-downloads.js";
import type { UploadSettings } from "./limits.js";
import { listMappings } from "./mappings.js";
import { downloadFailedRows, listUploadOutcomes } from "./outcomes.js";
import { bytesOf, limitPieces } from "./piece-bodies.js";
import { createUpload, receivePart } from "./receive-file.js";
import { startReceivedUpload } from "./start-received.js";
import { forKey, pageOfUploads, showUpload, type UploadKey } from "./uploads.js";
import type { UploadWorker } from "./work/worker.js";

export interface UploadRouteParts {
  pool: pg.Pool;
  reads: Reads;
  settings: UploadSettings;
  worker: Pick<UploadWorker, "wake">;
  pieces: KeyedSemaphore;
}

/** The operations for files that a program calls with an API key. They share every function with the console's. */
export async function uploadRoutes(
  app: FastifyInstance,
  { pool, reads, settings, worker, pieces }: UploadRouteParts,
): Promise<void> {
  const downloads = new FileDownloads();
  const changing =
    (change: typeof cancelUpload) =>
    async ({ request, key }: Pick<UploadCall<TObject, TSchema>, "request" | "key">) =>
      forKey(
        await change(request.keyConfirmation.guard(pool), settings, {
          ...key,
          actor: await actorOf(pool, request),
        }),
      );
  limitPieces(app, pieces, ({ caller, routeOptions }) =>
    routeOptions.config.operation === "sendUploadPiece" ? caller.organizationId : undefined,
  );

  define(app, "listMappings", {
    description:
      "Lists the mappings that were saved in the console, the most recently changed first. startUpload takes their names.",
    query: MappingPageQuery,
    answer: "MappingPage",
    handler: async ({ organizationId, query }) => {
      const found = await reads.run(organizationId, () =>
        listMappings(reads.pool, { organizationId, ...query }),
      );
      const start = (query.page - 1) * query.pageSize;
      return toPage(found.slice(start, start + query.pageSize), found.length, query);
    },
  });

  define(app, "createUpload", {
    description:
      "Announces a file and reserves storage for it. Then send its pieces and start it. The key also needs the permission to write the resource. With a `reference` the request is safe to repeat: it answers the upload that exists. 409 if the file does not fit the limits of the organization.",
    body: { name: "NewUpload", schema: NewUpload },
    answer: "Upload",
    errors: ["conflict"],
    handler: async ({ request, organizationId, body }) => {
      requireResource(request, body.resource);
      const actor = await actorOf(pool, request);
      const upload = await transaction(request.keyConfirmation.guard(pool), (client) =>
        createUpload(client, settings, { organizationId, actor, ...body }),
      );
      return forKey(upload);
    },
  });

  define(app, "sendUploadPiece", {
    description: `Stores the bytes of the file from \`offset\`. \`offset\` is a multiple of ${uploadPieceBytes}, and so is the length, except at the end of the file. A piece that is stored already is skipped, so sending it again is safe. If earlier pieces are missing, the answer is 409, and its header ${uploadOffsetHeader} says where to continue.`,
    query: UploadPieceQuery,
    bytes: "application/octet-stream",
    answer: "UploadProgress",
    errors: ["notFound", "conflict"],
    handler: ({ request, key, query }) =>
      receivePart(request.keyConfirmation.guard(pool), {
        ...key,
        offset: query.offset ?? 0,
        bytes: bytesOf(request),
      }),
  });

  define(app, "startUpload", {
    description:
      "Checks or imports the file in the background, from its beginning. The columns are read by a saved mapping, by a mapping in the request, or by their names. A check can be followed by an import. Sent again while it is running, the request changes nothing; an import that the service stopped continues. 400 openQuestions if the mapping of an import has questions without an answer. 409 if bytes are missing, if they do not match `sha256`, or if records of the file are imported already.",
    body: { name: "UploadStart", schema: UploadStart },
    answer: "Upload",
    errors: ["notFound", "openQuestions", "conflict"],
    handler: async ({ request, key, body }) => {
      requireResource(request, (await showUpload(pool, settings, key)).resource);
      const actor = await actorOf(pool, request);
      const upload = await startReceivedUpload(request.keyConfirmation.guard(pool), settings, {
        ...key,
        actor,
        ...body,
      });
      worker.wake();
      return forKey(upload);
    },
  });

  define(app, "listUploads", {
    description:
      "Lists the uploads of the organization, from the console and by API key, the most recent first.",
    query: UploadPageQuery,
    answer: "UploadPage",
    handler: async ({ organizationId, query }) => {
      const page = await reads.run(organizationId, () =>
        pageOfUploads(reads.pool, settings, { organizationId, ...query }),
      );
      return { ...page, data: page.data.map(forKey) };
    },
  });

  define(app, "listUploadOutcomes", {
    description:
      "Lists the rows of the latest check or import with their outcomes, in the order of the file. While it is running, the last page ends with the latest stored row: ask again later with the last `row` in `after`.",
    query: UploadOutcomesQuery,
    answer: "UploadOutcomePage",
    errors: ["notFound"],
    handler: ({ organizationId, key, query: { status, ...page } }) =>
      reads.run(organizationId, () =>
        listUploadOutcomes(reads.pool, {
          ...key,
          ...page,
          only: status === RecordStatus.Failed ? "failed" : undefined,
        }),
      ),
  });

  define(app, "downloadUploadFailures", {
    description:
      "Returns the failed rows as CSV with the columns of the file, followed by columns that say what is wrong. Correct the rows and upload this file with the same mapping: the added columns are ignored. With `rows=conflicts`, it returns the rows whose stored record has other values.",
    query: UploadFailuresQuery,
    answer: "text/csv",
    errors: ["notFound"],
    handler: async ({ organizationId, key, query, reply }) => {
      await showUpload(reads.pool, settings, key);
      return downloads.send(reply, organizationId, downloadFailedRows(reads.pool, key, query.rows));
    },
  });

  define(app, "cancelUpload", {
    description:
      "Cancels the upload after the current batch and deletes its file. Records that are imported stay, and so do the outcomes of the rows so far.",
    answer: "Upload",
    errors: ["notFound", "conflict"],
    handler: changing(cancelUpload),
  });

  define(app, "getUpload", {
    description:
      "Returns an upload with its progress, the problems of its rows and the findings about them. It has ended when `state` is finished, stopped or cancelled; `problem` says why it was stopped. Pausing and undoing are done in the console.",
    answer: "UploadDetail",
    errors: ["notFound"],
    handler: async ({ organizationId, key }) =>
      forKey(await reads.run(organizationId, () => showUpload(reads.pool, settings, key))),
  });

  define(app, "removeUpload", {
    description:
      "Deletes the upload with its file and outcomes, and answers it for the last time. Records that are imported stay. 409 while it is running: cancel it first.",
    answer: "Upload",
    errors: ["notFound", "conflict"],
    handler: changing(removeUpload),
  });
}

/** An upload imports records, so the key has to be allowed to write them in the usual way too. */
function requireResource({ caller }: FastifyRequest, resource: ImportResourceName): void {
  if (!caller.permissions.includes(`${resource}:write`)) refusePermission(`${resource}:write`);
}

async function actorOf(pool: pg.Pool, request: FastifyRequest): Promise<Actor> {
  const { organizationId, apiKeyId } = request.caller;
  const { name } = await showApiKey(pool, organizationId, apiKeyId);
  return { apiKeyName: name, address: clientAddress(request) };
}

interface UploadCall<Query extends TObject, Body extends TSchema> {
  request: FastifyRequest;
  reply: FastifyReply;
  organizationId: string;
  /** The upload of the path. */
  key: UploadKey;
  query: Filled<Static<Query>>;
  body: Static<Body>;
}
/** Query fields that have a default are always present. */
type Filled<Query> = Query & Required<Pick<Query, Extract<keyof Query, "limit" | "page" | "pageSize">>>;

interface UploadOperation<Query extends TObject, Body extends TSchema> extends Pick<
  OperationDefinition,
  "description" | "answer" | "errors"
> {
  query?: Query;
  body?: { name: string; schema: Body };
  /** The media type of a body that is not JSON. */
  bytes?: string;
  handler: (call: UploadCall<Query, Body>) => Promise<unknown>;
}

/** Defines a public operation whose input is read by its schemas, like the operations of the console. */
function define<Query extends TObject = TObject, Body extends TSchema = TSchema>(
  app: FastifyInstance,
  name: OperationName,
  { query, body, bytes, errors = [], handler, ...described }: UploadOperation<Query, Body>,
): void {
  const readInput = declaredInputReader(
    { ...(query && { query }), ...(body && { body: body.schema }) },
    true,
  );
  const inputErrors: ErrorName[] = [
    ...(query || body ? (["bodyInvalid"] as const) : []),
    ...(body ? (["bodyMalformed"] as const) : []),
  ];
  defineOperation(app, name, {
    ...described,
    ...(query && { query: query.properties }),
    ...(operations[name].path.includes(":uploadUuid") && { params: uploadParameter }),
    ...((body ?? bytes) && { body: body?.name ?? bytes }),
    errors: [...inputErrors, ...errors],
    handler: async (request, reply) => {
      const { organizationId } = request.caller;
      const input = (await readInput(request)) as unknown as Pick<
        UploadCall<Query, Body>,
        "query" | "body"
      > & {
        params: { uploadUuid: string };
      };
      const key = { organizationId, uploadId: input.params.uploadUuid };
      return handler({ request, reply, organizationId, key, query: input.query, body: input.body });
    },
  });
}

const uploadParameter = { uploadUuid: { type: "string", description: "The uuid of the upload." } };
