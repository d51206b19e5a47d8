import { expect, test } from "vitest";
import { createProbe } from "../metrics.js";

test("any number of askers share one question, and a fresh answer needs none", async () => {
  let questions = 0;
  const works = createProbe(async () => void (questions += 1), { freshMs: 60_000 });
  expect(await Promise.all([works(), works(), works()])).toEqual([true, true, true]);
  expect(await works()).toBe(true);
  expect(questions).toBe(1);
});

test("an answer that is no longer fresh is replaced", async () => {
  const answers = [() => Promise.resolve(), () => Promise.reject(new Error("gone")), () => Promise.resolve()];
  const works = createProbe(() => (answers.shift() as () => Promise<void>)(), { freshMs: 0 });
  expect([await works(), await works(), await works()]).toEqual([true, false, true]);
});

test("silence means no, and is not asked a second time before it has ended", async () => {
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
