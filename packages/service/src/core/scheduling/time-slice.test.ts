import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  TimeSlice,
  firstSliceMs,
  smallRequestMs,
  shortenSlices,
  busySliceMs,
  idleSliceMs,
} from "./time-slice.js";

test("of all loops that rest, one goes on in each turn of the event loop, in the order in which they came", async () => {
  const wentOn: string[] = [];
  const loop = async (name: string) => {
    const budget = new TimeSlice();
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
  const loop = watchedLoop();
  shortenSlices(loop.nowMs);
  expect(loop.isSpentAfter(firstSliceMs)).toBe(false);
  expect(loop.isSpentAfter(0.001)).toBe(true);
  for (let rest = 0; rest < 3; rest += 1) {
    await loop.rest();
    expect(loop.isSpentAfter(busySliceMs)).toBe(false);
    expect(loop.isSpentAfter(0.001)).toBe(true);
  }
  expect(busySliceMs).toBeLessThan(firstSliceMs);
});

test("where no small request has come of late, a rest is due later", async () => {
  const loop = watchedLoop();
  shortenSlices(loop.nowMs - smallRequestMs);
  for (let rest = 0; rest < 3; rest += 1) {
    expect(loop.isSpentAfter(idleSliceMs)).toBe(false);
    expect(loop.isSpentAfter(0.001)).toBe(true);
    await loop.rest();
  }
  expect(loop.isSpentAfter(busySliceMs + 0.001)).toBe(false);
  shortenSlices(loop.nowMs);
  expect(loop.isSpentAfter(0)).toBe(true);
  expect(idleSliceMs).toBeGreaterThan(firstSliceMs);
});

/** A loop whose clock is moved by hand. */
function watchedLoop() {
  const clock = { nowMs: 1_000_000 };
  const budget = new TimeSlice(() => clock.nowMs);
  return {
    get nowMs() {
      return clock.nowMs;
    },
    isSpentAfter(workMs: number): boolean {
      clock.nowMs += workMs;
      return budget.isSpent;
    },
    /** What others do meanwhile is not the loop's own work. */
    async rest(): Promise<void> {
      const resting = budget.giveWay();
      clock.nowMs += 10;
      await resting;
    },
  };
}
