import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { decodeRequest, type ReceivedSpan } from "../packages/service/testing/decode-spans.js";
import { answerTo, begin } from "./requests.js";
import {
  leave,
  newPlaceWithDatabase,
  placeAt,
  startService,
  stop,
  type Place,
  type RunningService,
} from "./running-service.js";

let place: Place;
let key: string;
let locationUuid: string;
beforeAll(async () => {
  place = await newPlaceWithDatabase();
  const service = await startService(place);
  ({ key, locationUuid } = service.demo as { key: string; locationUuid: string });
  await stop(service);
});
afterAll(() => leave(place));

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A collector that stores what it receives, or one that accepts it and never answers. */
async function startCollector(
  answers: boolean,
): Promise<{ endpoint: string; spans: ReceivedSpan[]; asked: number }> {
  const collector = { endpoint: "", spans: [] as ReceivedSpan[], asked: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.once("end", () => {
      expect(request.url).toBe("/v1/traces");
      collector.asked += 1;
      collector.spans.push(...decodeRequest(Buffer.concat(chunks)).spans);
      if (answers) response.writeHead(200).end();
    });
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  collector.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return collector;
}

function batch(...references: string[]) {
  const transactions = references.map((transactionId) => ({
    transactionId,
    locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
  }));
  return { key, body: { transactions } };
}

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const tracestate = "vendor=opaque";
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

/** Runs a service from start to end, and lists the code files that it loaded, as reported by V8. */
async function watched(
  variables: Record<string, string>,
  work: (service: RunningService) => Promise<unknown>,
) {
  const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-loaded-"));
  try {
    const service = await startService(
      placeAt(place.dataDirectory, { ...variables, NODE_V8_COVERAGE: folder }),
    );
    await work(service);
    await stop(service);
    const files = await readdir(folder);
    const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")));
    const loaded = texts.flatMap((text) => JSON.parse(text).result.map(({ url }: { url: string }) => url));
    return { log: service.log(), loaded };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const ofTracing = (loaded: string[]): string[] =>
  loaded.filter((url) => /\/features\/tracing\/(?!feature|environment|tracing)/.test(url));
/** The metrics library depends on OpenTelemetry's API package, which does nothing without an SDK. */
const ofOpenTelemetry = (loaded: string[]): string[] =>
  loaded.filter((url) => url.includes("opentelemetry") && !url.includes("/@opentelemetry/api/"));

test("without a collector no tracing code is loaded, and the log contains the caller's trace id", async () => {
  const { log, loaded } = await watched({}, async (service) => {
    const traced = { ...batch("L-1"), headers: { traceparent } };
    expect((await service.send("/integrations/transactions", traced)).status).toBe(200);
    await service.send("/integrations/locations", { key, headers: { traceparent: "00-nonsense" } });
  });
  expect(loaded).toContainEqual(expect.stringMatching(/\/service\/dist\/core\/telemetry\/tracer\.js$/));
  expect(ofTracing(loaded)).toEqual([]);
  expect(ofOpenTelemetry(loaded)).toEqual([]);
  const [named, unnamed] = log.filter(({ msg }) => msg === "request completed");
  expect(named).toMatchObject({ operation: "importTransactions", traceId });
  expect(unnamed).toMatchObject({ operation: "listLocations" });
  expect(unnamed).not.toHaveProperty("traceId");
});

test("an import over HTTPS continues its caller's trace down to the statements, and the log contains the trace id", async () => {
  const { endpoint, spans } = await startCollector(true);
  const { log, loaded } = await watched({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, async (service) => {
    // In two parts: the end of a body is a separate event, and must keep the trace context.
    const text = JSON.stringify(batch("H-1", "H-2").body);
    const headers = {
      traceparent,
      tracestate,
      "content-type": "application/json",
      "content-length": text.length,
    };
    const sending = begin(`${service.apiAddress}/integrations/transactions`, {
      method: "POST",
      ca: service.ca,
      key,
      headers,
    });
    const answer = answerTo(sending);
    sending.write(text.slice(0, 10));
    await service.send("/livez");
    sending.end(text.slice(10));
    expect((await answer).json).toMatchObject({ successCount: 2 });
  });
  const ofTrace = spans.filter((span) => span.traceId === traceId);
  const parentOf = (name: string) => {
    const { parentSpanId } = ofTrace.find((span) => span.name === name) as ReceivedSpan;
    return ofTrace.find(({ spanId }) => spanId === parentSpanId)?.name ?? parentSpanId;
  };
  expect(parentOf("importTransactions")).toBe("00f067aa0ba902b7");
  expect(parentOf("gate")).toBe("importTransactions");
  expect(parentOf("import")).toBe("importTransactions");
  expect(parentOf("store")).toBe("import");
  expect(parentOf("write")).toBe("store");
  expect(parentOf("copy transactions")).toBe("write");
  expect(log).toContainEqual(
    expect.objectContaining({ operation: "importTransactions", traceId, msg: "request completed" }),
  );
  expect(ofTrace.map(({ traceState }) => traceState)).toEqual(ofTrace.map(() => tracestate));
  expect(ofTracing(loaded).length).toBeGreaterThan(0);
  expect(ofOpenTelemetry(loaded).length).toBeGreaterThan(0);
});

test("a collector that never answers delays no answer, and the service stops cleanly and on time", async () => {
  const collector = await startCollector(false);
  const traced = placeAt(place.dataDirectory, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    GATEHOUSE_SHUTDOWN_SECONDS: "8",
  });
  const service = await startService(traced);
  expect((await service.send("/integrations/transactions", batch("S-1"))).status).toBe(200);
  service.kill("SIGTERM");
  expect(await service.ended).toEqual({ exitCode: 0, signal: null });
  expect(collector.asked).toBe(1);
  expect(service.log()).toContainEqual(expect.objectContaining({ msg: "spans were not delivered" }));
});
