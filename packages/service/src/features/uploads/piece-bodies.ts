import type { FastifyInstance, FastifyRequest } from "fastify";
import { untilAnswered } from "../../core/operations/answer-lifetime.js";
import { UserError } from "../../core/refusals/user-error.js";
import { KeyedSemaphore } from "../../core/scheduling/keyed-semaphore.js";

/** Limits the pieces of files in memory, each of a few megabytes. The console and the API share it. */
export function pieceSemaphore(): KeyedSemaphore {
  return new KeyedSemaphore({ perKey: 2, overall: 8, maxWaiting: 1_000, maxWaitMs: 30_000 });
}

/** Lets requests with a piece wait for a place before their body is read. */
export function limitPieces(
  app: FastifyInstance,
  semaphore: KeyedSemaphore,
  /** The organization, if the request sends a piece. */
  organizationOf: (request: FastifyRequest) => string | undefined,
): void {
  app.addHook("preParsing", async (request, reply) => {
    const organizationId = organizationOf(request);
    if (organizationId === undefined) return;
    const over = untilAnswered(reply);
    const enter = async (): Promise<void> => {
      const leave = await semaphore.acquire(organizationId, over);
      if (over.aborted) leave();
      else over.addEventListener("abort", leave, { once: true });
    };
    request.bodyPlaces = { forSmall: enter, forLarge: enter };
  });
}

export function bytesOf(request: FastifyRequest): Buffer {
  const [mediaType = ""] = (request.headers["content-type"] ?? "").split(";");
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (mediaType.trim().toLowerCase() !== "application/octet-stream" || encoding !== "identity")
    throw new UserError("unsupportedMediaType", [
      "Send a part of a file as application/octet-stream, without a Content-Encoding",
    ]);
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
