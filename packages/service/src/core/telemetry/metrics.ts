import client from "@platformatic/prom-client";
import type { FastifyInstance } from "fastify";
import type { Database } from "../database/pool.js";
import { backupMetrics, type BackupMetricSource } from "../../features/backups/metrics.js";
import { certificateMetrics, type CertificateMetrics } from "./metrics/certificate.js";
import { databaseMetrics } from "./metrics/database.js";
import { importMetrics, type ImportMetrics } from "./metrics/imports.js";
import { processMetrics } from "./metrics/process.js";
import { receiptMetrics, type ReceiptMetrics } from "../../features/receipts/metrics.js";
import { observeRequests } from "./metrics/requests.js";

/** What Prometheus reads at /metrics. Labels are names of operations and outcomes: never an organization or a key. */
export interface Metrics extends ImportMetrics, ReceiptMetrics, CertificateMetrics {
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
  /** Undefined: none are made by themselves. */
  backups: (() => BackupMetricSource) | undefined;
}

export function createMetrics(app: FastifyInstance, options: MetricsOptions): Metrics {
  const registry = new client.Registry();
  processMetrics(registry, app);
  observeRequests(registry, app);
  databaseMetrics(registry, options.database, options.failedDatabaseRestarts);
  backupMetrics(registry, options.backups);
  const metrics = {
    registry,
    ...importMetrics(registry),
    ...receiptMetrics(registry),
    ...certificateMetrics(registry),
  };
  app.decorate("metrics", metrics);
  return metrics;
}
