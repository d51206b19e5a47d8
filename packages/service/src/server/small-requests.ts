import fastifyPlugin from "fastify-plugin";
import { smallBodyBytes } from "./receive.js";

/** Tells of each request that brings little, or does not say how much. */
export const smallRequests = fastifyPlugin<{ onSmallRequest: () => void }>(
  async (app, { onSmallRequest }) => {
    app.addHook("onRequest", (request, _reply, done) => {
      const isLarge = Number(request.headers["content-length"]) > smallBodyBytes;
      if (!isLarge) onSmallRequest();
      done();
    });
  },
);
