import { gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { acceptedEncodings } from "./accepted-encodings.js";
import { addVary } from "./vary.js";

/** What fits into a few packets gets there no sooner. */
const smallestBytes = 4_096;
/** JSON shrinks to about a tenth at once; more effort costs several times as much for little. */
const compression = { level: 1 };

/** Lists and results that are large go out compressed to who can read that. What is sent in pieces is left alone. */
export const compressedAnswers = fastifyPlugin(async (app: FastifyInstance) => {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (typeof payload !== "string" || payload.length < smallestBytes) return done(null, payload);
    addVary(reply, "Accept-Encoding");
    if (!acceptedEncodings(request).has("gzip")) return done(null, payload);
    gzip(payload, compression, (error, compressed) => {
      if (error) return done(error);
      void reply.headers({ "content-encoding": "gzip", "content-length": compressed.length });
      done(null, compressed);
    });
  });
});
