import { Upload } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import type { KeyedSemaphore } from "../../core/scheduling/keyed-semaphore.js";
import { cursorReader, formatOf, type DefineExport } from "../../core/console/define-export.js";
import { defineConsoleOperation, type ConsoleCall } from "../../core/console/define-operation.js";
import {
  auditDownload,
  fileTypes,
  LargeFiles,
  sendPieces,
  sendDownload,
} from "../../core/console/download.js";
import { createIdempotently } from "../../core/console/idempotent-create.js";
import {
  cancelUpload,
  pauseUpload,
  removeUpload,
  resumeUpload,
  startUpload,
  undoUpload,
} from "./change-state.js";
import { showUploadStorage, type UploadSettings } from "./limits.js";
import { findUpload, listUploads, showUpload, toUpload, type UploadKey } from "./uploads.js";
import { downloadFailedRows, downloadOutcomes, listUploadFailures, listUploadRuns } from "./outcomes.js";
import { previewUploadUndo } from "./undo-upload.js";
import { bytesOf, limitPieces } from "./piece-bodies.js";
import { correctRows, type CorrectionParts } from "./correct-rows.js";
import { downloadCorrections, listUploadCorrections } from "./corrections.js";
import { completeUpload, createUpload, receivePart } from "./receive-file.js";
import type { UploadWorker } from "./work/worker.js";
import { changeMapping, createMapping, listMappings, removeMapping, showMapping } from "./mappings.js";

export interface UploadParts {
  settings: UploadSettings;
  worker: Pick<UploadWorker, "wake">;
  pieces: KeyedSemaphore;
  corrections: CorrectionParts;
  defineExport: DefineExport;
}

export async function uploadHandlers(
  app: FastifyInstance,
  { settings, worker, pieces, corrections, defineExport }: UploadParts,
): Promise<void> {
  limitPieces(app, pieces, ({ organization, routeOptions }) =>
    routeOptions.config.consoleOperation === "sendUploadPiece" ? organization?.id : undefined,
  );

  defineConsoleOperation(app, "listUploads", ({ pool, organizationId, query }) =>
    listUploads(pool, settings, { organizationId, ...query }),
  );

  defineExport(app, "downloadUploads", {
    noun: "upload",
    fileName: () => "uploads",
    format: formatOf(Upload),
    read: ({ pool, organizationId, query }) =>
      cursorReader(query, (asked) => listUploads(pool, settings, { organizationId, ...asked })),
  });

  defineConsoleOperation(app, "getUploadStorage", ({ pool, organizationId }) =>
    showUploadStorage(pool, settings, organizationId),
  );

  defineConsoleOperation(app, "createUpload", ({ pool, organizationId, actor, body, request }) =>
    createIdempotently(pool, request, {
      make: (client) => createUpload(client, settings, { organizationId, actor, ...body }),
      show: async (client, uploadId) =>
        toUpload(await findUpload(client, { organizationId, uploadId }), settings.uploadKeptDays),
    }),
  );

  defineConsoleOperation(app, "getUpload", (call) => showUpload(call.pool, settings, keyOf(call)));

  defineConsoleOperation(app, "sendUploadPiece", (call) =>
    receivePart(call.pool, { ...keyOf(call), offset: call.query.offset, bytes: bytesOf(call.request) }),
  );

  defineConsoleOperation(app, "completeUpload", (call) =>
    completeUpload(call.pool, settings, { ...keyOf(call), ...call.body }),
  );

  defineConsoleOperation(app, "startUpload", async (call) => {
    const upload = await startUpload(call.pool, settings, { ...changeOf(call), ...call.body });
    worker.wake();
    return upload;
  });

  defineConsoleOperation(app, "pauseUpload", (call) => pauseUpload(call.pool, settings, changeOf(call)));

  defineConsoleOperation(app, "resumeUpload", async (call) => {
    const upload = await resumeUpload(call.pool, settings, changeOf(call));
    worker.wake();
    return upload;
  });

  defineConsoleOperation(app, "cancelUpload", (call) => cancelUpload(call.pool, settings, changeOf(call)));

  defineConsoleOperation(app, "previewUploadUndo", (call) =>
    previewUploadUndo(call.pool, settings, keyOf(call)),
  );

  defineConsoleOperation(app, "undoUpload", async (call) => {
    const upload = await undoUpload(call.pool, settings, changeOf(call));
    worker.wake();
    return upload;
  });

  defineConsoleOperation(app, "removeUpload", async (call) => {
    await removeUpload(call.pool, settings, changeOf(call));
    return call.reply.code(204).send();
  });

  defineConsoleOperation(app, "listUploadRuns", (call) =>
    listUploadRuns(call.pool, { ...keyOf(call), ...call.query }),
  );

  defineConsoleOperation(app, "listUploadFailures", (call) =>
    listUploadFailures(call.pool, { ...keyOf(call), ...call.query }),
  );

  defineConsoleOperation(app, "correctUploadRows", (call) =>
    correctRows(corrections, { ...changeOf(call), pool: call.pool, rows: call.body.rows }),
  );

  defineConsoleOperation(app, "listUploadCorrections", (call) =>
    listUploadCorrections(call.pool, { ...keyOf(call), ...call.query }),
  );

  const files = new LargeFiles();
  const sendFile = async (
    call: AnyCall & Pick<ConsoleCall<"getUpload">, "pool" | "request" | "reply">,
    fileName: string,
    contentOf: (pool: pg.Pool, key: UploadKey) => AsyncGenerator<string>,
  ) => {
    files.enter(call.request, call.reply);
    const { uuid, fileName: uploaded } = await showUpload(call.pool, settings, keyOf(call));
    await auditDownload(call.pool, call.request, {
      action: "upload.download",
      subjectId: uuid,
      detail: { fileName: uploaded, content: fileName },
    });
    return sendPieces(call.request, call.reply, {
      fileName,
      contentType: fileTypes.csv,
      pieces: contentOf(call.pool, keyOf(call)),
    });
  };
  defineConsoleOperation(app, "downloadUploadOutcomes", (call) =>
    sendFile(call, "outcomes.csv", downloadOutcomes),
  );
  defineConsoleOperation(app, "downloadUploadCorrections", (call) =>
    sendFile(call, "corrections.csv", downloadCorrections),
  );
  defineConsoleOperation(app, "downloadUploadFailures", (call) => {
    const { rows } = call.query;
    return sendFile(call, rows === "conflicts" ? "conflicts.csv" : "failures.csv", (pool, key) =>
      downloadFailedRows(pool, key, rows),
    );
  });
}

type AnyCall = Pick<ConsoleCall<"getUpload">, "organizationId" | "params" | "actor">;

function keyOf({ organizationId, params }: AnyCall) {
  return { organizationId, uploadId: params.uploadUuid };
}

function changeOf(call: AnyCall) {
  return { ...keyOf(call), actor: call.actor };
}

export async function mappingHandlers(app: FastifyInstance): Promise<void> {
  defineConsoleOperation(app, "listMappings", async ({ pool, organizationId, query }) => ({
    data: await listMappings(pool, { organizationId, ...query }),
  }));

  defineConsoleOperation(app, "createMapping", ({ pool, organizationId, actor, body }) =>
    createMapping(pool, { organizationId, actor, ...body }),
  );

  defineConsoleOperation(app, "getMapping", ({ pool, organizationId, params }) =>
    showMapping(pool, { organizationId, mappingId: params.mappingUuid }),
  );

  defineConsoleOperation(app, "changeMapping", ({ pool, organizationId, actor, params, body }) =>
    changeMapping(pool, { organizationId, mappingId: params.mappingUuid, actor, ...body }),
  );

  defineConsoleOperation(app, "removeMapping", async ({ pool, organizationId, actor, params, reply }) => {
    await removeMapping(pool, { organizationId, mappingId: params.mappingUuid, actor });
    return reply.code(204).send();
  });

  defineConsoleOperation(app, "downloadMapping", async ({ pool, organizationId, params, request, reply }) => {
    const { uuid, name, mapping } = await showMapping(pool, {
      organizationId,
      mappingId: params.mappingUuid,
    });
    return sendDownload(pool, request, reply, {
      fileName: "mapping.json",
      contentType: "application/json",
      content: `${JSON.stringify(mapping, undefined, 2)}\n`,
      audited: { action: "mapping.download", subjectId: uuid, detail: { name } },
    });
  });
}
