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

test("one waiting loop continues per turn of the event loop, in order of arrival", async () => {
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

test("a loop yields after its first slice, and sooner after each later one", async () => {
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

test("loops yield later while no small requests arrive", async () => {
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

/** A loop with a manual clock. */
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
    /** Other work during a pause does not count toward the loop's slice. */
    async rest(): Promise<void> {
      const resting = budget.giveWay();
      clock.nowMs += 10;
      await resting;
    },
  };
}
