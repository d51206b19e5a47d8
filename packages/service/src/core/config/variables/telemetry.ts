/** How the log looks, and where traces go: by the variables that OpenTelemetry has given the same meaning everywhere. */

export type LogFormat = "json" | "pretty";

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type SamplerName = (typeof samplers)[number];

export interface TelemetrySettings {
  /** Undefined: pretty at a terminal, otherwise json. */
  logFormat: LogFormat | undefined;
  /** Undefined, and the next one too: no traces. */
  otlpEndpoint: string | undefined;
  otlpTracesEndpoint: string | undefined;
  otlpProtocol: "http/json";
  otlpHeaders: Record<string, string>;
  otlpTimeoutMs: number;
  telemetryDisabled: boolean;
  serviceName: string | undefined;
  resourceAttributes: Record<string, string>;
  tracesSampler: SamplerName;
  tracesSamplerRatio: number;
}

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

export const telemetryVariables = {
  logFormat: {
    name: "LOG_FORMAT",
    read: readLogFormat,
    whenUnset: undefined,
    shownDefault: "pretty at a terminal, otherwise json",
    description:
      'json: stdout is JSON lines and nothing else; where everything is, and what is shown only once, is in the line "ready". pretty: readable lines.',
  },
  otlpEndpoint: {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    read: readCollector,
    whenUnset: undefined,
    shownDefault: "no traces",
    description:
      "An OpenTelemetry collector, such as http://collector:4318; traces go to /v1/traces below it.",
  },
  otlpTracesEndpoint: {
    name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    read: readCollector,
    whenUnset: undefined,
    shownDefault: "below OTEL_EXPORTER_OTLP_ENDPOINT",
    description: "The full address for traces, if it is another one.",
  },
  otlpProtocol: {
    name: "OTEL_EXPORTER_OTLP_PROTOCOL",
    read: readProtocol,
    whenUnset: "http/json" as const,
    shownDefault: "http/json",
    description: "http/json is the one that is spoken.",
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
    description: "How many milliseconds the collector may take for an answer. Nothing waits for it.",
  },
  telemetryDisabled: {
    name: "OTEL_SDK_DISABLED",
    read: readBoolean,
    whenUnset: false,
    shownDefault: "false",
    description: "true: no traces, whatever else is set.",
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
      "What else traces say of this instance, as deployment.environment.name=production,key=value.",
  },
  tracesSampler: {
    name: "OTEL_TRACES_SAMPLER",
    read: readSampler,
    whenUnset: "parentbased_always_on" as const,
    shownDefault: "parentbased_always_on",
    description: `Which requests are traced: ${samplers.join(", ")}. The parentbased ones follow the caller's traceparent, if there is one.`,
  },
  tracesSamplerRatio: {
    name: "OTEL_TRACES_SAMPLER_ARG",
    read: (text: string) => readNumber(text, 0, 1),
    whenUnset: 1,
    shownDefault: "1",
    description: "The part of the requests that the traceidratio samplers take, from 0 to 1.",
  },
};

const { otlpEndpoint, otlpTracesEndpoint } = telemetryVariables;

/** Clusters give these variables to every pod, with values for programs that speak other dialects of OpenTelemetry. */
export function isOnlyForTraces(name: string): boolean {
  return name.startsWith("OTEL_");
}

/** Whether somebody wants traces: an address is given, readable or not, and they are not switched off. */
export function sendsTraces(
  given: ReadonlyMap<string, string>,
  { telemetryDisabled }: Pick<TelemetrySettings, "telemetryDisabled">,
): boolean {
  return !telemetryDisabled && (given.has(otlpEndpoint.name) || given.has(otlpTracesEndpoint.name));
}

/** The format that is asked for, while it is not known yet whether the rest can be read. */
export function givenLogFormat(environment: NodeJS.ProcessEnv): LogFormat | undefined {
  const format = environment["LOG_FORMAT"];
  return format === "json" || format === "pretty" ? format : undefined;
}

function readLogFormat(text: string): LogFormat {
  if (text === "json" || text === "pretty") return text;
  throw new Error(`must be json or pretty, not "${text}"`);
}

function readCollector(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol))
    throw new Error("must be an http(s) address, such as http://collector:4318");
  if (url.username !== "" || url.password !== "")
    throw new Error("must not hold a user or password; OTEL_EXPORTER_OTLP_HEADERS takes them");
  return text;
}

function readProtocol(text: string): "http/json" {
  if (text === "http/json") return text;
  throw new Error(
    `must be http/json, not "${text}"; collectors take it where they take http/protobuf, usually on port 4318`,
  );
}

/** Never repeats a value, which may be secret. */
function readPairs(text: string, nameShape: RegExp, valueShape: RegExp): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const entry of text.split(",")) {
    if (entry.trim() === "") continue;
    const middle = entry.indexOf("=");
    const name = entry.slice(0, Math.max(0, middle)).trim();
    if (!nameShape.test(name)) throw new Error("must look like name=value,name=value");
    const value = decodeValue(name, entry.slice(middle + 1).trim());
    if (!valueShape.test(value)) throw new Error(`has a value for ${name} that cannot be sent`);
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
