import client from "@platformatic/prom-client";
import type { FastifyInstance } from "fastify";

/** How many requests there were, how they ended and how long they took. */
export function observeRequests(registry: client.Registry, app: FastifyInstance): void {
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
  app.addHook("onResponse", (request, reply, done) => {
    const operation = request.routeOptions.config.operation ?? "other";
    requests.observe({ operation, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    if (request.refusal === "rateLimited") limited.inc({ operation });
    done();
  });
}
