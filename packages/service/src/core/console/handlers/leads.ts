import type { FastifyInstance } from "fastify";
import { changeLead, changeLeads } from "../../leads/change-leads.js";
import { countNewLeads } from "../../leads/count-new-leads.js";
import { addNote, removeNote, showNote } from "../../leads/lead-work.js";
import { listLeads } from "../../leads/list-leads.js";
import { showLead } from "../../leads/show-lead.js";
import { defineConsoleOperation } from "../define-operation.js";
import { createIdempotently } from "../idempotent-create.js";

export async function leadHandlers(app: FastifyInstance): Promise<void> {
  defineConsoleOperation(app, "listLeads", ({ pool, organizationId, person, query }) =>
    listLeads(pool, { organizationId, reader: person.email, ...query }),
  );

  defineConsoleOperation(app, "countNewLeads", ({ pool, organizationId }) =>
    countNewLeads(pool, organizationId),
  );

  defineConsoleOperation(app, "getLead", ({ pool, organizationId, params, person }) =>
    showLead(pool, { organizationId, leadId: params.leadUuid, userId: person.id }),
  );

  defineConsoleOperation(app, "changeLead", async ({ pool, organizationId, actor, params, body, person }) => {
    await changeLead(pool, { organizationId, actor, uuid: params.leadUuid, ...body });
    return showLead(pool, { organizationId, leadId: params.leadUuid, userId: person.id });
  });

  defineConsoleOperation(app, "changeLeads", async ({ pool, organizationId, actor, body }) => ({
    changed: await changeLeads(pool, { organizationId, actor, ...body }),
  }));

  defineConsoleOperation(
    app,
    "addLeadNote",
    ({ pool, organizationId, actor, params, body, person, request }) => {
      const key = { organizationId, leadId: params.leadUuid, userId: person.id };
      return createIdempotently(pool, request, {
        make: (client) => addNote(client, { ...key, actor, text: body.text }),
        show: (client, noteId) => showNote(client, { ...key, noteId }),
      });
    },
  );

  defineConsoleOperation(
    app,
    "removeLeadNote",
    async ({ pool, organizationId, actor, params, person, reply }) => {
      const { leadUuid: leadId, noteUuid: noteId } = params;
      await removeNote(pool, { organizationId, leadId, noteId, userId: person.id, actor });
      return reply.code(204).send();
    },
  );
}
