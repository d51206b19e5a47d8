import { monitorEventLoopDelay } from "node:perf_hooks";
import client from "@platformatic/prom-client";
import type { FastifyInstance } from "fastify";
import { packageVersion } from "../../version.js";

/** What is running, and how it fares. */
export function processMetrics(registry: client.Registry, app: FastifyInstance): void {
  client.collectDefaultMetrics({ register: registry });
  new client.Gauge({
    name: "gatehouse_build_info",
    help: "Always 1; its labels say what runs",
    labelNames: ["version", "node"],
    registers: [registry],
  }).set({ version: packageVersion(), node: process.versions.node }, 1);

  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  app.addHook("onClose", async () => delay.disable());
  new client.Gauge({
    name: "gatehouse_event_loop_delay_max_seconds",
    help: "Longest delay of the event loop since the last scrape",
    registers: [registry],
    collect() {
      this.set(delay.max / 1e9);
      delay.reset();
    },
  });
}
