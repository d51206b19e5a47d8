import client from "@platformatic/prom-client";
import type { FastifyInstance } from "fastify";
import { type Database, poolNames } from "../database/pool.js";
import { X509Certificate } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { packageVersion } from "../version.js";

/** The metrics at /metrics. Labels are operations and outcomes, never an organization or a key. */
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

export interface ImportMetrics {
  recordOutcome(resource: string, outcome: string, count: number): void;
  /** An import was answered as failed, but its commit was sent and may have arrived. */
  recordUnknownCommit(): void;
  /** Unknown commits since the start of the process. */
  unknownCommits(): number;
  /** A failed import could not be recorded, so the history lacks it. */
  recordUnrecordedRun(): void;
  /** Reports how many slots are taken, and how many imports wait for one. */
  watchSlots(name: string, slots: Slots): void;
}

export interface Slots {
  readonly taken: number;
  readonly waiting: number;
}

export function importMetrics(registry: client.Registry): ImportMetrics {
  const records = new client.Counter({
    name: "gatehouse_records_total",
    help: "Imported records by resource and outcome",
    labelNames: ["resource", "outcome"],
    registers: [registry],
  });
  const unknownCommits = new client.Counter({
    name: "gatehouse_runs_unknown_end_total",
    help: "Imports reported as failed whose commit was sent and may have succeeded",
    registers: [registry],
  });
  let unknownCommitCount = 0;
  const watched = new Map<string, Slots>();
  new client.Gauge({
    name: "gatehouse_import_places",
    help: "Import slots by kind and state",
    labelNames: ["places", "state"],
    registers: [registry],
    collect() {
      for (const [places, { taken, waiting }] of watched) {
        this.set({ places, state: "taken" }, taken);
        this.set({ places, state: "waiting" }, waiting);
      }
    },
  });
  const unrecorded = new client.Counter({
    name: "gatehouse_failed_runs_not_recorded_total",
    help: "Imports that failed as a whole and could not be recorded in the database",
    registers: [registry],
  });
  return {
    watchSlots: (name, slots) => void watched.set(name, slots),
    recordOutcome: (resource, outcome, count) => {
      if (count > 0) records.inc({ resource, outcome }, count);
    },
    recordUnknownCommit: () => {
      unknownCommitCount += 1;
      unknownCommits.inc();
    },
    unknownCommits: () => unknownCommitCount,
    recordUnrecordedRun: () => unrecorded.inc(),
  };
}

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
    help: "Requests rejected by a rate limit",
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

/** `failedRestarts`: consecutive failed attempts to restart the embedded server. */
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
    help: "Consecutive failed attempts to restart the embedded database; 0 while it runs",
    registers: [registry],
    collect() {
      this.set(failedRestarts());
    },
  });
}

export interface CertificateMetrics {
  /** Called with the certificate for new connections (PEM, with its chain). */
  useCertificate(pem: string | Buffer): void;
  /** The expiry of the certificate. Undefined: there is none. */
  certificateExpiry(): Date | undefined;
}

/** Without a certificate, the metric is missing: 0 would look expired. */
export function certificateMetrics(registry: client.Registry): CertificateMetrics {
  let expiry: client.Gauge | undefined;
  let runsOutAt: Date | undefined;
  return {
    useCertificate(pem) {
      expiry ??= new client.Gauge({
        name: "gatehouse_certificate_expiry_timestamp_seconds",
        help: "Expiry of the certificate in use, as Unix time in seconds",
        registers: [registry],
      });
      runsOutAt = new Date(new X509Certificate(pem).validTo);
      expiry.set(runsOutAt.getTime() / 1_000);
    },
    certificateExpiry: () => runsOutAt,
  };
}

/** Release, Node version and event loop delay. */
export function processMetrics(registry: client.Registry, app: FastifyInstance): void {
  client.collectDefaultMetrics({ register: registry });
  new client.Gauge({
    name: "gatehouse_build_info",
    help: "Always 1; the labels identify the release",
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

export interface ProbeOptions {
  /** How long a result is cached. */
  freshMs?: number;
  /** The timeout for callers. A timeout counts as a failure. */
  patienceMs?: number;
}

/**
 * Checks whether something works without loading it: one check at a time, and none while a result is cached. A check
 * that does not answer is not repeated until it has ended, so a hung server costs one connection.
 */
export function createProbe(
  ask: () => Promise<unknown>,
  { freshMs = 1_000, patienceMs = 2_000 }: ProbeOptions = {},
): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  let last: { works: boolean; atMs: number } | undefined;

  function askOnce(): Promise<boolean> {
    asking ??= ask()
      .then(
        () => true,
        () => false,
      )
      .then((works) => {
        last = { works, atMs: performance.now() };
        asking = undefined;
        return works;
      });
    return asking;
  }

  return async () => {
    if (last && performance.now() - last.atMs < freshMs) return last.works;
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), patienceMs);
    });
    return Promise.race([askOnce(), silence]).finally(() => clearTimeout(timer));
  };
}
