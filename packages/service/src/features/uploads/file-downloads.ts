import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { fileTypes, sendFile } from "../../core/console/download.js";
import { untilAnswered } from "../../core/operations/answer-lifetime.js";
import { Refused } from "../../core/refusals/refused.js";

const maxPerOrganization = 2;
/** The connection of a client that takes longer is closed, so that the client notices that the file is incomplete. */
const maxMs = 15 * 60_000;

/** Limits concurrent downloads by API key. Each lasts as long as its client reads. */
export class FileDownloads {
  readonly #running = new Map<string, number>();

  send(reply: FastifyReply, organizationId: string, pieces: AsyncGenerator<string>): FastifyReply {
    const running = this.#running.get(organizationId) ?? 0;
    if (running >= maxPerOrganization) throw new Refused("overloaded");
    this.#running.set(organizationId, running + 1);
    const timer = setTimeout(() => reply.raw.destroy(), maxMs).unref();
    const end = (): void => {
      clearTimeout(timer);
      const left = (this.#running.get(organizationId) ?? 1) - 1;
      if (left === 0) this.#running.delete(organizationId);
      else this.#running.set(organizationId, left);
    };
    const over = untilAnswered(reply);
    if (over.aborted) end();
    else over.addEventListener("abort", end, { once: true });
    return sendFile(reply, {
      fileName: "failures.csv",
      contentType: fileTypes.csv,
      content: Readable.from(pieces),
    });
  }
}
