import { setImmediate as settled } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { startJobs } from "./jobs.js";

test("a job that is still running is not started again, and one that ended is, however it ended", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const ends: ((error?: Error) => void)[] = [];
  const warn = vi.fn();
  const run = () =>
    new Promise<void>((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve()));
    });
  const stop = startJobs([{ name: "sweep", run }], { intervalMs: 1_000, log: { warn } });
  const start = () => vi.advanceTimersByTime(1_000);
  start();
  start();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await settled();
  start();
  start();
  expect(ends).toHaveLength(2);
  ends[1]?.(new Error("no database"));
  await settled();
  start();
  expect(ends).toHaveLength(3);
  expect(warn.mock.calls).toEqual([[{ err: new Error("no database") }, "sweep failed"]]);
  ends[2]?.();
  await settled();
  stop();
  start();
  expect(ends).toHaveLength(3);
  vi.useRealTimers();
});
