import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { RequestRefused } from "./errors.js";

/**
 * When the process falls behind, requests are refused at once instead of queueing until all of them fail. Probes,
 * metrics and static files still answer: a probe that failed because there is much to do would have the instance
 * killed in the middle of it.
 */
export const loadShedding = fastifyPlugin<{ maxEventLoopDelayMs: number }>(
  async (app: FastifyInstance, { maxEventLoopDelayMs }) => {
    await app.register(underPressure, {
      maxEventLoopDelay: maxEventLoopDelayMs,
      pressureHandler: async (request) => {
        if (!request.routeOptions.config.quiet) throw new RequestRefused("overloaded");
      },
    });
  },
);
