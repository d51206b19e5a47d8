import type { Feature } from "../../core/feature.js";
import { contradictions, tracingVariables, unusedBecause } from "./environment.js";

/** Traces of requests, imports and statements, sent to an OpenTelemetry collector. */
export const tracing: Feature = {
  name: "tracing",
  environment: { variables: tracingVariables, contradictions, unusedBecause },
  openTracing: async (...options) => (await import("./tracing.js")).openTraces(...options),
};
