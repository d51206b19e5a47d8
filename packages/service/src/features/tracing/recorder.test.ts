import { expect, test } from "vitest";
import { noAttributes, unrecorded, type OpenSpan } from "../../core/telemetry/tracer.js";
import { Recorder } from "./recorder.js";
import type { RecordedSpan } from "./span.js";

function recording() {
  const ended: RecordedSpan[] = [];
  return {
    recorder: new Recorder(
      () => true,
      (span) => ended.push(span),
    ),
    ended,
  };
}

test("outside of a request, work is done and not recorded", async () => {
  const { recorder, ended } = recording();
  let given: OpenSpan | undefined;
  const work = async (span: OpenSpan) => {
    given = span;
    return 7;
  };
  expect(await recorder.span("work", noAttributes, work)).toBe(7);
  expect(given).toBe(unrecorded);
  expect(ended).toEqual([]);
});

test("work that goes on in the name of a span that has ended is not recorded", async () => {
  const { recorder, ended } = recording();
  const request = recorder.begin("request", {}, undefined) as RecordedSpan;
  const later = recorder.within(request, () => recorder.bind(() => recorder.span("work", {}, async () => 7)));
  await later();
  expect(ended.map(({ start }) => start.name)).toEqual(["work"]);
  request.end();
  expect(await later()).toBe(7);
  expect(ended.map(({ start }) => start.name)).toEqual(["work", "request"]);
});

test("an error goes on to the caller; of it the span keeps the kind, and none of its words", async () => {
  const { recorder, ended } = recording();
  const request = recorder.begin("request", {}, undefined) as RecordedSpan;
  const refused = Object.assign(new Error("duplicate key: jane@example.com"), { code: "23505" });
  const failing = recorder.within(request, () =>
    recorder.span("work", { kept: true }, () => Promise.reject(refused)),
  );
  await expect(failing).rejects.toBe(refused);
  expect(ended[0]).toMatchObject({ hasFailed: true, attributes: { kept: true, "error.type": "23505" } });
  expect(JSON.stringify(ended)).not.toContain("jane");
});
