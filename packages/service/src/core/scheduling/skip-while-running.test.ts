import { setImmediate as settled } from "node:timers/promises";
import { expect, test } from "vitest";
import { skipWhileRunning } from "./skip-while-running.js";

test("work that still runs is not started again, and work that has ended is, however it ended", async () => {
  const ends: ((error?: Error) => void)[] = [];
  const errors: unknown[] = [];
  const start = skipWhileRunning(
    () =>
      new Promise<void>((resolve, reject) => {
        ends.push((error) => (error ? reject(error) : resolve()));
      }),
    (error) => errors.push(error),
  );
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
  expect(errors).toEqual([new Error("no database")]);
});
