import type { FastifyInstance } from "fastify";
import { changeMapping, createMapping, listMappings, removeMapping, showMapping } from "./manage-mappings.js";
import { defineConsoleOperation } from "../../../core/console/define-operation.js";
import { sendDownload } from "../../../core/console/download.js";

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
