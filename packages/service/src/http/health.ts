import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import type { Database } from "../database/pool.js";
import { schemaRefusal, schemaState } from "../database/schema/schema-state.js";

declare module "fastify" {
  interface FastifyInstance {
    /** What keeps the service from being ready, besides the database; set while it starts, and while it is drained. */
    readiness: { obstacle: string | undefined };
  }
}

export const shuttingDown = "shutting down";

/** /livez: the process answers. /readyz: it can do its work; 503 as soon as it begins to shut down. */
export const health = fastifyPlugin<{ database: Database }>(async (app: FastifyInstance, options) => {
  const route = {
    config: { access: "public", quiet: true, answersWhileClosing: true },
    schema: { hide: true },
  } as const;
  app.decorate("readiness", { obstacle: undefined });
  app.get("/livez", route, async () => ({ status: "ok" }));
  app.get("/readyz", route, async (request, reply) => {
    const trouble = await whatIsMissing();
    if (!trouble) return { status: "ready" };
    request.log.warn({ trouble }, "not ready");
    return reply.code(503).header("retry-after", "5").send({ status: "not ready", reason: trouble });
  });

  async function whatIsMissing(): Promise<string | undefined> {
    if (app.isClosing()) return shuttingDown;
    if (app.readiness.obstacle !== undefined) return app.readiness.obstacle;
    try {
      const state = await schemaState(options.database.gate);
      const refusal = schemaRefusal(state);
      return refusal === undefined || state.is === "closed" ? refusal : "the database is not migrated";
    } catch {
      return "the database cannot be reached";
    }
  }
});
