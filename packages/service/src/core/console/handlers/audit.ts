import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { listAudit } from "../../audit/list-audit.js";
import { defineConsoleOperation } from "../define-operation.js";

export async function auditHandlers(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineConsoleOperation(app, "listAudit", ({ organizationId, query }) =>
    listAudit(pool, { organizationId, ...query }),
  );
}
