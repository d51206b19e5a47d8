import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { expect, test } from "vitest";
import { batchCalls } from "./batch-calls.js";
import { noTracer } from "../telemetry/tracer.js";

/** Returns the results of a batch when told to, and keeps the batches. */
function manualBatches() {
  const batches: number[][] = [];
  const releases: (() => void)[] = [];
  const call = batchCalls(async (inputs: number[]) => {
    batches.push(inputs);
    await new Promise<void>((resolve) => releases.push(resolve));
    if (inputs.includes(13)) throw new Error("unlucky");
    return inputs.map((input) => input * 2);
  });
  const release = async () => {
    await expect.poll(() => releases.length).toBeGreaterThan(0);
    releases.shift()?.();
  };
  return { call, release, batches };
}

test("concurrent calls run in one batch, and each gets its own result", async () => {
  const { call, release, batches } = manualBatches();
  const results = Promise.all([1, 2, 3].map(call));
  await release();
  expect(await results).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test("calls wait while a batch runs, and no batch has more than 100", async () => {
  const { call, release, batches } = manualBatches();
  const first = call(1);
  await expect.poll(() => batches.length).toBe(1);
  const later = Promise.all(Array.from({ length: 150 }, (_none, index) => call(index + 100)));
  await release();
  expect(await first).toBe(2);
  await release();
  await release();
  expect((await later).at(-1)).toBe(498);
  expect(batches.map((batch) => batch.length)).toEqual([1, 100, 50]);
});

test("a failure rejects every call of its batch and none of the next", async () => {
  const { call, release } = manualBatches();
  const failing = Promise.allSettled([call(12), call(13)]);
  await release();
  expect((await failing).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const next = call(14);
  await release();
  expect(await next).toBe(28);
});

test("a batch runs in the trace of its first caller", async () => {
  const trace = new AsyncLocalStorage<string>();
  const ranIn: (string | undefined)[] = [];
  const call = batchCalls(
    async (inputs: number[]) => {
      ranIn.push(trace.getStore());
      await new Promise(setImmediate);
      return inputs;
    },
    { ...noTracer, bind: (work) => AsyncResource.bind(work) },
  );
  const first = trace.run("first", () => call(1));
  await new Promise(setImmediate);
  await Promise.all([first, trace.run("second", () => call(2)), trace.run("third", () => call(3))]);
  expect(ranIn).toEqual(["first", "second"]);
});
