import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type pg from "pg";
import { defineRoute } from "../access.js";
import { readBody } from "../body.js";
import { sendDownload } from "../download.js";
import { uuidParameter } from "../parameters.js";
import { readQuery } from "../query.js";
import { downloadLeads } from "../../leads/download-leads.js";
import { findLeads, leadColumns, toLeadRow, type LeadFilters } from "../../leads/list-leads.js";
import { changeLeadState, showLead } from "../../leads/show-lead.js";

const states = ["accepted", "quarantined"] as const;

export async function leadRoutes(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineRoute(app, "listLeads", async (request) => {
    const query = readQuery(request);
    const page = { before: query.uuid("before"), limit: query.limit() };
    return findLeads(pool, readFilters(request), page, { columns: leadColumns, toItem: toLeadRow });
  });

  defineRoute(app, "downloadLeads", async (request, reply) => {
    const { organizationId: _known, text, ...filters } = readFilters(request);
    return sendDownload(pool, request, reply, {
      fileName: "leads.csv",
      contentType: "text/csv; charset=utf-8",
      content: Readable.from(downloadLeads(pool, readFilters(request))),
      // What was searched for may be somebody's address, which has no place in the audit log.
      audited: {
        action: "lead.download",
        detail: { ...filters, ...(text !== undefined && { searched: true }) },
      },
    });
  });

  defineRoute(app, "getLead", async (request) =>
    showLead(pool, request.organization.id, uuidParameter(request, "leadUuid")),
  );

  defineRoute(app, "changeLead", async (request) => {
    const body = readBody(request);
    const state = body.oneOf("state", states);
    body.check();
    const organizationId = request.organization.id;
    const leadId = uuidParameter(request, "leadUuid");
    await changeLeadState(pool, { organizationId, leadId, state, actor: request.person.email });
    return showLead(pool, organizationId, leadId);
  });
}

function readFilters(request: FastifyRequest): LeadFilters {
  const query = readQuery(request);
  return {
    organizationId: request.organization.id,
    state: query.oneOf("state", states),
    duplicates: query.oneOf("duplicates", ["only", "hide"]),
    locationId: query.uuid("location"),
    from: query.timestamp("from"),
    to: query.timestamp("to"),
    text: query.text("text"),
  };
}
