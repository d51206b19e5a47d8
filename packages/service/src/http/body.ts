import { maxBodyBytes } from "@gatehouse-parking/contract";
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
  // The framework looks at the media type first, and refuses one that it cannot read.
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    const { config, bodyLimit } = request.routeOptions;
    const isOperation = config.operation !== undefined;
    const isTooLarge = isOperation && Number(request.headers["content-length"]) > bodyLimit;
    done(isTooLarge ? new RequestRefused("bodyTooLarge") : undefined);
  });
});

/** The bytes of a JSON body, or 415. */
export function jsonBytes(request: FastifyRequest): Buffer {
  if (!isJson(request.headers["content-type"] ?? "")) throw new RequestRefused("unsupportedMediaType");
  const encoding = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding !== "identity")
    throw new RequestRefused("unsupportedMediaType", {
      details: ["The body must be sent without a Content-Encoding"],
    });
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** Parameters mean nothing to JSON, except one that claims another encoding than UTF-8. */
function isJson(contentType: string): boolean {
  const [mediaType = "", ...parameters] = contentType.toLowerCase().split(";");
  return (
    mediaType.trim() === "application/json" &&
    parameters.every((parameter) => {
      const [name = "", value = ""] = parameter.split("=");
      return name.trim() !== "charset" || /^\s*("utf-?8"|utf-?8)\s*$/.test(value);
    })
  );
}
