import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { downloadAudit } from "../../audit/download-audit.js";
import { listAudit } from "../../audit/list-audit.js";
import { defineConsoleOperation } from "../define-operation.js";
import { fileTypes, sendDownload } from "../download.js";

export async function auditHandlers(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineConsoleOperation(app, "listAudit", ({ organizationId, query }) =>
    listAudit(pool, { organizationId, ...query }),
  );

  defineConsoleOperation(app, "downloadAudit", ({ organizationId, params, query, request, reply }) =>
    sendDownload(pool, request, reply, {
      fileName: `audit-log.${params.format}`,
      contentType: fileTypes[params.format],
      content: Readable.from(downloadAudit(pool, { organizationId, ...params, ...query })),
      // The filter is whatever somebody has typed.
      audited: {
        action: "audit.download",
        detail: { format: params.format, ...(query.action !== undefined && { filtered: true }) },
      },
    }),
  );
}
