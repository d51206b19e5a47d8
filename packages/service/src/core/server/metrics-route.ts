import fastifyPlugin from "fastify-plugin";
import type { Metrics } from "../telemetry/metrics.js";
import { isSecure } from "./https-only.js";
import { refuseForeignName } from "./own-names.js";

/**
 * For whoever reaches the plain port directly. What a proxy passes on came from outside: over TLS it says so by the
 * protocol, and over plain HTTP by the address that every proxy adds.
 */
export const metricsRoute = fastifyPlugin<{ metrics: Metrics }>(async (app, { metrics }) => {
  app.get(
    "/metrics",
    { config: { access: "public", quiet: true, answersWhileClosing: true }, schema: { hide: true } },
    async (request, reply) => {
      const isPassedOn = request.headers["x-forwarded-for"] !== undefined;
      if (isSecure(request) || isPassedOn) return reply.callNotFound();
      refuseForeignName(request);
      return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
    },
  );
});
