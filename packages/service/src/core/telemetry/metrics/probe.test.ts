import { expect, test } from "vitest";
import { createProbe } from "../metrics.js";

test("concurrent callers share one check, and a cached result needs none", async () => {
  let questions = 0;
  const works = createProbe(async () => void (questions += 1), { freshMs: 60_000 });
  expect(await Promise.all([works(), works(), works()])).toEqual([true, true, true]);
  expect(await works()).toBe(true);
  expect(questions).toBe(1);
});

test("an expired result is replaced", async () => {
  const answers = [() => Promise.resolve(), () => Promise.reject(new Error("gone")), () => Promise.resolve()];
  const works = createProbe(() => (answers.shift() as () => Promise<void>)(), { freshMs: 0 });
  expect([await works(), await works(), await works()]).toEqual([true, false, true]);
});

test("a timeout counts as a failure, and the check is not repeated until it has ended", async () => {
  let questions = 0;
  let answer: () => void = () => undefined;
  const ask = () => {
    questions += 1;
    return new Promise<void>((resolve) => (answer = resolve));
  };
  const works = createProbe(ask, { freshMs: 60_000, patienceMs: 1 });
  expect([await works(), await works()]).toEqual([false, false]);
  expect(questions).toBe(1);
  answer();
  await expect.poll(works).toBe(true);
  expect(questions).toBe(1);
});
