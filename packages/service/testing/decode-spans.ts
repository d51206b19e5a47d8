/** A span in OTLP's protobuf encoding (opentelemetry-proto, ExportTraceServiceRequest). */
export interface ReceivedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  traceState: string | undefined;
  startTimeUnixNano: bigint;
  endTimeUnixNano: bigint;
  attributes: Record<string, unknown>;
  /** 2: it failed. */
  status: number;
}

export interface ReceivedRequest {
  resource: Record<string, unknown>;
  spans: ReceivedSpan[];
}

export function decodeRequest(body: Buffer): ReceivedRequest {
  const resourceSpans = messages(read(body), 1);
  return {
    resource: attributes(resourceSpans.flatMap((each) => messages(each, 1))[0], 1),
    spans: resourceSpans
      .flatMap((each) => messages(each, 2))
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map(decodeSpan),
  };
}

function decodeSpan(span: Fields): ReceivedSpan {
  const [status] = messages(span, 15);
  return {
    traceId: bytes(span, 1)?.toString("hex") ?? "",
    spanId: bytes(span, 2)?.toString("hex") ?? "",
    traceState: bytes(span, 3)?.toString(),
    parentSpanId: bytes(span, 4)?.toString("hex"),
    name: bytes(span, 5)?.toString() ?? "",
    kind: Number(value(span, 6)),
    startTimeUnixNano: bytes(span, 7)?.readBigUInt64LE() ?? 0n,
    endTimeUnixNano: bytes(span, 8)?.readBigUInt64LE() ?? 0n,
    attributes: attributes(span, 9),
    status: status ? Number(value(status, 3) ?? 0n) : 0,
  };
}

function attributes(message: Fields | undefined, number: number): Record<string, unknown> {
  const pairs = message ? messages(message, number) : [];
  return Object.fromEntries(
    pairs.map((pair) => [bytes(pair, 1)?.toString(), decodeValue(messages(pair, 2)[0] ?? new Map())]),
  );
}

function decodeValue(any: Fields): unknown {
  if (any.has(1)) return bytes(any, 1)?.toString();
  if (any.has(2)) return value(any, 2) === 1n;
  if (any.has(3)) return Number(value(any, 3));
  return bytes(any, 4)?.readDoubleLE();
}

/** Fields by number: variable-length integers as bigint, all others as bytes. */
type Fields = Map<number, (bigint | Buffer)[]>;

function value(message: Fields, number: number): bigint | undefined {
  return message.get(number)?.[0] as bigint | undefined;
}

function bytes(message: Fields, number: number): Buffer | undefined {
  return message.get(number)?.[0] as Buffer | undefined;
}

function messages(message: Fields, number: number): Fields[] {
  return (message.get(number) ?? []).map((field) => read(field as Buffer));
}

function read(buffer: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const integer = (): bigint => {
    let result = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = buffer.readUInt8(at);
      at += 1;
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return result;
    }
  };
  const fixedLengths: Partial<Record<number, number>> = { 1: 8, 5: 4 };
  while (at < buffer.length) {
    const tag = Number(integer());
    const wireType = tag & 7;
    let field: bigint | Buffer;
    if (wireType === 0) field = integer();
    else {
      const length = fixedLengths[wireType] ?? Number(integer());
      field = buffer.subarray(at, at + length);
      at += length;
    }
    const number = tag >> 3;
    fields.set(number, [...(fields.get(number) ?? []), field]);
  }
  return fields;
}
