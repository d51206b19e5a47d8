import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { defineConsoleOperation } from "../../core/console/define-operation.js";
import { previewUndo } from "./preview-undo.js";
import { undoRun } from "./undo-run.js";

export async function undoHandlers(
  app: FastifyInstance,
  { pool, undoDays }: { pool: pg.Pool; undoDays: number },
): Promise<void> {
  defineConsoleOperation(app, "previewUndo", ({ organizationId, params }) =>
    previewUndo(pool, { organizationId, runId: params.referenceUuid, undoDays }),
  );

  defineConsoleOperation(app, "undoRun", ({ organizationId, params, body, actor }) =>
    undoRun(pool, { organizationId, runId: params.referenceUuid, version: body.version, undoDays, actor }),
  );
}
