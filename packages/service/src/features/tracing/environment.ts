import type { Settings } from "../../core/config/settings.js";
import type { GivenSettings } from "../../core/config/variables.js";

/** Tracing settings, from the standard variables of OpenTelemetry. */

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type SamplerName = (typeof samplers)[number];

declare module "../../core/config/settings.js" {
  interface Settings extends TracingSettings {}
}

interface TracingSettings {
  /** Undefined, like the next one, if no traces are sent. */
  otlpEndpoint: string | undefined;
  otlpTracesEndpoint: string | undefined;
  otlpProtocol: typeof protocol;
  otlpHeaders: Record<string, string>;
  otlpTimeoutMs: number;
  telemetryDisabled: boolean;
  serviceName: string | undefined;
  resourceAttributes: Record<string, string>;
  tracesSampler: SamplerName;
  tracesSamplerRatio: number;
}

export type TraceSettings = Pick<
  TracingSettings,
  | "otlpHeaders"
  | "otlpTimeoutMs"
  | "resourceAttributes"
  | "serviceName"
  | "tracesSampler"
  | "tracesSamplerRatio"
> & { url: string };

const protocol = "http/protobuf" as const;

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

export const tracingVariables = {
  otlpEndpoint: {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    read: readCollector,
    whenUnset: undefined,
    shownDefault: "no traces",
    description:
      "The address of an OpenTelemetry collector, such as http://collector:4318; traces are sent to /v1/traces below it.",
  },
  otlpTracesEndpoint: {
    name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    read: readCollector,
    whenUnset: undefined,
    shownDefault: "below OTEL_EXPORTER_OTLP_ENDPOINT",
    description: "The full address for traces, if it differs.",
  },
  otlpProtocol: {
    name: "OTEL_EXPORTER_OTLP_PROTOCOL",
    read: readProtocol,
    whenUnset: protocol,
    shownDefault: protocol,
    description: `Only ${protocol} is supported.`,
  },
  otlpHeaders: {
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    read: (text: string) => readPairs(text, headerName, headerValue),
    whenUnset: {},
    shownDefault: "none",
    description: "Headers for the collector, as name=value,name=value with percent-encoded values.",
    secret: true as const,
  },
  otlpTimeoutMs: {
    name: "OTEL_EXPORTER_OTLP_TIMEOUT",
    read: (text: string) => readNumber(text, 1, 60_000),
    whenUnset: 10_000,
    shownDefault: "10000",
    description:
      "The time limit of a delivery in milliseconds, including retries. Requests do not wait for it.",
  },
  telemetryDisabled: {
    name: "OTEL_SDK_DISABLED",
    read: readBoolean,
    whenUnset: false,
    shownDefault: "false",
    description: "true: traces are not sent, regardless of the other settings.",
  },
  serviceName: {
    name: "OTEL_SERVICE_NAME",
    read: (text: string) => text,
    whenUnset: undefined,
    shownDefault: "gatehouse",
    description: "The name of the service in traces.",
  },
  resourceAttributes: {
    name: "OTEL_RESOURCE_ATTRIBUTES",
    read: (text: string) => readPairs(text, /^[\w./-]+$/, /^/),
    whenUnset: {},
    shownDefault: "none",
    description:
      "Further attributes of this instance in traces, as deployment.environment.name=production,key=value.",
  },
  tracesSampler: {
    name: "OTEL_TRACES_SAMPLER",
    read: readSampler,
    whenUnset: "parentbased_always_on" as const,
    shownDefault: "parentbased_always_on",
    description: `Which requests are traced: ${samplers.join(", ")}. The parentbased samplers follow the caller's traceparent header, if it is present.`,
  },
  tracesSamplerRatio: {
    name: "OTEL_TRACES_SAMPLER_ARG",
    read: (text: string) => readNumber(text, 0, 1),
    whenUnset: 1,
    shownDefault: "1",
    description: "The share of requests that the traceidratio samplers trace, from 0 to 1.",
  },
};

const { otlpEndpoint, otlpTracesEndpoint } = tracingVariables;

/** Traces are enabled if an address is set, even an invalid one, and they are not switched off. */
function sendsTraces(given: ReadonlyMap<string, string>, { telemetryDisabled }: Settings): boolean {
  return !telemetryDisabled && (given.has(otlpEndpoint.name) || given.has(otlpTracesEndpoint.name));
}

/** Clusters set these variables in every pod, with values for programs that use other protocols of OpenTelemetry. */
export function unusedBecause(texts: ReadonlyMap<string, string>, settings: Settings): string | undefined {
  return sendsTraces(texts, settings) ? undefined : "no traces are sent";
}

/**
 * Other standard variables that would change which traces are sent, or how. Those for metrics and logs are
 * not read.
 */
const ofTraces =
  /^OTEL_(?:TRACES_|PROPAGATORS$|BSP_|SPAN_|ATTRIBUTE_|EVENT_|LINK_|EXPORTER_OTLP_(?!METRICS_|LOGS_|PROFILES_))/;
/** With these values they ask for the default behavior. Clusters set some of them in every pod. */
const supportedValues: Record<string, readonly string[]> = {
  OTEL_TRACES_EXPORTER: ["otlp"],
  OTEL_PROPAGATORS: ["tracecontext", "tracecontext,baggage", "baggage,tracecontext"],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: [protocol],
  OTEL_EXPORTER_OTLP_COMPRESSION: ["none"],
};

/** Lists the variables that ask for something unsupported. The values may be secret. */
export function contradictions({ texts, settings, environment }: GivenSettings): string[] {
  if (!sendsTraces(texts, settings)) return [];
  const known = new Set(Object.values(tracingVariables).flatMap(({ name }) => [name, `${name}_FILE`]));
  return Object.entries(environment)
    .filter(([name, text = ""]) => text.trim() !== "" && ofTraces.test(name) && !known.has(name))
    .filter(([name, text = ""]) => !supportedValues[name]?.includes(text))
    .map(([name]) => {
      const supported = supportedValues[name];
      return supported
        ? `${name} must be ${supported.join(" or ")}; other values are not supported`
        : `${name} is not supported. Unset it; the configuration reference lists the supported variables`;
    });
}

function readCollector(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol))
    throw new Error("must be an http(s) address, such as http://collector:4318");
  if (url.username !== "" || url.password !== "")
    throw new Error("must not contain a user or password; use OTEL_EXPORTER_OTLP_HEADERS instead");
  return text;
}

function readProtocol(text: string): typeof protocol {
  if (text === protocol) return text;
  throw new Error(`must be ${protocol}, not "${text}"; collectors usually accept it on port 4318`);
}

/** Errors never repeat a value, which may be secret. */
function readPairs(text: string, nameShape: RegExp, valueShape: RegExp): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const entry of text.split(",")) {
    if (entry.trim() === "") continue;
    const middle = entry.indexOf("=");
    const name = entry.slice(0, Math.max(0, middle)).trim();
    if (!nameShape.test(name)) throw new Error("must look like name=value,name=value");
    const value = decodeValue(name, entry.slice(middle + 1).trim());
    if (!valueShape.test(value)) throw new Error(`has a value for ${name} that cannot be sent in a header`);
    pairs[name] = value;
  }
  return pairs;
}

function decodeValue(name: string, encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new Error(`has a value for ${name} that is not percent-encoded`);
  }
}

function readNumber(text: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (!/^\d{0,9}(\.\d{1,9})?$/.test(text) || value < minimum || value > maximum)
    throw new Error(`must be a number from ${minimum} to ${maximum}, not "${text}"`);
  return value;
}

function readBoolean(text: string): boolean {
  if (/^true$/i.test(text)) return true;
  if (/^false$/i.test(text)) return false;
  throw new Error(`must be true or false, not "${text}"`);
}

function readSampler(text: string): SamplerName {
  const sampler = samplers.find((known) => known === text);
  if (!sampler) throw new Error(`must be one of ${samplers.join(", ")}, not "${text}"`);
  return sampler;
}
