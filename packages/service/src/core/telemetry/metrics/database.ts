import client from "@platformatic/prom-client";
import { poolNames, type Database } from "../../database/pool.js";
import { createProbe } from "./probe.js";

/** `failedRestarts`: how many attempts in a row to bring the embedded server back have failed. */
export function databaseMetrics(
  registry: client.Registry,
  database: Database,
  failedRestarts: () => number,
): void {
  new client.Gauge({
    name: "gatehouse_database_connections",
    help: "Connections by pool and state",
    labelNames: ["pool", "state"],
    registers: [registry],
    collect() {
      for (const name of poolNames) {
        const pool = database[name];
        this.set({ pool: name, state: "open" }, pool.totalCount);
        this.set({ pool: name, state: "idle" }, pool.idleCount);
        this.set({ pool: name, state: "waiting" }, pool.waitingCount);
      }
    },
  });
  const answers = createProbe(() => database.gate.query("select 1"));
  new client.Gauge({
    name: "gatehouse_database_up",
    help: "Whether the database answered within the last seconds",
    registers: [registry],
    async collect() {
      this.set(Number(await answers()));
    },
  });
  new client.Gauge({
    name: "gatehouse_embedded_database_failed_restarts",
    help: "Attempts in a row to bring the embedded database back that failed; 0 while it runs",
    registers: [registry],
    collect() {
      this.set(failedRestarts());
    },
  });
}
