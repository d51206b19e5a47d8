import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { listSavedViews, removeSavedView, saveView } from "./saved-views.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";

export async function savedViewHandlers(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineConsoleOperation(app, "listSavedViews", async ({ organizationId, person }) => ({
    data: await listSavedViews(pool, { organizationId, userId: person.id }),
  }));

  defineConsoleOperation(app, "saveView", ({ organizationId, person, body }) =>
    saveView(pool, { organizationId, userId: person.id, ...body }),
  );

  defineConsoleOperation(app, "removeSavedView", async ({ organizationId, person, params, reply }) => {
    await removeSavedView(pool, { organizationId, userId: person.id, viewId: params.viewUuid });
    return reply.code(204).send();
  });
}
