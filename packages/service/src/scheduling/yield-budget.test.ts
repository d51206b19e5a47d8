import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { YieldBudget, firstTurnMs, turnMs } from "./yield-budget.js";

test("of all loops that rest, one goes on in each turn of the event loop, in the order in which they came", async () => {
  const wentOn: string[] = [];
  const loop = async (name: string) => {
    const budget = new YieldBudget();
    for (let step = 1; step <= 2; step += 1) {
      await budget.giveWay();
      wentOn.push(`${name}${step}`);
    }
  };
  const loops = Promise.all(["a", "b", "c"].map(loop));
  const after = [];
  for (let turn = 0; turn < 6; turn += 1) {
    await setImmediate();
    after.push(wentOn.length);
  }
  await loops;
  expect(wentOn).toEqual(["a1", "b1", "c1", "a2", "b2", "c2"]);
  expect(after).toEqual([1, 2, 3, 4, 5, 6]);
});

test("a rest is due once the first turn is over, not again right after it, and sooner from then on", async () => {
  let nowMs = 1_000;
  const budget = new YieldBudget(() => nowMs);
  const isSpentAfter = (workMs: number): boolean => {
    nowMs += workMs;
    return budget.isSpent;
  };
  expect(isSpentAfter(firstTurnMs)).toBe(false);
  expect(isSpentAfter(0.001)).toBe(true);
  for (let rest = 0; rest < 3; rest += 1) {
    const resting = budget.giveWay();
    // What others do meanwhile is not the loop's own work.
    nowMs += 10;
    await resting;
    expect(isSpentAfter(turnMs)).toBe(false);
    expect(isSpentAfter(0.001)).toBe(true);
  }
  expect(turnMs).toBeLessThan(firstTurnMs);
});
