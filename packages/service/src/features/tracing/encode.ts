import type { Attributes } from "../../core/telemetry/tracer.js";
import type { RecordedSpan } from "./span.js";

/**
 * OTLP in its JSON form (opentelemetry-proto, ExportTraceServiceRequest): ids in hex, 64-bit numbers as text,
 * enumerations as numbers.
 */
export function encodeSpans(spans: readonly RecordedSpan[], resource: Attributes, version: string): string {
  const request = {
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(resource) },
        scopeSpans: [{ scope: { name: "gatehouse", version }, spans: spans.map(encodeSpan) }],
      },
    ],
  };
  return JSON.stringify(request);
}

/** Sampled; and that it is known whether the parent is in another process. */
const localFlags = 0x101;
const remoteFlags = 0x301;
const statusError = 2;

function encodeSpan(span: RecordedSpan): object {
  const { traceId, parentSpanId, hasRemoteParent, name, kind, clockOffsetMs } = span.start;
  return {
    traceId,
    spanId: span.spanId,
    parentSpanId,
    flags: hasRemoteParent ? remoteFlags : localFlags,
    name,
    kind,
    startTimeUnixNano: nanoseconds(clockOffsetMs + span.startedMs),
    endTimeUnixNano: nanoseconds(clockOffsetMs + (span.endedMs ?? span.startedMs)),
    attributes: encodeAttributes(span.attributes),
    status: span.hasFailed ? { code: statusError } : {},
  };
}

/** Beyond what a double holds exactly, so the digits are put together. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  const rest = Math.floor((ms - whole) * 1e6);
  return `${whole}${String(rest).padStart(6, "0")}`;
}

function encodeAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value) }],
  );
}

function encodeValue(value: string | number | boolean): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
