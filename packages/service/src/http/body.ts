import { maxBodyBytes } from "@gatehouse/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { RequestRefused } from "./errors.js";

/**
 * Bodies arrive as bytes. The framework counts them (413) and nothing else: what they contain is decided by the
 * route, after the size and the media type have been accepted, in the order the interface promises.
 */
export const rawBodies = fastifyPlugin(async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: maxBodyBytes }, (_request, body, done) => {
    done(null, body);
  });
});

/** The bytes of a JSON body, or 415. */
export function jsonBytes(request: FastifyRequest): Buffer {
  const mediaType = (request.headers["content-type"] ?? "").toLowerCase();
  const encoding = (request.headers["content-encoding"] ?? "identity").toLowerCase();
  if (
    !/^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/.test(mediaType) ||
    encoding !== "identity"
  ) {
    throw new RequestRefused("unsupportedMediaType");
  }
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
