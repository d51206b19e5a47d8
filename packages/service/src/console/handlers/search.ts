import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { defineRoute } from "../access.js";
import { readQuery } from "../query.js";
import { search } from "../../search/search.js";

export async function searchRoutes(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineRoute(app, "search", async (request) =>
    search(pool, request.organization.id, readQuery(request).text("q") ?? ""),
  );
}
