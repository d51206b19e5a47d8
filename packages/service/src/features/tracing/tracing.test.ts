import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { pino } from "pino";
import { expect, test } from "vitest";
import { outline, startCollector, type Collector } from "../../../testing/collector.js";
import type { ReceivedSpan } from "../../../testing/decode-spans.js";
import { openPatientDatabase, sendTo, useApp, type Answer } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";
import { buildApp } from "../../app.js";
import { logSerializers } from "../../core/logger.js";
import { createTraces } from "./sdk.js";
import type { TraceSettings } from "./environment.js";

const gatehouse = useApp();
type Send = (request: Parameters<typeof sendTo>[1]) => Promise<Answer>;

interface Traced {
  logged: Record<string, unknown>[];
  spans: ReceivedSpan[];
}

/** A second instance on the same database, which traces what `work` sends and then delivers the spans. */
async function traced(
  collector: Pick<Collector, "url" | "spans">,
  work: (send: Send) => Promise<unknown>,
  overrides: Partial<TraceSettings> & { workConnections?: number; flushMs?: number } = {},
): Promise<Traced> {
  const { workConnections = 4, flushMs = 10_000, ...more } = overrides;
  const logged: Record<string, unknown>[] = [];
  const logger = pino(
    { level: "debug", serializers: logSerializers },
    { write: (line: string) => void logged.push(JSON.parse(line)) },
  );
  const settings = { ...gatehouse.config, url: collector.url, ...more };
  const traces = createTraces(settings, { version: "1.2.3", flushMs, log: logger });
  const { connectionString, config } = gatehouse;
  const database = openPatientDatabase({
    connectionString,
    workConnections,
    observe: traces.observeStatements,
  });
  const app = await buildApp({ config, database, logger, traces, maxEventLoopDelayMs: 0 });
  await work((request) => sendTo(app, request));
  await app.close();
  await traces.close();
  await database.close();
  return { logged, spans: collector.spans() };
}

/** The numeric value in OTLP. */
const internalKind = 1;
const parent = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const tracestate = "vendor=opaque,other=1";
const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;

function transactions(apiKey: string, records: unknown[], headers: Record<string, string> = {}) {
  return {
    method: "POST" as const,
    url: "/integrations/transactions",
    key: apiKey,
    headers: { "content-type": "application/json", ...headers },
    payload: JSON.stringify({ transactions: records, metadata: { secretOfPartner: "do not tell" } }),
  };
}

function only(spans: ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.filter((span) => span.name === name);
  expect(found, name).toHaveLength(1);
  return found[0] as ReceivedSpan;
}

test("the trace of an import nests the gate, every step and every statement correctly", async () => {
  const collector = await startCollector();
  const { apiKey, transaction, organizationId } = await importer(gatehouse);
  const records = [
    transaction("T-1", {
      vehicle: { licensePlate: "SECRET 1" },
      account: { tpReferenceId: "A-1", name: "Roe" },
    }),
    transaction("T-2", { contact: { email: "jane.roe@example.com", phone: "+12125550100" } }),
    transaction("T-3", { type: 77 }),
  ];
  let answer: Answer | undefined;
  const { spans } = await traced(collector, async (send) => {
    answer = await send(transactions(apiKey, records));
  });
  expect(answer?.json).toMatchObject({ successCount: 2 });

  const request = only(spans, "importTransactions");
  const told = outline(spans, request);
  expect(told).toHaveLength(spans.length);
  expect(told.join("\n")).toMatchInlineSnapshot(`
    "importTransactions
      gate
        admit-by-key
      import
        read envelope
        recognize
          find-transactions-provided
        read
        store
          look up
            begin
            set
            set
            lock-organization
            confirm-key
            find-transactions
            find-related
          judge
          encode
          compare
          write
            copy accounts
            copy contacts
            copy vehicles
            copy transactions
            copy import_exceptions
            copy import_sent_values
          create-time-zone-counts
          add-time-zone-counts
          open-local-days
          note-changed-days
          write-run
          commit"
  `);
  expect(request).toMatchObject({
    kind: 2,
    attributes: {
      "http.request.method": "POST",
      "http.route": "/integrations/transactions",
      "http.response.status_code": 200,
      "gatehouse.organization.uuid": organizationId,
      "gatehouse.run.uuid": answer?.json.referenceUuid,
      "gatehouse.request.id": answer?.headers["x-request-id"],
    },
    status: 0,
  });
  expect(only(spans, "import").attributes).toMatchObject({
    "gatehouse.resource": "transactions",
    "gatehouse.records": 3,
    "gatehouse.validate_only": false,
  });
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  for (const span of spans) {
    expect(span.endTimeUnixNano, span.name).toBeGreaterThanOrEqual(span.startTimeUnixNano);
    expect(span.startTimeUnixNano, span.name).toBeGreaterThanOrEqual(request.startTimeUnixNano);
  }
  expect(collector.resource()).toMatchObject({ "service.name": "gatehouse", "service.version": "1.2.3" });
});

test("the guide names exactly the spans that are recorded", async () => {
  const guide = await readFile(new URL("../../../../../docs/how-to/monitor.md", import.meta.url), "utf8");
  const [, table = ""] = /\n\| Span \|.*\n((?:\|.*\n)+)/.exec(guide) ?? [];
  const documented = [...table.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  const collector = await startCollector();
  const { apiKey, transaction } = await importer(gatehouse);
  const { spans } = await traced(collector, async (send) => {
    const account = { tpReferenceId: "A-1", name: "Roe" };
    await send(transactions(apiKey, [transaction("T-1", { account }), transaction("T-2")]));
    await send({
      method: "POST",
      url: "/lead/submit",
      headers: { "content-type": "application/json" },
      payload: "{}",
    });
  });
  const recorded = spans.map(({ name }) => name);
  for (const name of documented) expect(recorded).toContain(name);
  // The guide documents requests and statements by example, and steps one by one.
  for (const { name, kind } of spans) if (kind === internalKind) expect(documented).toContain(name);
});

test("traces do not contain record values, keys, metadata or organization names", async () => {
  const collector = await startCollector();
  const { apiKey, transaction, locationUuid } = await importer(gatehouse);
  const person = { firstName: "Zebulon", email: "zebulon@example.com", phone: "+12125550177" };
  await traced(collector, async (send) => {
    const records = [transaction("T-PRIVATE", { contact: person, vehicle: { licensePlate: "PLATE 9" } })];
    await send(transactions(apiKey, records));
    await send(transactions(apiKey, records));
    await send(transactions("ghk_not-a-key-at-all", records));
    await send({ method: "GET", url: "/integrations/imports?page=31337", key: apiKey });
  });
  const sent = collector.bodies.join("");
  expect(sent).toContain("listImports");
  for (const secret of [
    ...[
      "T-PRIVATE",
      "Zebulon",
      "zebulon@",
      "2125550177",
      "PLATE 9",
      "PLATE9",
      "do not tell",
      "secretOfPartner",
    ],
    ...[apiKey, apiKey.slice(4), "ghk_", "31337", locationUuid, "Test organization", "Main garage"],
  ])
    expect(sent, secret).not.toContain(secret);
});

test("the caller's trace and tracestate are continued, and the trace id is logged", async () => {
  const collector = await startCollector();
  const { apiKey, transaction } = await importer(gatehouse);
  const { spans, logged } = await traced(collector, (send) =>
    send(transactions(apiKey, [transaction("T-1")], { traceparent, tracestate })),
  );
  expect(only(spans, "importTransactions")).toMatchObject({
    traceId: parent.traceId,
    parentSpanId: parent.spanId,
  });
  expect(new Set(spans.map((span) => span.traceState))).toEqual(new Set([tracestate]));
  expect(logged).toContainEqual(
    expect.objectContaining({ msg: "request completed", traceId: parent.traceId }),
  );
});

test("the sampling decision of the caller is followed, unless the sampler is configured otherwise", async () => {
  const { apiKey } = await importer(gatehouse);
  const unsampled = { method: "GET" as const, url: "/integrations/locations", key: apiKey };
  const headers = { traceparent: `00-${parent.traceId}-${parent.spanId}-00` };
  const quiet = await startCollector();
  const { logged } = await traced(quiet, (send) => send({ ...unsampled, headers }));
  expect(quiet.bodies).toEqual([]);
  expect(logged).toContainEqual(
    expect.objectContaining({ msg: "request completed", traceId: parent.traceId }),
  );

  const asked = await startCollector();
  const { spans } = await traced(asked, (send) => send({ ...unsampled, headers }), {
    tracesSampler: "always_on",
  });
  expect(only(spans, "listLocations").traceId).toBe(parent.traceId);
});

test("a malformed traceparent header is ignored, and the request starts a new trace", async () => {
  const collector = await startCollector();
  const { apiKey } = await importer(gatehouse);
  const { spans, logged } = await traced(collector, (send) =>
    send({
      method: "GET",
      url: "/integrations/locations",
      key: apiKey,
      headers: { traceparent: "00-ABC-1-01" },
    }),
  );
  const request = only(spans, "listLocations");
  expect(request.parentSpanId).toBeUndefined();
  expect(request.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(logged).toContainEqual(
    expect.objectContaining({ msg: "request completed", traceId: request.traceId }),
  );
});

test("statements of concurrent requests stay in their own traces, even with fewer connections than requests", async () => {
  const collector = await startCollector();
  const importers = await Promise.all(Array.from({ length: 6 }, () => importer(gatehouse)));
  const { spans } = await traced(
    collector,
    (send) =>
      Promise.all(
        importers.flatMap(({ apiKey, transaction }) => [
          send(transactions(apiKey, [transaction("T-1"), transaction("T-2")])),
          send({ method: "GET", url: "/integrations/imports", key: apiKey }),
        ]),
      ),
    { workConnections: 2 },
  );
  const imports = spans.filter(({ name }) => name === "importTransactions");
  expect(imports).toHaveLength(6);
  const ofImport = imports.map((request) => outline(spans, request).filter((line) => !isOfGate(line)));
  for (const told of ofImport) expect(told).toEqual(ofImport[0]);
  const lists = spans.filter(({ name }) => name === "listImports");
  const ofList = lists.map((request) => outline(spans, request).filter((line) => !isOfGate(line)));
  expect(ofList).toHaveLength(6);
  for (const told of ofList) expect(told).toEqual(ofList[0]);
  // One statement admits concurrent requests and appears in the trace of the first of them.
  const gates = new Set(spans.filter(({ name }) => name === "gate").map(({ spanId }) => spanId));
  const admitting = spans.filter(({ name }) => name === "admit-by-key");
  expect(gates.size).toBe(12);
  expect(admitting.length).toBeGreaterThan(0);
  for (const { parentSpanId } of admitting) expect(gates).toContain(parentSpanId);
});

function isOfGate(line: string): boolean {
  return line.trim() === "admit-by-key";
}

test("a rejected request is named and is not a failure; probes have no trace", async () => {
  const collector = await startCollector();
  const { spans } = await traced(collector, async (send) => {
    await send({ method: "GET", url: "/integrations/locations" });
    await send({ method: "GET", url: "/livez" });
    await send({ method: "GET", url: "/readyz" });
  });
  expect(outline(spans, only(spans, "listLocations"))).toEqual(["listLocations", "  gate"]);
  expect(spans).toHaveLength(2);
  expect(only(spans, "gate")).toMatchObject({
    status: 0,
    attributes: { "gatehouse.refusal": "keyMissing" },
  });
  expect(only(spans, "listLocations")).toMatchObject({
    status: 0,
    attributes: { "http.response.status_code": 401, "gatehouse.refusal": "keyMissing" },
  });
});

test("a statement that the database rejects fails with its code but without its message", async () => {
  const collector = await startCollector();
  const { apiKey, transaction, organizationId } = await importer(gatehouse);
  await gatehouse.database.work.query(
    "alter table transactions add constraint no_marker check (transaction_id <> 'MARKER')",
  );
  try {
    const { spans } = await traced(collector, (send) =>
      send(transactions(apiKey, [transaction("MARKER"), transaction("T-2")])),
    );
    const failed = spans.filter(({ status }) => status === 2);
    expect(failed[0]).toMatchObject({ name: "copy transactions", attributes: { "error.type": "23514" } });
    expect(spans.filter(({ name }) => name === "store")).toHaveLength(2);
    expect(collector.bodies.join("")).not.toContain("MARKER");
    expect(collector.bodies.join("")).toContain(organizationId);
  } finally {
    await gatehouse.database.work.query("alter table transactions drop constraint no_marker");
  }
});

test("the the headers for the collector are sent to it and appear nowhere else", async () => {
  const collector = await startCollector((response) => void response.writeHead(401).end());
  const { apiKey } = await importer(gatehouse);
  const { logged } = await traced(
    collector,
    (send) => send({ method: "GET", url: "/integrations/locations", key: apiKey }),
    { otlpHeaders: { authorization: "Bearer hidden" } },
  );
  expect(collector.headers).toMatchObject([
    { authorization: "Bearer hidden", "content-type": "application/x-protobuf" },
  ]);
  expect(logged).toContainEqual(
    expect.objectContaining({ reason: "the collector answered 401", collector: collector.url }),
  );
  expect(JSON.stringify(logged)).not.toContain("hidden");
});

/** An address where no server listens. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/v1/traces`;
}

test("a collector that is down or never answers does not change any answer, and the shutdown does not wait for it", async () => {
  const { apiKey, transaction } = await importer(gatehouse);
  const silent = await startCollector(() => undefined);
  for (const [position, url] of [await closedAddress(), silent.url].entries()) {
    let answer: Answer | undefined;
    const { logged } = await traced(
      { url, spans: () => [] },
      async (send) => {
        answer = await send(transactions(apiKey, [transaction(`T-${position}`)]));
      },
      { flushMs: 50 },
    );
    expect(answer?.json).toMatchObject({ successCount: 1 });
    expect(logged).toContainEqual(expect.objectContaining({ msg: "spans were not delivered" }));
  }
});
