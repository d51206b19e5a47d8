import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { listRequests } from "../../requests/list-requests.js";
import type { RequestLogBounds } from "../../requests/sweep-request-log.js";
import { defineConsoleOperation } from "../define-operation.js";

export async function requestHandlers(
  app: FastifyInstance,
  { pool, bounds }: { pool: pg.Pool; bounds: RequestLogBounds },
): Promise<void> {
  defineConsoleOperation(app, "listRequests", ({ organizationId, query }) =>
    listRequests(pool, { organizationId, ...query }, bounds),
  );
}
