import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { listRequests } from "./list-requests.js";
import type { RequestLogBounds } from "./sweep-request-log.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";

export async function requestHandlers(
  app: FastifyInstance,
  { pool, bounds }: { pool: pg.Pool; bounds: RequestLogBounds },
): Promise<void> {
  defineConsoleOperation(app, "listRequests", ({ organizationId, query }) =>
    listRequests(pool, { organizationId, ...query }, bounds),
  );
}
