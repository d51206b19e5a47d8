import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { TimeSlice, firstSliceMs, smallRequestMs } from "../scheduling/time-slice.js";
import { prioritizeSmallRequests, smallBodyBytes } from "./receive.js";

const gatehouse = useApp();
let nowMs = 1e12;

/** Whether long loops yield early after `request`. The clock is stopped. */
async function shortensSlices(request: () => Promise<unknown>): Promise<boolean> {
  nowMs += smallRequestMs;
  const clock = vi.spyOn(performance, "now").mockReturnValue(nowMs);
  onTestFinished(() => clock.mockRestore());
  await request();
  const slice = new TimeSlice(() => nowMs);
  nowMs += firstSliceMs + 0.001;
  return slice.isSpent;
}

test("requests with small bodies shorten the time slices of long loops, and large ones do not", async () => {
  const app = Fastify({ bodyLimit: 2 * smallBodyBytes });
  await app.register(prioritizeSmallRequests);
  app.all("/", async () => "");
  const headers = { "content-type": "text/plain" };
  const post = (bytes: number) => () =>
    app.inject({ method: "POST", url: "/", headers, body: "x".repeat(bytes) });
  expect(await shortensSlices(post(smallBodyBytes))).toBe(true);
  expect(await shortensSlices(post(smallBodyBytes + 1))).toBe(false);
  expect(await shortensSlices(() => app.inject("/"))).toBe(true);
});

test("requests to the service shorten the time slices of long loops", async () => {
  expect(await shortensSlices(() => gatehouse.app.inject("/livez"))).toBe(true);
});
