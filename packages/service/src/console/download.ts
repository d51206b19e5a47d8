import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/** A file to keep, never a page to show: whatever is in it, no browser runs it on the console's origin. */
export function sendDownload(
  reply: FastifyReply,
  file: { fileName: string; contentType: string; content: string | Readable },
): FastifyReply {
  return reply
    .type(file.contentType)
    .header("content-disposition", `attachment; filename="${file.fileName}"`)
    .send(file.content);
}
