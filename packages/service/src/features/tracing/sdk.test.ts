import { expect, test } from "vitest";
import { createSampler } from "./sdk.js";

const parentBased = (root: string) =>
  `ParentBased{root=${root}, remoteParentSampled=AlwaysOnSampler, remoteParentNotSampled=AlwaysOffSampler, localParentSampled=AlwaysOnSampler, localParentNotSampled=AlwaysOffSampler}`;

test.each([
  ["always_on", "AlwaysOnSampler"],
  ["always_off", "AlwaysOffSampler"],
  ["traceidratio", "TraceIdRatioBased{0.25}"],
  ["parentbased_always_on", parentBased("AlwaysOnSampler")],
  ["parentbased_always_off", parentBased("AlwaysOffSampler")],
  ["parentbased_traceidratio", parentBased("TraceIdRatioBased{0.25}")],
] as const)("OTEL_TRACES_SAMPLER=%s means %s", (tracesSampler, sampler) => {
  expect(createSampler({ tracesSampler, tracesSamplerRatio: 0.25 }).toString()).toBe(sampler);
});
