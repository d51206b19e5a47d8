import fastifyPlugin from "fastify-plugin";
import { noteSmallRequest } from "../scheduling/yield-budget.js";
import { smallBodyBytes } from "./receive.js";

/** Says of each request that brings little, or does not say how much, that it has come. */
export const smallRequests = fastifyPlugin(async (app) => {
  app.addHook("onRequest", (request, _reply, done) => {
    const isLarge = Number(request.headers["content-length"]) > smallBodyBytes;
    if (!isLarge) noteSmallRequest();
    done();
  });
});
