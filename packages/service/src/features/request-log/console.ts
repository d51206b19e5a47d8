import { LoggedRequest } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { listRequests, showRequest } from "./list-requests.js";
import type { RequestLogBounds } from "./sweep-request-log.js";
import { cursorReader, formatOf, type DefineExport } from "../../core/console/define-export.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";

export async function requestHandlers(
  app: FastifyInstance,
  { pool, bounds, defineExport }: { pool: pg.Pool; bounds: RequestLogBounds; defineExport: DefineExport },
): Promise<void> {
  defineConsoleOperation(app, "listRequests", ({ organizationId, query }) =>
    listRequests(pool, { organizationId, ...query }, bounds),
  );

  defineConsoleOperation(app, "getRequest", ({ organizationId, params }) =>
    showRequest(pool, organizationId, params.requestUuid),
  );

  defineExport(app, "downloadRequests", {
    noun: "request",
    fileName: () => "requests",
    format: formatOf(LoggedRequest),
    read: ({ organizationId, query }) =>
      cursorReader(query, (asked) => listRequests(pool, { organizationId, ...asked }, bounds)),
  });
}
