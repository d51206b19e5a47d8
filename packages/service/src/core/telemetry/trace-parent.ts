/** Where a caller's trace stands, from its `traceparent` header (W3C Trace Context). */
export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Later versions may only add to the end of what version 00 has, behind another hyphen. */
const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]*)?$/;
const maxLength = 512;
const noTraceId = "0".repeat(32);
const noSpanId = "0".repeat(16);
const sampledFlag = 1;

/** Undefined if there is none or it is malformed: then the request begins a trace of its own. */
export function readTraceParent(header: string | string[] | undefined): TraceParent | undefined {
  if (typeof header !== "string" || header.length > maxLength) return undefined;
  const [, version, traceId, spanId, flags, rest] = shape.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (traceId === noTraceId || spanId === noSpanId) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) !== 0 };
}
