import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { RequestRefused } from "../refusals/request-refused.js";

/**
 * What happens between the order to shut down and the end: requests in flight are answered, new ones on connections
 * that are still open are refused, and every answer tells its client not to use the connection again. Health and
 * metrics go on, so that a balancer and a person can see what is happening. An instance that is not ready, as before a
 * shutdown while balancers learn of it, answers everything, and its connections are not kept either: a balancer that
 * held on to one would send a request on it just when it is closed.
 */
export const closing = fastifyPlugin(async (app: FastifyInstance) => {
  let isClosing = false;
  app.decorate("isClosing", () => isClosing);
  app.addHook("preClose", async () => {
    isClosing = true;
  });
  app.addHook("onRequest", (request, _reply, done) => {
    const isRefused = isClosing && !request.routeOptions.config.answersWhileClosing;
    done(isRefused ? new RequestRefused("shuttingDown") : undefined);
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (isClosing || app.readiness.obstacle !== undefined) void reply.header("connection", "close");
    done();
  });
});

declare module "fastify" {
  interface FastifyInstance {
    isClosing(): boolean;
  }
  interface FastifyContextConfig {
    answersWhileClosing?: boolean;
  }
}
