import { expect, test, vi } from "vitest";
import { Refused } from "../refusals/refused.js";
import { KeyedSemaphore } from "./keyed-semaphore.js";

const limits = { perKey: 1, overall: 2, maxWaiting: 6, maxWaitMs: 60_000 };
const overloaded = expect.objectContaining({ refusal: "overloaded" });

/** Acquires a permit and records when it got it. */
function entering(
  semaphore: KeyedSemaphore,
  key: string,
  entered: string[],
  name: string,
  signal?: AbortSignal,
) {
  const turn = semaphore.acquire(key, signal);
  void turn.then(
    () => entered.push(name),
    () => {},
  );
  return turn;
}

/** Waits until all pending promises have settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("work of one key runs one at a time, in order of arrival", async () => {
  const semaphore = new KeyedSemaphore(limits);
  const entered: string[] = [];
  const leaves = ["first", "second", "third"].map((name) => entering(semaphore, "A", entered, name));
  await settled();
  expect(entered).toEqual(["first"]);
  (await leaves[0]!)();
  await settled();
  expect(entered).toEqual(["first", "second"]);
  (await leaves[1]!)();
  await settled();
  expect(entered).toEqual(["first", "second", "third"]);
});

test("a busy key does not block other keys, up to the overall limit", async () => {
  const semaphore = new KeyedSemaphore(limits);
  const entered: string[] = [];
  const a = entering(semaphore, "A", entered, "A1");
  void entering(semaphore, "A", entered, "A2");
  const b = entering(semaphore, "B", entered, "B1");
  void entering(semaphore, "C", entered, "C1");
  await settled();
  expect(entered).toEqual(["A1", "B1"]);
  (await b)();
  await settled();
  expect(entered).toEqual(["A1", "B1", "C1"]);
  (await a)();
  await settled();
  expect(entered).toEqual(["A1", "B1", "C1", "A2"]);
});

test("releasing twice releases once", async () => {
  const semaphore = new KeyedSemaphore({ ...limits, overall: 1 });
  const entered: string[] = [];
  const first = await semaphore.acquire("A");
  const second = entering(semaphore, "B", entered, "B");
  void entering(semaphore, "C", entered, "C");
  first();
  first();
  await settled();
  expect(entered).toEqual(["B"]);
  (await second)();
});

test("excess callers are rejected at once, and a key that fills its queue leaves room for others", async () => {
  const semaphore = new KeyedSemaphore(limits);
  const leaves = [await semaphore.acquire("A"), await semaphore.acquire("B")];
  const waiting = ["A", "A", "A"].map((key) => semaphore.acquire(key));
  await expect(semaphore.acquire("A")).rejects.toEqual(overloaded);
  waiting.push(...["B", "B", "C"].map((key) => semaphore.acquire(key)));
  await expect(semaphore.acquire("D"), "all of them are taken").rejects.toEqual(overloaded);
  for (const leave of leaves) leave();
  for (const turn of waiting) (await turn)();
});

test("a caller that waits too long is rejected and no longer takes a permit", async () => {
  vi.useFakeTimers();
  try {
    const semaphore = new KeyedSemaphore(limits);
    const leave = await semaphore.acquire("A");
    const impatient = semaphore.acquire("A").catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(limits.maxWaitMs);
    expect(await impatient).toBeInstanceOf(Refused);
    leave();
    await expect(semaphore.acquire("A")).resolves.toBeTypeOf("function");
  } finally {
    vi.useRealTimers();
  }
});

test("aborting frees the place in the queue, and an already aborted caller never enters", async () => {
  const semaphore = new KeyedSemaphore(limits);
  const entered: string[] = [];
  const leave = await semaphore.acquire("A");
  const gone = new AbortController();
  const waiting = entering(semaphore, "A", entered, "gone", gone.signal);
  void entering(semaphore, "A", entered, "next");
  gone.abort();
  await expect(waiting).rejects.toEqual(overloaded);
  await expect(semaphore.acquire("B", gone.signal)).rejects.toEqual(overloaded);
  leave();
  await settled();
  expect(entered).toEqual(["next"]);
  await expect(semaphore.acquire("B"), "the turn that was not taken is free").resolves.toBeTypeOf("function");
});

test("failed work releases its permit", async () => {
  const semaphore = new KeyedSemaphore(limits);
  await expect(semaphore.run("A", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await semaphore.run("A", async () => "yes")).toBe("yes");
});

test("permits reserved for new keys keep a few keys from taking all", async () => {
  const semaphore = new KeyedSemaphore({ ...limits, perKey: 3, overall: 5, forNewcomers: 2 });
  const entered: string[] = [];
  for (const name of ["A1", "A2", "A3", "A4"]) void entering(semaphore, "A", entered, name);
  await settled();
  expect(entered).toEqual(["A1", "A2", "A3"]);
  const first = entering(semaphore, "B", entered, "B1");
  void entering(semaphore, "B", entered, "B2");
  void entering(semaphore, "C", entered, "C1");
  await settled();
  expect(entered).toEqual(["A1", "A2", "A3", "B1", "C1"]);
  (await first)();
  void entering(semaphore, "D", entered, "D1");
  await settled();
  expect(entered.at(-1)).toBe("B2");
});
