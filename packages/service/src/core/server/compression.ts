import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";

/** Smaller answers fit into a few packets, so compression would not make them faster. */
const minLength = 4_096;
/** Level 1 shrinks JSON to about a tenth. Higher levels cost several times as much and save little more. */
const gzipOptions = { level: 1 };

/** Compresses large answers outside the event loop. Streams and buffers are not compressed. */
export const compression = fastifyPlugin(async (app: FastifyInstance) => {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (typeof payload !== "string" || payload.length < minLength) return done(null, payload);
    addVary(reply, "Accept-Encoding");
    if (!acceptedEncodings(request).has("gzip")) return done(null, payload);
    gzip(payload, gzipOptions, (error, compressed) => {
      if (error) return done(error);
      void reply.headers({ "content-encoding": "gzip", "content-length": compressed.length });
      done(null, compressed);
    });
  });
});

/** Adds a request header to Vary. */
export function addVary(reply: FastifyReply, header: string): void {
  const others = reply.getHeader("vary");
  void reply.header("vary", others === undefined ? header : `${String(others)}, ${header}`);
}

/** The content encodings that the client accepts. */
export function acceptedEncodings(request: FastifyRequest): Set<string> {
  const given = request.headers["accept-encoding"] ?? "";
  const accepted = new Set<string>();
  for (const part of given.split(",")) {
    const [name = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    if (!parameters.some(isZeroWeight)) accepted.add(name);
  }
  return accepted;
}

/** A weight of zero means not acceptable. */
function isZeroWeight(parameter: string): boolean {
  const [name, weight] = parameter.split("=");
  return name === "q" && Number(weight) === 0;
}
