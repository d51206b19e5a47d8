import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { expectsContinue } from "../server/acceptable-requests.js";
import { Refused } from "../refusals/refused.js";
import { receive, UnplacedBodies, type BodyPlaces } from "../server/receive.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Where a large body waits for its slot. */
    bodyPlaces: BodyPlaces | null;
    /** Sends 100 Continue to a client that expects it. */
    sendContinue: (() => void) | null;
  }
}

/**
 * Bodies arrive as bytes, and only their size is checked here (413). The route parses them after the size and the
 * media type have been accepted, in the order that the API documents.
 */
export const rawBodies = fastifyPlugin(async (app: FastifyInstance) => {
  app.decorateRequest("bodyPlaces", null);
  app.decorateRequest("sendContinue", null);
  const unplaced = new UnplacedBodies();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (request: FastifyRequest, payload: IncomingMessage) => {
    // The route takes no body.
    if (request.is404) return Promise.resolve(undefined);
    // The body is requested only after the key and everything else in the headers was accepted.
    request.sendContinue?.();
    return receive(payload, {
      limitBytes: request.routeOptions.bodyLimit,
      places: request.bodyPlaces,
      unplaced,
    });
  });
  // Fastify checks the media type first, and rejects unsupported ones.
  app.addHook("preParsing", (request, reply, _payload, done) => {
    const isTooLarge =
      !request.is404 && Number(request.headers["content-length"]) > request.routeOptions.bodyLimit;
    if (expectsContinue(request.headers.expect)) request.sendContinue = () => reply.raw.writeContinue();
    done(isTooLarge ? new Refused("bodyTooLarge") : undefined);
  });
});

/** The bytes of a JSON body, or 415. */
export function jsonBytes(request: FastifyRequest): Buffer {
  if (!isJson(request.headers["content-type"] ?? "")) throw new Refused("unsupportedMediaType");
  const encoding = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding !== "identity")
    throw new Refused("unsupportedMediaType", {
      details: ["The body must be sent without a Content-Encoding"],
    });
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** JSON has no parameters, except that a charset other than UTF-8 is rejected. */
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
