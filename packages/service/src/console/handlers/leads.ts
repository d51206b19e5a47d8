import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { downloadLeads } from "../../leads/download-leads.js";
import { listLeads } from "../../leads/list-leads.js";
import { changeLeadState, showLead } from "../../leads/show-lead.js";
import { momentOf } from "../../moments.js";
import { defineConsoleOperation } from "../define-operation.js";
import { sendDownload } from "../download.js";

export async function leadHandlers(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineConsoleOperation(app, "listLeads", ({ organizationId, query }) =>
    listLeads(pool, { organizationId, ...query }),
  );

  defineConsoleOperation(app, "downloadLeads", ({ organizationId, query, request, reply }) => {
    const { state, duplicates, location: locationId, text } = query;
    const filters = { state, duplicates, locationId, from: momentOf(query.from), to: momentOf(query.to) };
    return sendDownload(pool, request, reply, {
      fileName: "leads.csv",
      contentType: "text/csv; charset=utf-8",
      content: Readable.from(downloadLeads(pool, { organizationId, ...query })),
      // What was searched for may be somebody's address, which has no place in the audit log.
      audited: {
        action: "lead.download",
        detail: { ...filters, ...(text !== undefined && { searched: true }) },
      },
    });
  });

  defineConsoleOperation(app, "getLead", ({ organizationId, params }) =>
    showLead(pool, organizationId, params.leadUuid),
  );

  defineConsoleOperation(app, "changeLead", async ({ organizationId, actor, params, body }) => {
    await changeLeadState(pool, { organizationId, leadId: params.leadUuid, actor, ...body });
    return showLead(pool, organizationId, params.leadUuid);
  });
}
