import { expect, test } from "vitest";
import { callerTraceId } from "./request-log.js";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

test("the log contains the trace of a valid traceparent, also of later versions", () => {
  expect(callerTraceId(`00-${traceId}-${spanId}-01`)).toBe(traceId);
  expect(callerTraceId(`00-${traceId}-${spanId}-00`)).toBe(traceId);
  expect(callerTraceId(`cc-${traceId}-${spanId}-01`)).toBe(traceId);
  expect(callerTraceId(`cc-${traceId}-${spanId}-01-what-the-future-holds`)).toBe(traceId);
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
  expect(callerTraceId(header)).toBeUndefined();
});
