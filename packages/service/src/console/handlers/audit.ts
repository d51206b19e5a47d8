import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { defineRoute } from "../access.js";
import { listAudit } from "../../audit/list-audit.js";
import { readQuery } from "../query.js";

export async function auditRoutes(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineRoute(app, "listAudit", async (request) => {
    const query = readQuery(request);
    return listAudit(pool, {
      organizationId: request.organization.id,
      action: query.text("action") ?? "",
      before: query.uuid("before"),
      limit: query.limit(),
    });
  });
}
