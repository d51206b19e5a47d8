import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { renderError } from "../refusals/render-error.js";
import { loadShedding, shedLastingPressure } from "./load-shedding.js";
import { requestLog } from "./request-log.js";

test("a single pause rejects nothing; lasting pressure does; afterwards the measurement starts again", async () => {
  let nowMs = 10_000;
  const underPressure = shedLastingPressure(() => nowMs);
  const after = (ms: number) => {
    nowMs += ms;
    return underPressure();
  };
  expect(after(0)).toBeUndefined();
  expect(after(900)).toBeUndefined();
  await expect(after(900)).rejects.toThrow("The service is busy");
  await expect(after(100)).rejects.toThrow("The service is busy");
  expect(after(2_000)).toBeUndefined();
  await expect(Promise.all([after(1_000), after(600)])).rejects.toThrow("The service is busy");
});

test("an overloaded process answers 503 in the error envelope, and probes still answer", async () => {
  const app = Fastify();
  app.setErrorHandler(renderError);
  await app.register(requestLog);
  await app.register(loadShedding, { maxEventLoopDelayMs: 20 });
  app.get("/work", async () => "done");
  app.get("/probe", { config: { quiet: true } }, async () => "alive");
  expect((await app.inject("/work")).statusCode).toBe(200);

  const busy = setInterval(() => {
    for (const end = performance.now() + 60; performance.now() < end;);
  }, 1);
  try {
    await expect.poll(async () => (await app.inject("/work")).statusCode, { interval: 100 }).toBe(503);
    const refused = await app.inject("/work");
    expect(refused.headers["retry-after"]).toBe("5");
    expect(refused.json()).toEqual({
      success: false,
      message: "The service is busy",
      errors: ["The service is busy"],
      timestamp: expect.any(String),
    });
    expect((await app.inject("/probe")).statusCode).toBe(200);
  } finally {
    clearInterval(busy);
    await app.close();
  }
});

test("monitoring reads no files, so it works without free file descriptors", async () => {
  const asked = vi.spyOn(process, "memoryUsage");
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    asked.mockRestore();
  });
  const app = Fastify();
  await app.register(loadShedding, { maxEventLoopDelayMs: 20 });
  await app.ready();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).not.toHaveBeenCalled();
  await app.close();
});
