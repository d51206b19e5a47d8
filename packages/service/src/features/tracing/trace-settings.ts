import type { SamplerName, TelemetrySettings } from "../../core/config/variables/telemetry.js";

/** What recording and sending need to know. */
export interface TraceSettings {
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
  resource: Record<string, string>;
  sampler: SamplerName;
  ratio: number;
}

/** Undefined: no traces are wanted. */
export function traceSettings(config: TelemetrySettings): TraceSettings | undefined {
  const url = config.otlpTracesEndpoint ?? belowEndpoint(config.otlpEndpoint);
  if (url === undefined || config.telemetryDisabled) return undefined;
  const { serviceName, resourceAttributes } = config;
  return {
    url,
    headers: config.otlpHeaders,
    timeoutMs: config.otlpTimeoutMs,
    resource: {
      ...resourceAttributes,
      ...(serviceName === undefined ? {} : { "service.name": serviceName }),
    },
    sampler: config.tracesSampler,
    ratio: config.tracesSamplerRatio,
  };
}

function belowEndpoint(endpoint: string | undefined): string | undefined {
  if (endpoint === undefined) return undefined;
  const url = new URL(endpoint);
  url.pathname += url.pathname.endsWith("/") ? "v1/traces" : "/v1/traces";
  return url.href;
}
