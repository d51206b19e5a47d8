import { randomUUID } from "node:crypto";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type pg from "pg";
import type { Tracer } from "../../core/telemetry/tracer.js";
import type { TraceSettings } from "./trace-settings.js";
import { encodeSpans } from "./encode.js";
import { Exporter } from "./exporter.js";
import { Recorder } from "./recorder.js";
import { recordRequests } from "./requests.js";
import { createSampler } from "./sampler.js";
import { recordStatements } from "./statements.js";

/** Everything that tracing adds to a service. This module and those beside it are loaded only where traces are wanted. */
export interface Traces {
  tracer: Tracer;
  observeRequests(app: FastifyInstance): void;
  observeStatements(pool: pg.Pool): void;
  /** Delivers what is left, as far as the time allows. */
  close(): Promise<void>;
}

export interface TracesOptions {
  version: string;
  /** How long the last delivery may take. */
  flushMs: number;
  log: FastifyBaseLogger;
}

export function createTraces(settings: TraceSettings, { version, flushMs, log }: TracesOptions): Traces {
  const resource = {
    "service.name": "gatehouse",
    "service.version": version,
    "service.instance.id": randomUUID(),
    ...settings.resource,
  };
  const exporter = new Exporter({
    url: settings.url,
    headers: settings.headers,
    timeoutMs: settings.timeoutMs,
    encode: (spans) => encodeSpans(spans, resource, version),
    log,
  });
  const recorder = new Recorder(createSampler(settings.sampler, settings.ratio), (span) =>
    exporter.add(span),
  );
  return {
    tracer: recorder,
    observeRequests: (app) => recordRequests(app, recorder),
    observeStatements: (pool) => recordStatements(pool, recorder),
    close: () => exporter.close(flushMs),
  };
}
