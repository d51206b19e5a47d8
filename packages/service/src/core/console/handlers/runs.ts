import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { downloadFailures } from "../../imports/history/download-failures.js";
import { listRuns } from "../../imports/history/list-runs.js";
import { showRun } from "../../imports/history/show-run.js";
import { previewUndo } from "../../../features/undo/preview-undo.js";
import { undoRun } from "../../../features/undo/undo-run.js";
import { defineConsoleOperation } from "../define-operation.js";
import { fileTypes, sendDownload } from "../download.js";

interface RunParts {
  pool: pg.Pool;
  /** For how long a run can be taken back. */
  undoDays: number;
  /** For how long the values of wrong fields are kept. */
  sentValuesDays: number;
}

export async function runHandlers(
  app: FastifyInstance,
  { pool, undoDays, sentValuesDays }: RunParts,
): Promise<void> {
  defineConsoleOperation(app, "listRuns", ({ organizationId, query }) =>
    listRuns(pool, { organizationId, ...query }),
  );

  defineConsoleOperation(app, "getRun", ({ organizationId, params }) =>
    showRun(pool, { organizationId, runId: params.referenceUuid, undoDays, sentValuesDays }),
  );

  defineConsoleOperation(app, "previewUndo", ({ organizationId, params }) =>
    previewUndo(pool, { organizationId, runId: params.referenceUuid, undoDays }),
  );

  defineConsoleOperation(app, "undoRun", ({ organizationId, params, body, actor }) =>
    undoRun(pool, { organizationId, runId: params.referenceUuid, version: body.version, undoDays, actor }),
  );

  defineConsoleOperation(app, "downloadFailures", async ({ organizationId, params, request, reply }) => {
    const { referenceUuid: runId, format } = params;
    return sendDownload(pool, request, reply, {
      fileName: `failures-${runId}.${format}`,
      contentType: fileTypes[format],
      content: await downloadFailures(pool, { organizationId, runId, format }),
      audited: { action: "import.download-failures", subjectId: runId, detail: { format } },
    });
  });
}
