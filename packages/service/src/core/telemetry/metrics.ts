import client from "@platformatic/prom-client";
import type { FastifyInstance } from "fastify";
import type { Database } from "../database/pool.js";
import { certificateMetrics, type CertificateMetrics } from "./metrics/certificate.js";
import { databaseMetrics } from "./metrics/database.js";
import { importMetrics, type ImportMetrics } from "./metrics/imports.js";
import { processMetrics } from "./metrics/process.js";
import { observeRequests } from "./metrics/requests.js";

/** What Prometheus reads at /metrics. Labels are names of operations and outcomes: never an organization or a key. */
export interface Metrics extends ImportMetrics, CertificateMetrics {
  registry: client.Registry;
}

declare module "fastify" {
  interface FastifyInstance {
    metrics: Metrics;
  }
}

export interface MetricsOptions {
  database: Database;
  failedDatabaseRestarts: () => number;
}

export function createMetrics(app: FastifyInstance, options: MetricsOptions): Metrics {
  const registry = new client.Registry();
  processMetrics(registry, app);
  observeRequests(registry, app);
  databaseMetrics(registry, options.database, options.failedDatabaseRestarts);
  const metrics = {
    registry,
    ...importMetrics(registry),
    ...certificateMetrics(registry),
  };
  app.decorate("metrics", metrics);
  return metrics;
}
