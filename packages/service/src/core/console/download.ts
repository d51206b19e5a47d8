import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { writeAudit, type AuditEntry } from "../audit/audit.js";
import { untilAnswered } from "../operations/answer-lifetime.js";
import { clientAddress } from "../server/client-address.js";
import { CallerBudget } from "./limits.js";

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
  /** The audit entry. */
  audited: Pick<AuditEntry, "action" | "subjectId" | "detail">;
}

/**
 * Sends a file as an attachment, so no browser renders it on the console's origin. The audit entry is written
 * before the first byte leaves.
 */
export async function sendDownload(
  pool: pg.Pool,
  request: FastifyRequest,
  reply: FastifyReply,
  { audited, ...file }: Download,
): Promise<FastifyReply> {
  await auditDownload(pool, request, audited);
  return sendFile(reply, file);
}

export async function auditDownload(
  pool: pg.Pool,
  request: FastifyRequest,
  audited: Download["audited"],
): Promise<void> {
  await transaction(pool, (client) =>
    writeAudit(client, {
      organizationId: request.organization?.id ?? null,
      actor: { email: request.person.email, address: clientAddress(request) },
      ...audited,
    }),
  );
}

/** The maximum duration of a download. */
const maxTakingMs = 15 * 60_000;

interface FileInPieces extends Omit<SentFile, "content"> {
  pieces: AsyncGenerator<string>;
  maxMs?: number;
}

/**
 * Streams a file while it is being produced. It holds a permit of its user only while a piece is produced,
 * however slow the client is. If the download takes too long, the connection is destroyed, so that the client
 * notices that the file is incomplete.
 */
export function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  { pieces, maxMs = maxTakingMs, ...file }: FileInPieces,
): FastifyReply {
  const timer = setTimeout(() => reply.raw.destroy(), maxMs).unref();
  untilAnswered(reply).addEventListener("abort", () => clearTimeout(timer), { once: true });
  const { userPermit } = request;
  // The audit entry has to be written first, because awaiting a reply waits for the end of the download.
  userPermit.leave();
  return sendFile(reply, { ...file, content: Readable.from(inTurns(userPermit, pieces)) });
}

const filesAtOnce = {
  person: { perMinute: Number.POSITIVE_INFINITY, atOnce: 2 },
  organization: { perMinute: Number.POSITIVE_INFINITY, atOnce: 4 },
};

/** Concurrent downloads. Each may hold as much memory as a request for as long as its client reads. */
export class LargeFiles {
  readonly #people = new CallerBudget(filesAtOnce.person);
  readonly #organizations = new CallerBudget(filesAtOnce.organization);

  /** Counts a download until it ends, or rejects it with 429. */
  enter({ person, organization }: FastifyRequest, reply: FastifyReply): void {
    this.#people.enter(person.id, reply);
    if (organization) this.#organizations.enter(organization.id, reply);
  }
}

async function* inTurns(
  { take }: FastifyRequest["userPermit"],
  pieces: AsyncGenerator<string>,
): AsyncGenerator<string> {
  try {
    for (;;) {
      const { done, value } = await take(() => pieces.next());
      if (done) return;
      yield value;
    }
  } finally {
    await pieces.return(undefined);
  }
}

/** For callers that have already written the line of the audit log. */
export function sendFile(reply: FastifyReply, { fileName, contentType, content }: SentFile): FastifyReply {
  return reply
    .type(contentType)
    .header("content-disposition", `attachment; filename="${fileName}"`)
    .send(content);
}
