import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { expect, test } from "vitest";
import { askInGroups } from "./ask-in-groups.js";
import { noTracer } from "../telemetry/tracer.js";

/** Answers when told to, and keeps what it was asked. */
function askedByHand() {
  const batches: number[][] = [];
  const answers: (() => void)[] = [];
  const ask = askInGroups(async (questions: number[]) => {
    batches.push(questions);
    await new Promise<void>((resolve) => answers.push(resolve));
    if (questions.includes(13)) throw new Error("unlucky");
    return questions.map((question) => question * 2);
  });
  const answer = async () => {
    await expect.poll(() => answers.length).toBeGreaterThan(0);
    answers.shift()?.();
  };
  return { ask, answer, batches };
}

test("questions of one moment are asked in one batch, and answered in their order", async () => {
  const { ask, answer, batches } = askedByHand();
  const answers = Promise.all([1, 2, 3].map(ask));
  await answer();
  expect(await answers).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test("questions gather while an answer is on its way, at most a hundred to a batch", async () => {
  const { ask, answer, batches } = askedByHand();
  const first = ask(1);
  await expect.poll(() => batches.length).toBe(1);
  const later = Promise.all(Array.from({ length: 150 }, (_none, index) => ask(index + 100)));
  await answer();
  expect(await first).toBe(2);
  await answer();
  await answer();
  expect((await later).at(-1)).toBe(498);
  expect(batches.map((batch) => batch.length)).toEqual([1, 100, 50]);
});

test("a group weighs no more than was said, and what weighs more by itself goes alone", async () => {
  const groups: number[][] = [];
  const ask = askInGroups(
    async (questions: number[]) => {
      groups.push(questions);
      return questions;
    },
    { maxGroup: 3, weight: { of: (question) => question, max: 10 } },
  );
  await Promise.all([4, 6, 1, 11, 9, 0, 0, 0].map(ask));
  expect(groups).toEqual([[4, 6], [1], [11], [9, 0, 0], [0]]);
});

test("a failure reaches everybody who asked, and nobody after them", async () => {
  const { ask, answer } = askedByHand();
  const failing = Promise.allSettled([ask(12), ask(13)]);
  await answer();
  expect((await failing).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const next = ask(14);
  await answer();
  expect(await next).toBe(28);
});

test("questions are asked in the trace of the first of them, not of whoever began to ask", async () => {
  const trace = new AsyncLocalStorage<string>();
  const askedIn: (string | undefined)[] = [];
  const ask = askInGroups(
    async (questions: number[]) => {
      askedIn.push(trace.getStore());
      await new Promise(setImmediate);
      return questions;
    },
    { tracer: { ...noTracer, bind: (work) => AsyncResource.bind(work) } },
  );
  const first = trace.run("first", () => ask(1));
  await new Promise(setImmediate);
  await Promise.all([first, trace.run("second", () => ask(2)), trace.run("third", () => ask(3))]);
  expect(askedIn).toEqual(["first", "second"]);
});
