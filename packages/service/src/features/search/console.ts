import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { search } from "./search.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";

export async function searchHandlers(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineConsoleOperation(app, "search", ({ organizationId, query: { q = "" } }) =>
    search(pool, organizationId, q),
  );
}
