import type { ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startCollector } from "../../../testing/collector.js";
import { encodeSpans } from "./encode.js";
import { Exporter } from "./exporter.js";
import { newTraceId, RecordedSpan, spanKind } from "./span.js";

/** The exporter's own clock, so that its pauses take no time; the collector and the network are real. */
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => {
  // First the spies: one that stands on a fake clock would keep it in its place.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const logged: Record<string, unknown>[] = [];
beforeEach(() => void (logged.length = 0));

function exporterTo(url: string, timeoutMs = 5_000): Exporter {
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const encode = (spans: readonly RecordedSpan[]) => encodeSpans(spans, {}, "1.2.3");
  return new Exporter({ url, headers: {}, timeoutMs, encode, log });
}

function add(exporter: Exporter, count: number): void {
  const start = {
    traceId: newTraceId(),
    parentSpanId: undefined,
    hasRemoteParent: false,
    kind: spanKind.internal,
    attributes: {},
    clockOffsetMs: 0,
  };
  for (let index = 0; index < count; index += 1)
    new RecordedSpan({ ...start, name: `span ${index}` }, (span) => exporter.add(span)).end();
}

const messages = () => logged.map(({ msg }) => msg);

test("few spans wait for others for five seconds; a full request goes out at once", async () => {
  const collector = await startCollector();
  const exporter = exporterTo(collector.url);
  add(exporter, 3);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(collector.bodies).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  await expect.poll(() => collector.spans().length).toBe(3);

  add(exporter, 600);
  await vi.advanceTimersByTimeAsync(0);
  await expect.poll(() => collector.spans().length).toBe(3 + 512);
  await exporter.close(60_000);
  expect(collector.spans()).toHaveLength(603);
  expect(logged).toEqual([]);
});

test("what a collector in trouble does not take is sent again; it is left alone meanwhile, and mentioned once a minute", async () => {
  let isWell = false;
  let asked = 0;
  const answer = (response: ServerResponse) => {
    asked += 1;
    response.writeHead(isWell ? 200 : 503).end();
  };
  const collector = await startCollector(answer);
  const exporter = exporterTo(collector.url);
  add(exporter, 2);
  await vi.advanceTimersByTimeAsync(5_000);
  const set = vi.spyOn(globalThis, "setTimeout");
  for (const [index, pauseMs] of [5_000, 10_000, 20_000, 40_000].entries()) {
    await expect.poll(() => set.mock.calls.map(([, delayMs]) => delayMs)).toContain(pauseMs);
    expect(asked).toBe(index + 1);
    await vi.advanceTimersByTimeAsync(pauseMs);
    await expect.poll(() => asked).toBe(index + 2);
  }
  // 75 seconds of trouble by now: mentioned at its beginning, and once more after a minute.
  const mention = "traces cannot be delivered; requests are answered all the same";
  await expect.poll(messages).toEqual([mention, mention]);
  isWell = true;
  await expect.poll(() => set.mock.calls.map(([, delayMs]) => delayMs)).toContain(60_000);
  await vi.advanceTimersByTimeAsync(60_000);
  await expect.poll(messages).toContain("traces are delivered again");
  await exporter.close(60_000);
  const last = JSON.parse(collector.bodies.at(-1) ?? "");
  expect(last.resourceSpans[0].scopeSpans[0].spans.map(({ name }: { name: string }) => name)).toEqual([
    "span 0",
    "span 1",
  ]);
});

test("the queue is bounded: what has no room is lost and counted", async () => {
  const collector = await startCollector((response) => void response.writeHead(429).end());
  const exporter = exporterTo(collector.url);
  add(exporter, 5_000);
  await exporter.close(60_000);
  expect(logged.at(-1)).toMatchObject({ msg: "spans were not delivered", lost: 5_000 });
  // One try at the end, with one request's worth of them.
  expect(collector.spans()).toHaveLength(512);
});

test("what a collector refuses for good is not sent again", async () => {
  const collector = await startCollector((response) => void response.writeHead(400).end());
  const exporter = exporterTo(collector.url);
  add(exporter, 1);
  await vi.advanceTimersByTimeAsync(5_000);
  await expect.poll(() => collector.bodies.length).toBe(1);
  await exporter.close(60_000);
  expect(collector.bodies).toHaveLength(1);
  expect(logged.at(-1)).toMatchObject({ msg: "spans were not delivered", lost: 1 });
});

test("a redirect is not followed, because the headers are meant for the collector alone", async () => {
  const elsewhere = await startCollector();
  const collector = await startCollector(
    (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
  );
  const exporter = exporterTo(collector.url);
  add(exporter, 1);
  await exporter.close(60_000);
  expect(collector.bodies).toHaveLength(1);
  expect(elsewhere.bodies).toHaveLength(0);
});

test("the end waits for a silent collector only as long as it may", async () => {
  const collector = await startCollector(() => undefined);
  const exporter = exporterTo(collector.url);
  add(exporter, 1);
  const closed = exporter.close(2_000);
  await expect.poll(() => collector.bodies.length).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  await closed;
  expect(logged.at(-1)).toMatchObject({ msg: "spans were not delivered", lost: 1 });
});

test("a silent collector is given up in time, even if garbage is collected meanwhile", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const collector = await startCollector(() => undefined);
  const exporter = exporterTo(collector.url, 300);
  add(exporter, 1);
  await vi.advanceTimersByTimeAsync(5_000);
  await expect.poll(() => collector.bodies.length).toBe(1);
  await expect
    .poll(() => {
      collectGarbage();
      return logged.length;
    })
    .toBe(1);
  expect(logged[0]).toMatchObject({ reason: "the collector did not answer within 300 ms" });
  await exporter.close(0);
});
