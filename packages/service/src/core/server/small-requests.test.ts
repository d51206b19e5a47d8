import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { TimeSlice, firstSliceMs } from "../scheduling/time-slice.js";
import { smallBodyBytes, smallRequests } from "./receive.js";

const gatehouse = useApp();

test("a request that brings little is told of before it is answered, and one that brings much is not", async () => {
  let told = 0;
  const app = Fastify({ bodyLimit: 2 * smallBodyBytes });
  await app.register(smallRequests, { onSmallRequest: () => (told += 1) });
  app.all("/", async () => told);
  const answerTo = async (bytes?: number) => {
    told = 0;
    const body = bytes === undefined ? {} : { body: "x".repeat(bytes) };
    const headers = { "content-type": "text/plain" };
    return (await app.inject({ method: "POST", url: "/", headers, ...body })).json();
  };
  expect(await answerTo()).toBe(1);
  expect(await answerTo(smallBodyBytes)).toBe(1);
  expect(await answerTo(smallBodyBytes + 1)).toBe(0);
});

test("long work of the service gives way sooner behind a small request", async () => {
  let nowMs = 1e12;
  const clock = vi.spyOn(performance, "now").mockReturnValue(nowMs);
  onTestFinished(() => clock.mockRestore());
  expect((await gatehouse.app.inject("/livez")).statusCode).toBe(200);
  const budget = new TimeSlice(() => nowMs);
  nowMs += firstSliceMs + 0.001;
  expect(budget.isSpent).toBe(true);
});
