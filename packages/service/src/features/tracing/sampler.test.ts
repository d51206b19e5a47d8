import { describe, expect, test } from "vitest";
import { createSampler } from "./sampler.js";
import { newTraceId } from "./span.js";

const sampled = { traceId: newTraceId(), spanId: "b7ad6b7169203331", isSampled: true };
const unsampled = { ...sampled, isSampled: false };

describe("who decides", () => {
  test.each([
    ["always_on", true, true, true],
    ["always_off", false, false, false],
    ["parentbased_always_on", true, true, false],
    ["parentbased_always_off", false, true, false],
  ] as const)(
    "%s: without a caller %s, with one that records %s, with one that does not %s",
    (name, ...expected) => {
      const sampler = createSampler(name, 1);
      expect([undefined, sampled, unsampled].map((parent) => sampler(newTraceId(), parent))).toEqual(
        expected,
      );
    },
  );
});

test("a ratio takes its part, and always the same traces", () => {
  const quarter = createSampler("traceidratio", 0.25);
  const half = createSampler("parentbased_traceidratio", 0.5);
  // Evenly spread over what the digits that count can be.
  const ids = Array.from({ length: 64 }, (_, index) => {
    const digits = (index * 4).toString(16).padStart(2, "0") + "0".repeat(11);
    return digits.padStart(32, "a");
  });
  expect(ids.filter((id) => quarter(id, undefined))).toHaveLength(16);
  expect(ids.filter((id) => half(id, undefined))).toHaveLength(32);
  expect(ids.filter((id) => quarter(id, sampled))).toHaveLength(16);
  expect(ids.filter((id) => half(id, unsampled))).toHaveLength(0);
  expect(ids.filter((id) => createSampler("traceidratio", 0)(id, undefined))).toHaveLength(0);
  expect(ids.filter((id) => createSampler("traceidratio", 1)(id, undefined))).toHaveLength(64);
  expect(createSampler("traceidratio", 1)("f".repeat(32), undefined)).toBe(true);
});
