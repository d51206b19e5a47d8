import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../core/config.js";
import type { Tracing } from "../../core/telemetry/tracer.js";

export type TraceSettings = Pick<
  Config,
  | "otlpHeaders"
  | "otlpTimeoutMs"
  | "resourceAttributes"
  | "serviceName"
  | "tracesSampler"
  | "tracesSamplerRatio"
> & { url: string };

/** The part of the whole shutdown that delivering the last spans may take, never longer than two seconds. */
const flushPart = 1 / 8;
const maxFlushMs = 2_000;

/** Undefined if no collector is configured. Only otherwise are OpenTelemetry and the code that uses it loaded. */
export async function openTraces(
  config: Config,
  version: string,
  log: FastifyBaseLogger,
): Promise<Tracing | undefined> {
  const url = tracesUrl(config);
  if (url === undefined) return undefined;
  const { createTraces } = await import("./sdk.js");
  const flushMs = Math.min(maxFlushMs, config.shutdownSeconds * 1_000 * flushPart);
  return createTraces({ ...config, url }, { version, flushMs, log });
}

/** Undefined: no traces are sent. */
export function tracesUrl(
  config: Pick<Config, "otlpEndpoint" | "otlpTracesEndpoint" | "telemetryDisabled">,
): string | undefined {
  const { otlpEndpoint, otlpTracesEndpoint, telemetryDisabled } = config;
  if (telemetryDisabled) return undefined;
  if (otlpTracesEndpoint !== undefined) return otlpTracesEndpoint;
  if (otlpEndpoint === undefined) return undefined;
  const url = new URL(otlpEndpoint);
  url.pathname += url.pathname.endsWith("/") ? "v1/traces" : "/v1/traces";
  return url.href;
}
