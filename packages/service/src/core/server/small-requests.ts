import fastifyPlugin from "fastify-plugin";
import { smallBodyBytes } from "./receive.js";

/** Reports each request whose body is small, or of unknown length. */
export const smallRequests = fastifyPlugin<{ onSmallRequest: () => void }>(
  async (app, { onSmallRequest }) => {
    app.addHook("onRequest", (request, _reply, done) => {
      const isLarge = Number(request.headers["content-length"]) > smallBodyBytes;
      if (!isLarge) onSmallRequest();
      done();
    });
  },
);
