import { monitorEventLoopDelay } from "node:perf_hooks";
import client from "@platformatic/prom-client";
import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import type { Database } from "../database/pool.js";
import { isSecure } from "./https-only.js";

/** What Prometheus reads at /metrics. Labels are names of operations and outcomes: never an organization or a key. */
export interface Metrics {
  registry: client.Registry;
  recordOutcome(resource: string, outcome: string, count: number): void;
}

export function createMetrics(database: Database): Metrics & { observe(app: FastifyInstance): void } {
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });

  const requests = new client.Histogram({
    name: "gatehouse_request_duration_seconds",
    help: "Duration of requests by operation and status",
    labelNames: ["operation", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const limited = new client.Counter({
    name: "gatehouse_requests_limited_total",
    help: "Requests refused by a rate limit",
    labelNames: ["operation"],
    registers: [registry],
  });
  const records = new client.Counter({
    name: "gatehouse_records_total",
    help: "Imported records by resource and outcome",
    labelNames: ["resource", "outcome"],
    registers: [registry],
  });
  new client.Gauge({
    name: "gatehouse_database_connections",
    help: "Connections by pool and state",
    labelNames: ["pool", "state"],
    registers: [registry],
    collect() {
      for (const [name, pool] of [
        ["work", database.work],
        ["gate", database.gate],
      ] as const) {
        this.set({ pool: name, state: "open" }, pool.totalCount);
        this.set({ pool: name, state: "idle" }, pool.idleCount);
        this.set({ pool: name, state: "waiting" }, pool.waitingCount);
      }
    },
  });
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  new client.Gauge({
    name: "gatehouse_event_loop_delay_max_seconds",
    help: "Longest delay of the event loop since the last scrape",
    registers: [registry],
    collect() {
      this.set(delay.max / 1e9);
      delay.reset();
    },
  });

  return {
    registry,
    recordOutcome: (resource, outcome, count) => {
      if (count > 0) records.inc({ resource, outcome }, count);
    },
    observe(app) {
      app.addHook("onResponse", (request, reply, done) => {
        const operation = request.routeOptions.config.operation ?? "other";
        requests.observe({ operation, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
        if (request.refusal === "rateLimited") limited.inc({ operation });
        done();
      });
      app.addHook("onClose", async () => delay.disable());
    },
  };
}

export const metricsRoute = fastifyPlugin<{ metrics: Metrics }>(async (app, { metrics }) => {
  app.get(
    "/metrics",
    { config: { access: "public", quiet: true, answersWhileClosing: true }, schema: { hide: true } },
    async (request, reply) => {
      if (isSecure(request)) return reply.callNotFound();
      return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
    },
  );
});
