import { expect, test, vi } from "vitest";
import { Refused } from "../refusals/refused.js";
import { Turns } from "./turns.js";

const limits = { perKey: 1, overall: 2, maxWaiting: 6, maxWaitMs: 60_000 };
const overloaded = expect.objectContaining({ refusal: "overloaded" });

/** Enters and notes when it is in. */
function entering(turns: Turns, key: string, entered: string[], name: string, signal?: AbortSignal) {
  const turn = turns.enter(key, signal);
  void turn.then(
    () => entered.push(name),
    () => {},
  );
  return turn;
}

/** Lets everything that is ready to happen happen. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("one key has its turns one after the other, in the order of arrival", async () => {
  const turns = new Turns(limits);
  const entered: string[] = [];
  const leaves = ["first", "second", "third"].map((name) => entering(turns, "A", entered, name));
  await settled();
  expect(entered).toEqual(["first"]);
  (await leaves[0]!)();
  await settled();
  expect(entered).toEqual(["first", "second"]);
  (await leaves[1]!)();
  await settled();
  expect(entered).toEqual(["first", "second", "third"]);
});

test("nobody waits behind a key that is busy with itself, but no more than the overall number run", async () => {
  const turns = new Turns(limits);
  const entered: string[] = [];
  const a = entering(turns, "A", entered, "A1");
  void entering(turns, "A", entered, "A2");
  const b = entering(turns, "B", entered, "B1");
  void entering(turns, "C", entered, "C1");
  await settled();
  expect(entered).toEqual(["A1", "B1"]);
  (await b)();
  await settled();
  expect(entered).toEqual(["A1", "B1", "C1"]);
  (await a)();
  await settled();
  expect(entered).toEqual(["A1", "B1", "C1", "A2"]);
});

test("a turn that is left twice is left once", async () => {
  const turns = new Turns({ ...limits, overall: 1 });
  const entered: string[] = [];
  const first = await turns.enter("A");
  const second = entering(turns, "B", entered, "B");
  void entering(turns, "C", entered, "C");
  first();
  first();
  await settled();
  expect(entered).toEqual(["B"]);
  (await second)();
});

test("more than so many do not wait: they are refused at once, and a key that fills its places leaves some to others", async () => {
  const turns = new Turns(limits);
  const leaves = [await turns.enter("A"), await turns.enter("B")];
  const waiting = ["A", "A", "A"].map((key) => turns.enter(key));
  await expect(turns.enter("A")).rejects.toEqual(overloaded);
  waiting.push(...["B", "B", "C"].map((key) => turns.enter(key)));
  await expect(turns.enter("D"), "all of them are taken").rejects.toEqual(overloaded);
  for (const leave of leaves) leave();
  for (const turn of waiting) (await turn)();
});

test("nobody waits longer than so long, and who gave up does not take a turn any more", async () => {
  vi.useFakeTimers();
  try {
    const turns = new Turns(limits);
    const leave = await turns.enter("A");
    const impatient = turns.enter("A").catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(limits.maxWaitMs);
    expect(await impatient).toBeInstanceOf(Refused);
    leave();
    await expect(turns.enter("A")).resolves.toBeTypeOf("function");
  } finally {
    vi.useRealTimers();
  }
});

test("who goes away while waiting gives its place up; who is gone already never takes one", async () => {
  const turns = new Turns(limits);
  const entered: string[] = [];
  const leave = await turns.enter("A");
  const gone = new AbortController();
  const waiting = entering(turns, "A", entered, "gone", gone.signal);
  void entering(turns, "A", entered, "next");
  gone.abort();
  await expect(waiting).rejects.toEqual(overloaded);
  await expect(turns.enter("B", gone.signal)).rejects.toEqual(overloaded);
  leave();
  await settled();
  expect(entered).toEqual(["next"]);
  await expect(turns.enter("B"), "the turn that was not taken is free").resolves.toBeTypeOf("function");
});

test("work that fails ends its turn", async () => {
  const turns = new Turns(limits);
  await expect(turns.take("A", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await turns.take("A", async () => "yes")).toBe("yes");
});

test("the places for newcomers go to keys that have none, so that a few cannot take all", async () => {
  const turns = new Turns({ ...limits, perKey: 3, overall: 5, forNewcomers: 2 });
  const entered: string[] = [];
  for (const name of ["A1", "A2", "A3", "A4"]) void entering(turns, "A", entered, name);
  await settled();
  expect(entered).toEqual(["A1", "A2", "A3"]);
  const first = entering(turns, "B", entered, "B1");
  void entering(turns, "B", entered, "B2");
  void entering(turns, "C", entered, "C1");
  await settled();
  expect(entered).toEqual(["A1", "A2", "A3", "B1", "C1"]);
  (await first)();
  void entering(turns, "D", entered, "D1");
  await settled();
  expect(entered.at(-1)).toBe("B2");
});
