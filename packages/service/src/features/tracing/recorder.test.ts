import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import { noAttributes, unrecorded, type OpenSpan } from "../../core/telemetry/tracer.js";
import { Recorder, type RecordedSpan } from "./recorder.js";

function recording() {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  return { recorder: new Recorder(provider.getTracer("test")), ended: () => exporter.getFinishedSpans() };
}

test("outside of a request, work runs without being recorded", async () => {
  const { recorder, ended } = recording();
  let given: OpenSpan | undefined;
  const work = async (span: OpenSpan) => {
    given = span;
    return 7;
  };
  expect(await recorder.span("work", noAttributes, work)).toBe(7);
  expect(given).toBe(unrecorded);
  expect(ended()).toEqual([]);
});

test("work that continues after its span has ended is not recorded", async () => {
  const { recorder, ended } = recording();
  const request = recorder.begin("request", {}, {}) as RecordedSpan;
  const later = recorder.within(request, () => recorder.bind(() => recorder.span("work", {}, async () => 7)));
  await later();
  expect(ended().map(({ name }) => name)).toEqual(["work"]);
  request.end();
  expect(await later()).toBe(7);
  expect(ended().map(({ name }) => name)).toEqual(["work", "request"]);
});

test("an error reaches the caller, and the span records its kind but not its message", async () => {
  const { recorder, ended } = recording();
  const request = recorder.begin("request", {}, {}) as RecordedSpan;
  const refused = Object.assign(new Error("duplicate key: jane@example.com"), { code: "23505" });
  const failing = recorder.within(request, () =>
    recorder.span("work", { kept: true, unknown: undefined }, () => Promise.reject(refused)),
  );
  await expect(failing).rejects.toBe(refused);
  const [span] = ended();
  expect(span).toMatchObject({ status: { code: 2 }, attributes: { kept: true, "error.type": "23505" } });
  expect(span?.events).toEqual([]);
  expect(JSON.stringify([span?.attributes, span?.status])).not.toContain("jane");
});

test("spans start and end with sub-millisecond precision, and a span can end only once", async () => {
  const { recorder, ended } = recording();
  const request = recorder.begin("request", {}, {}) as RecordedSpan;
  const spans = Array.from({ length: 4 }, () =>
    recorder.within(request, () => recorder.below("work", 0, {})),
  );
  for (const span of spans) {
    span?.end();
    span?.end();
  }
  expect(ended()).toHaveLength(4);
  expect(ended().some(({ startTime }) => startTime[1] % 1_000_000 !== 0)).toBe(true);
  for (const { startTime, endTime } of ended())
    expect(endTime[0] * 1e9 + endTime[1]).toBeGreaterThanOrEqual(startTime[0] * 1e9 + startTime[1]);
});
