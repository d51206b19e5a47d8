import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../core/config.js";
import type { Feature } from "../../core/feature.js";
import type { Tracing } from "../../core/telemetry/tracer.js";
import { contradictions, tracingVariables, unusedBecause } from "./environment.js";

/** Traces of requests, imports and statements, sent to an OpenTelemetry collector. */
export const tracing: Feature = {
  name: "tracing",
  environment: { variables: tracingVariables, contradictions, unusedBecause },
  openTracing,
};

/** The part of the shutdown time for the last spans, at most two seconds. */
const flushPart = 1 / 8;
const maxFlushMs = 2_000;

/** Loads OpenTelemetry only if a collector is configured. */
async function openTracing(
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

/** Undefined if no traces are sent. */
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
