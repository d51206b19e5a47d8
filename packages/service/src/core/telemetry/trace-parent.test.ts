import { expect, test } from "vitest";
import { readTraceParent } from "./trace-parent.js";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

test("a traceparent names the trace, the span above and whether it is recorded", () => {
  expect(readTraceParent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, isSampled: true });
  expect(readTraceParent(`00-${traceId}-${spanId}-00`)).toEqual({ traceId, spanId, isSampled: false });
  // Flags that mean something else are none of ours.
  expect(readTraceParent(`00-${traceId}-${spanId}-02`)?.isSampled).toBe(false);
  expect(readTraceParent(`00-${traceId}-${spanId}-03`)?.isSampled).toBe(true);
});

test("of a later version what is known is read", () => {
  expect(readTraceParent(`cc-${traceId}-${spanId}-01`)?.traceId).toBe(traceId);
  expect(readTraceParent(`cc-${traceId}-${spanId}-01-what-the-future-holds`)?.traceId).toBe(traceId);
});

test.each([
  undefined,
  "",
  [`00-${traceId}-${spanId}-01`],
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${"0".repeat(32)}-${spanId}-01`,
  `00-${traceId}-${"0".repeat(16)}-01`,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `cc-${traceId}-${spanId}-01.more`,
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-1`,
  `00-${traceId.slice(1)}-${spanId}-01`,
  ` 00-${traceId}-${spanId}-01`,
  `cc-${traceId}-${spanId}-01-${"x".repeat(600)}`,
])("%s is ignored", (header) => {
  expect(readTraceParent(header)).toBeUndefined();
});
