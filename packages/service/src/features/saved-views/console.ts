import type { FastifyInstance } from "fastify";
import { listSavedViews, removeSavedView, saveView } from "./saved-views.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";

export async function savedViewHandlers(app: FastifyInstance): Promise<void> {
  defineConsoleOperation(app, "listSavedViews", async ({ pool, organizationId, person }) => ({
    data: await listSavedViews(pool, { organizationId, userId: person.id }),
  }));

  defineConsoleOperation(app, "saveView", ({ pool, organizationId, person, body }) =>
    saveView(pool, { organizationId, userId: person.id, ...body }),
  );

  defineConsoleOperation(app, "removeSavedView", async ({ pool, organizationId, person, params, reply }) => {
    await removeSavedView(pool, { organizationId, userId: person.id, viewId: params.viewUuid });
    return reply.code(204).send();
  });
}
