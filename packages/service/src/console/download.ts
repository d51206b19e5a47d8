import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { writeAudit, type AuditEntry } from "../audit/audit.js";
import { clientAddress } from "../server/client-address.js";

export const fileTypes = {
  json: "application/json; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
};

interface SentFile {
  fileName: string;
  contentType: string;
  content: string | Readable;
}

interface Download extends SentFile {
  /** What the audit log says of it. */
  audited: Pick<AuditEntry, "action" | "subjectId" | "detail">;
}

/**
 * A file to keep, never a page to show: whatever is in it, no browser runs it on the console's origin. It takes data out
 * of the service, so the audit log knows of it before the first byte leaves.
 */
export async function sendDownload(
  pool: pg.Pool,
  request: FastifyRequest,
  reply: FastifyReply,
  { audited, ...file }: Download,
): Promise<FastifyReply> {
  await transaction(pool, (client) =>
    writeAudit(client, {
      // Absent where the list is one of all organizations.
      organizationId: (request.organization as { id: string } | undefined)?.id ?? null,
      actor: { email: request.person.email, address: clientAddress(request) },
      ...audited,
    }),
  );
  return sendFile(reply, file);
}

/** For whoever has written the line already. */
export function sendFile(reply: FastifyReply, { fileName, contentType, content }: SentFile): FastifyReply {
  return reply
    .type(contentType)
    .header("content-disposition", `attachment; filename="${fileName}"`)
    .send(content);
}
