import type { ServerResponse } from "node:http";
import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { TracerProvider, type SpanExporter } from "@opentelemetry/sdk-trace";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startCollector } from "../../../testing/collector.js";
import { Delivery } from "./delivery.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

const logged: Record<string, unknown>[] = [];
beforeEach(() => void (logged.length = 0));
const messages = () => logged.map(({ msg }) => msg);

const timeoutMs = 10_000;

function deliverBy(exporter: SpanExporter, url = "http://collector/v1/traces?token=hidden") {
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const delivery = new Delivery({ exporter, url, timeoutMs, log });
  const tracer = new TracerProvider({ spanProcessors: [delivery] }).getTracer("test");
  const add = (count: number): void => {
    for (let index = 0; index < count; index += 1) tracer.startSpan(`span ${index}`).end();
  };
  return { delivery, add };
}

/** An exporter whose collector answers when the test decides. */
function heldExporter() {
  const sent: { count: number; answer: (result: ExportResult) => void }[] = [];
  const exporter: SpanExporter = {
    export: (spans, answer) => void sent.push({ count: spans.length, answer }),
    shutdown: async () => undefined,
  };
  return { exporter, sent };
}

const success = { code: ExportResultCode.SUCCESS };
const failure = { code: ExportResultCode.FAILED, error: new Error("connect ECONNREFUSED") };

test("a small number of spans waits up to five seconds for more; a full batch is sent immediately", async () => {
  const { exporter, sent } = heldExporter();
  const { add } = deliverBy(exporter);
  add(3);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent.map(({ count }) => count)).toEqual([3]);
  sent[0]?.answer(success);
  await vi.advanceTimersByTimeAsync(0);
  add(600);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.map(({ count }) => count)).toEqual([3, 512]);
  expect(logged).toEqual([]);
});

test("delivery failures are logged when they begin, once a minute, and when they end", async () => {
  const { exporter, sent } = heldExporter();
  const { add } = deliverBy(exporter);
  for (let elapsedMs = 0; elapsedMs < 75_000; elapsedMs += 5_000) {
    add(1);
    await vi.advanceTimersByTimeAsync(5_000);
    sent.at(-1)?.answer(failure);
    await vi.advanceTimersByTimeAsync(0);
  }
  const mention = "trace delivery failed; requests are not affected";
  expect(messages()).toEqual([mention, mention]);
  expect(logged[0]).toMatchObject({
    collector: "http://collector/v1/traces",
    reason: "connect ECONNREFUSED",
    lost: 1,
  });
  add(1);
  await vi.advanceTimersByTimeAsync(5_000);
  sent.at(-1)?.answer(success);
  expect(messages()).toEqual([mention, mention, "trace delivery recovered"]);
  expect(logged.at(-1)).toMatchObject({ lost: 15 });
});

test("the limit covers waiting spans and spans that are being sent; further spans are dropped and counted", async () => {
  const { exporter, sent } = heldExporter();
  const { delivery, add } = deliverBy(exporter);
  add(5_000);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.map(({ count }) => count)).toEqual([512]);
  expect(logged).toMatchObject([{ reason: "2048 spans are waiting", lost: 1 }]);
  const closed = delivery.close(2_000);
  await vi.advanceTimersByTimeAsync(0);
  // The shutdown sends everything at once.
  expect(sent.map(({ count }) => count)).toEqual([512, 512, 512, 512]);
  await vi.advanceTimersByTimeAsync(2_000);
  await closed;
  expect(logged.at(-1)).toMatchObject({ msg: "spans were not delivered", lost: 5_000 });
});

test("a delivery that hangs is abandoned, and the next one is sent", async () => {
  const { exporter, sent } = heldExporter();
  const { add } = deliverBy(exporter);
  add(513);
  await vi.advanceTimersByTimeAsync(timeoutMs + 999);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(logged).toMatchObject([{ reason: "the collector did not answer within 10000 ms", lost: 512 }]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent.map(({ count }) => count)).toEqual([512, 1]);
  // A late answer has no effect.
  sent[0]?.answer(failure);
  expect(logged).toHaveLength(1);
});

function exporterTo(url: string): SpanExporter {
  return new OTLPTraceExporter({ url, headers: { authorization: "hidden" }, timeoutMillis: timeoutMs });
}

test("spans that a failing collector does not accept are sent again", async () => {
  let isWell = false;
  const answer = (response: ServerResponse) => {
    response.writeHead(isWell ? 200 : 503).end();
    isWell = true;
  };
  const collector = await startCollector(answer);
  const { delivery, add } = deliverBy(exporterTo(collector.url), collector.url);
  add(1);
  const closed = delivery.close(timeoutMs);
  await expect.poll(() => collector.bodies.length).toBe(1);
  // The limits of the shutdown, of the delivery and of the SDK, and the pause before the next attempt.
  await expect.poll(() => vi.getTimerCount()).toBe(4);
  await vi.advanceTimersByTimeAsync(1_500);
  await closed;
  expect(collector.spans().map(({ name }) => name)).toEqual(["span 0", "span 0"]);
  expect(logged).toEqual([]);
});

test("a redirect is not followed, because the headers are meant for the collector only", async () => {
  const elsewhere = await startCollector();
  const collector = await startCollector(
    (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
  );
  const { delivery, add } = deliverBy(exporterTo(collector.url), collector.url);
  add(1);
  await delivery.close(timeoutMs);
  expect(collector.bodies).toHaveLength(1);
  expect(elsewhere.bodies).toHaveLength(0);
  expect(logged[0]).toMatchObject({ reason: "the collector answered 307", lost: 1 });
  expect(logged[1]).toMatchObject({ msg: "spans were not delivered", lost: 1 });
});

test("the shutdown waits for a silent collector only until its limit", async () => {
  const collector = await startCollector(() => undefined);
  const { delivery, add } = deliverBy(exporterTo(collector.url), collector.url);
  add(1);
  const closed = delivery.close(2_000);
  await expect.poll(() => collector.bodies.length).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  await closed;
  expect(logged.at(-1)).toMatchObject({ msg: "spans were not delivered", lost: 1 });
});
