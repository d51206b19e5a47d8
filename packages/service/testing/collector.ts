import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A span as the collector got it. */
export interface ReceivedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  startTimeUnixNano: bigint;
  endTimeUnixNano: bigint;
  attributes: Record<string, unknown>;
  status: { code?: number };
}

export interface Collector {
  url: string;
  readonly bodies: string[];
  readonly headers: IncomingHttpHeaders[];
  spans(): ReceivedSpan[];
  resource(): Record<string, unknown>;
}

/** An OTLP receiver on this machine, which answers as it is told; the default takes everything. */
export async function startCollector(
  answer: (response: ServerResponse) => void = (response) => void response.writeHead(200).end("{}"),
): Promise<Collector> {
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.once("end", () => {
      bodies.push(body);
      headers.push(request.headers);
      answer(response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const resources = () => bodies.flatMap((body) => JSON.parse(body).resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    bodies,
    headers,
    spans: () =>
      resources()
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({
          ...span,
          startTimeUnixNano: BigInt(span.startTimeUnixNano),
          endTimeUnixNano: BigInt(span.endTimeUnixNano),
          attributes: decode(span.attributes),
        })),
    resource: () => decode(resources()[0].resource.attributes),
  };
}

function decode(attributes: { key: string; value: Record<string, unknown> }[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value["intValue"] === undefined ? Object.values(value)[0] : Number(value["intValue"]),
    ]),
  );
}

/** The spans as an outline, each below its parent and in the order of their beginning; `of` is the first line. */
export function outline(spans: readonly ReceivedSpan[], of: ReceivedSpan, depth = 0): string[] {
  const below = spans
    .filter(({ parentSpanId }) => parentSpanId === of.spanId)
    .toSorted((one, other) => Number(one.startTimeUnixNano - other.startTimeUnixNano));
  return [`${"  ".repeat(depth)}${of.name}`, ...below.flatMap((span) => outline(spans, span, depth + 1))];
}
