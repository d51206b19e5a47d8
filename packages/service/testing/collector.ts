import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { decodeRequest, type ReceivedSpan } from "./decode-spans.js";

export interface Collector {
  url: string;
  readonly bodies: Buffer[];
  readonly headers: IncomingHttpHeaders[];
  spans(): ReceivedSpan[];
  resource(): Record<string, unknown>;
}

/** A local OTLP receiver with configurable answers. By default it accepts everything. */
export async function startCollector(
  answer: (response: ServerResponse) => void = (response) => void response.writeHead(200).end(),
): Promise<Collector> {
  const bodies: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.once("end", () => {
      bodies.push(Buffer.concat(chunks));
      headers.push(request.headers);
      answer(response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    bodies,
    headers,
    spans: () => bodies.flatMap((body) => decodeRequest(body).spans),
    resource: () => decodeRequest(bodies[0] as Buffer).resource,
  };
}

/** The spans as an outline, each below its parent and in order of start; `of` is the first line. */
export function outline(spans: readonly ReceivedSpan[], of: ReceivedSpan, depth = 0): string[] {
  const below = spans
    .filter(({ parentSpanId }) => parentSpanId === of.spanId)
    .toSorted((one, other) => Number(one.startTimeUnixNano - other.startTimeUnixNano));
  return [`${"  ".repeat(depth)}${of.name}`, ...below.flatMap((span) => outline(spans, span, depth + 1))];
}
