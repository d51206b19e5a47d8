import { describe, expect, test } from "vitest";
import { readConfig } from "../../config.js";
import type { OperatorError } from "../../core/operator-error.js";
import { tracesUrl } from "./feature.js";
import { givenLogFormat } from "../../core/config/variables/log.js";

function problemOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
    return "";
  } catch (error) {
    return (error as OperatorError).problems.join("\n");
  }
}

function urlOf(environment: Record<string, string>) {
  return tracesUrl(readConfig(environment));
}

describe("trace settings", () => {
  test("no traces are sent without a collector, or if the SDK is disabled", () => {
    expect(urlOf({})).toBeUndefined();
    expect(urlOf({ OTEL_SERVICE_NAME: "gatehouse", OTEL_TRACES_SAMPLER: "always_on" })).toBeUndefined();
    expect(
      urlOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_SDK_DISABLED: "TRUE" }),
    ).toBeUndefined();
  });

  test.each([
    ["http://c:4318", "http://c:4318/v1/traces"],
    ["https://c/otlp/", "https://c/otlp/v1/traces"],
    ["https://c/otlp?tenant=a", "https://c/otlp/v1/traces?tenant=a"],
  ])("%s means %s", (endpoint, url) => {
    expect(urlOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toBe(url);
  });

  test("the address for traces is used as it is and takes precedence", () => {
    const both = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://a",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://b/x",
    };
    expect(urlOf(both)).toBe("http://b/x");
  });

  test("headers, names and attributes are parsed as OpenTelemetry defines", () => {
    expect(
      readConfig({
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://c",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20a=b, x-tenant = 7,",
        OTEL_EXPORTER_OTLP_TIMEOUT: "2500",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=other,deployment.environment.name=test%2C%20here",
        OTEL_SERVICE_NAME: "gate",
        OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
      }),
    ).toMatchObject({
      otlpHeaders: { authorization: "Bearer a=b", "x-tenant": "7" },
      otlpTimeoutMs: 2_500,
      serviceName: "gate",
      resourceAttributes: { "service.name": "other", "deployment.environment.name": "test, here" },
      tracesSampler: "parentbased_traceidratio",
      tracesSamplerRatio: 0.25,
    });
  });
});

test.each([
  ["LOG_FORMAT", "text", /json or pretty/],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", /http\(s\) address/],
  [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    `http://user:${"hidden"}@c`,
    /use OTEL_EXPORTER_OTLP_HEADERS instead/,
  ],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", /must be http\/protobuf/],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "http/json", /must be http\/protobuf/],
  ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "grpc", /must be http\/protobuf/],
  ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "authorization=hidden", /not supported/],
  ["OTEL_EXPORTER_OTLP_CERTIFICATE", "hidden.pem", /not supported/],
  ["OTEL_EXPORTER_OTLP_COMPRESSION", "gzip", /must be none/],
  ["OTEL_TRACES_EXPORTER", "zipkin", /must be otlp/],
  ["OTEL_PROPAGATORS", "b3", /must be tracecontext/],
  ["OTEL_BSP_MAX_QUEUE_SIZE", "1", /not supported/],
  ["OTEL_EXPORTER_OTLP_HEADERS", "hidden", /name=value/],
  ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=%zz hidden", /percent-encoded/],
  ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=hidden%0d%0ax", /cannot be sent/],
  ["OTEL_EXPORTER_OTLP_TIMEOUT", "ten", /from 1 to 60000/],
  ["OTEL_SDK_DISABLED", "yes", /true or false/],
  ["OTEL_TRACES_SAMPLER", "jaeger_remote", /must be one of always_on/],
  ["OTEL_TRACES_SAMPLER_ARG", "1.5", /from 0 to 1/],
])("%s=%s is rejected if traces are sent, and the error does not contain secrets", (name, text, problem) => {
  const found = problemOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", [name]: text });
  expect(found).toMatch(problem);
  expect(found).toContain(name);
  expect(found).not.toContain("hidden");
});

test("standard variables without an effect are accepted, and those for metrics and logs are ignored", () => {
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
    OTEL_TRACES_EXPORTER: "otlp",
    OTEL_PROPAGATORS: "tracecontext,baggage",
    OTEL_BSP_MAX_QUEUE_SIZE: "",
    OTEL_METRICS_EXPORTER: "prometheus",
    OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "grpc",
  };
  expect(readConfig(environment).warnings).toEqual([]);
  // Without a collector, the settings of other programs are not errors.
  expect(readConfig({ OTEL_PROPAGATORS: "b3" }).warnings).toEqual([]);
});

test("variables that a cluster sets in every pod only cause a warning if no traces are sent", () => {
  const given = { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_TRACES_SAMPLER: "jaeger_remote" };
  for (const switchedOff of [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4317", OTEL_SDK_DISABLED: "true" },
  ]) {
    const config = readConfig({ ...given, ...switchedOff });
    expect(tracesUrl(config)).toBeUndefined();
    expect(config.warnings).toEqual([
      expect.stringMatching(/^OTEL_EXPORTER_OTLP_PROTOCOL .*It is not used, because no traces are sent$/),
      expect.stringMatching(/^OTEL_TRACES_SAMPLER /),
    ]);
  }
  expect(problemOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector" })).toContain("http(s) address");
});

test("the log format is known even if the other settings are invalid", () => {
  expect(givenLogFormat({ LOG_FORMAT: "json", GATEHOUSE_HTTPS_PORT: "x" })).toBe("json");
  expect(givenLogFormat({ LOG_FORMAT: "text" })).toBeUndefined();
  expect(givenLogFormat({})).toBeUndefined();
});
