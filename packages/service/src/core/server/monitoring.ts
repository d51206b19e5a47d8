import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import type { Database } from "../database/pool.js";
import { schemaRefusal, schemaState } from "../database/schema/schema-state.js";
import type { Metrics } from "../telemetry/metrics.js";
import { isSecure, refuseUnknownHost } from "./https-only.js";

declare module "fastify" {
  interface FastifyInstance {
    /** Why the service is not ready, apart from the database: it is starting or draining. */
    readiness: { obstacle: string | undefined };
  }
}

export const shuttingDown = "shutting down";
const freshMs = 1_000;

interface HealthOptions {
  database: Database;
  /** Consecutive failed attempts to restart the embedded database. */
  failedDatabaseRestarts: () => number;
}

const route = {
  config: { access: "public", quiet: true, answersWhileClosing: true },
  schema: { hide: true },
} as const;

/** /livez: the process answers. /readyz: the service can work; 503 as soon as the shutdown begins. */
export const health = fastifyPlugin<HealthOptions>(async (app: FastifyInstance, options) => {
  app.decorate("readiness", { obstacle: undefined });
  app.get("/livez", route, async () => ({ status: "ok" }));
  app.get("/readyz", route, async (request, reply) => {
    const trouble = ownTrouble() ?? (await databaseTrouble());
    if (!trouble) return { status: "ready" };
    request.log.warn({ reason: trouble }, "readiness check failed");
    return reply.code(503).header("retry-after", "5").send({ status: "not ready", reason: trouble });
  });

  /** Problems that are known without a query. */
  function ownTrouble(): string | undefined {
    return app.isClosing() ? shuttingDown : app.readiness.obstacle;
  }

  const databaseTrouble = shareAnswer(async () => {
    try {
      const state = await schemaState(options.database.gate);
      const refusal = schemaRefusal(state);
      return refusal === undefined || state.is === "closed" ? refusal : "the database is not migrated";
    } catch {
      const failures = options.failedDatabaseRestarts();
      if (failures === 0) return "the database cannot be reached";
      return `the embedded database does not start: ${failures} attempts have failed, and it is tried again`;
    }
  });
});

/** Anyone may request this, so concurrent requests share one query, and the result is cached for a second. */
function shareAnswer<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  let staleAtMs = Number.POSITIVE_INFINITY;
  return () => {
    if (asked && performance.now() < staleAtMs) return asked;
    staleAtMs = Number.POSITIVE_INFINITY;
    asked = ask().finally(() => (staleAtMs = performance.now() + freshMs));
    return asked;
  };
}

/** /metrics answers only direct requests to the plain port. TLS or a forwarding header reveals a proxy. */
export const metricsRoute = fastifyPlugin<{ metrics: Metrics }>(async (app, { metrics }) => {
  app.get("/metrics", route, async (request, reply) => {
    const isProxied = Object.keys(request.headers).some((name) => name.startsWith("x-forwarded-"));
    if (isSecure(request) || isProxied) return reply.callNotFound();
    refuseUnknownHost(request);
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
});
