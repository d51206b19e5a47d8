import { randomUUID } from "node:crypto";
import { diag, DiagLogLevel } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from "@opentelemetry/sdk-trace";
import type { FastifyBaseLogger } from "fastify";
import { Delivery } from "./delivery.js";
import { Recorder } from "./recorder.js";
import { recordRequests } from "./requests.js";
import { recordStatements } from "./statements.js";
import type { Tracing } from "../../core/telemetry/tracer.js";
import type { TraceSettings } from "./environment.js";

export interface TracesOptions {
  version: string;
  /** The timeout of the last delivery. */
  flushMs: number;
  log: FastifyBaseLogger;
}

/** Sets up the OpenTelemetry SDK. Only its diagnostics are registered globally. */
export function createTraces(settings: TraceSettings, { version, flushMs, log }: TracesOptions): Tracing {
  const { url, otlpHeaders: headers, otlpTimeoutMs: timeoutMs } = settings;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: timeoutMs });
  const delivery = new Delivery({ exporter, url, timeoutMs, log });
  logDiagnostics((reason) => delivery.reportTrouble(reason));
  const provider = new TracerProvider({
    resource: createResource(settings, version),
    sampler: createSampler(settings),
    spanProcessors: [delivery],
  });
  const recorder = new Recorder(provider.getTracer("gatehouse", version));
  return {
    tracer: recorder,
    observeRequests: (app) => recordRequests(app, recorder),
    observeStatements: (pool) => recordStatements(pool, recorder),
    close: () => delivery.close(flushMs),
  };
}

function createResource({ resourceAttributes, serviceName }: TraceSettings, version: string) {
  return defaultResource().merge(
    resourceFromAttributes({
      "service.name": "gatehouse",
      "service.version": version,
      "service.instance.id": randomUUID(),
      ...resourceAttributes,
      ...(serviceName === undefined ? {} : { "service.name": serviceName }),
    }),
  );
}

export function createSampler({
  tracesSampler: name,
  tracesSamplerRatio: ratio,
}: Pick<TraceSettings, "tracesSampler" | "tracesSamplerRatio">): Sampler {
  const root = rootSamplers[name.replace("parentbased_", "") as keyof typeof rootSamplers](ratio);
  return name.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

const rootSamplers = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio: number) => new TraceIdRatioBasedSampler(ratio),
};

/** Without this the SDK logs nothing, for example when a collector rejects single spans. */
function logDiagnostics(report: (reason: string) => void): void {
  const write = (...words: unknown[]): void =>
    report(words.filter((word) => typeof word === "string").join(" "));
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: write, warn: write, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
