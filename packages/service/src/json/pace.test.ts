import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Pace } from "./pace.js";

test("of all loops that rest, one goes on in each turn of the event loop, in the order in which they came", async () => {
  const wentOn: string[] = [];
  const loop = async (name: string) => {
    const pace = new Pace();
    for (let step = 1; step <= 2; step += 1) {
      await pace.rest();
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

test("a rest is due after some milliseconds of work, not again right after it, and sooner from then on", async () => {
  const workUntilDue = (pace: Pace): number => {
    const begun = performance.now();
    while (!pace.isDue);
    return performance.now() - begun;
  };
  const pace = new Pace();
  expect(pace.isDue).toBe(false);
  const first = workUntilDue(pace);
  const later: number[] = [];
  for (let rest = 0; rest < 20; rest += 1) {
    await pace.rest();
    later.push(workUntilDue(pace));
  }
  expect(Math.min(...later)).toBeLessThan(first / 2);
  expect(Math.max(...later)).toBeGreaterThan(0.1);
});
