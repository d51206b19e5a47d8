import type { FastifyInstance } from "fastify";
import type pg from "pg";
import type { FindEveryRemoved } from "../../core/records/removed-records.js";
import { search } from "./search.js";
import { suggest } from "./suggest.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";

export async function searchHandlers(
  app: FastifyInstance,
  { pool, findRemoved }: { pool: pg.Pool; findRemoved: FindEveryRemoved },
): Promise<void> {
  defineConsoleOperation(app, "search", ({ organizationId, query: { q = "" } }) =>
    search(pool, findRemoved, organizationId, q),
  );

  defineConsoleOperation(app, "suggest", async ({ organizationId, query: { q = "" } }) => ({
    data: await suggest(pool, organizationId, q),
  }));
}
