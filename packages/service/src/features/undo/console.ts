import type { FastifyInstance } from "fastify";
import { defineConsoleOperation } from "../../core/console/define-operation.js";
import { previewUndo } from "./plan-undo.js";
import { undoRun } from "./undo-run.js";

export async function undoHandlers(app: FastifyInstance, { undoDays }: { undoDays: number }): Promise<void> {
  defineConsoleOperation(app, "previewUndo", ({ pool, organizationId, params }) =>
    previewUndo(pool, { organizationId, runId: params.referenceUuid, undoDays }),
  );

  defineConsoleOperation(app, "undoRun", ({ pool, organizationId, params, body, actor }) =>
    undoRun(pool, { organizationId, runId: params.referenceUuid, version: body.version, undoDays, actor }),
  );
}
