import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import type { Database } from "../database/pool.js";
import { schemaRefusal, schemaState } from "../database/schema/schema-state.js";
import type { Metrics } from "../telemetry/metrics.js";
import { isSecure, refuseUnknownHost } from "./https-only.js";

declare module "fastify" {
  interface FastifyInstance {
    /** Why the service is not ready, apart from the database: it starts up or drains. */
    readiness: { obstacle: string | undefined };
  }
}

export const shuttingDown = "shutting down";
const freshMs = 1_000;

interface HealthOptions {
  database: Database;
  /** Failed attempts in a row to restart the embedded database. */
  failedDatabaseRestarts: () => number;
}

const route = {
  config: { access: "public", quiet: true, answersWhileClosing: true },
  schema: { hide: true },
} as const;

/** /livez: the process answers. /readyz: it can do its work; 503 as soon as it begins to shut down. */
export const health = fastifyPlugin<HealthOptions>(async (app: FastifyInstance, options) => {
  app.decorate("readiness", { obstacle: undefined });
  app.get("/livez", route, async () => ({ status: "ok" }));
  app.get("/readyz", route, async (request, reply) => {
    const trouble = ownTrouble() ?? (await databaseTrouble());
    if (!trouble) return { status: "ready" };
    request.log.warn({ reason: trouble }, "readiness check failed");
    return reply.code(503).header("retry-after", "5").send({ status: "not ready", reason: trouble });
  });

  /** Trouble that the process knows of without asking the database. */
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

/** Anyone may ask, so concurrent callers share one question, and its answer is cached for a second. */
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

/** /metrics: only for direct requests to the plain port. A proxy gives itself away by TLS or by a header. */
export const metricsRoute = fastifyPlugin<{ metrics: Metrics }>(async (app, { metrics }) => {
  app.get("/metrics", route, async (request, reply) => {
    const isProxied = Object.keys(request.headers).some((name) => name.startsWith("x-forwarded-"));
    if (isSecure(request) || isProxied) return reply.callNotFound();
    refuseUnknownHost(request);
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
});
