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

test("a rest is due after some milliseconds of work, and not again right after it", async () => {
  const pace = new Pace();
  expect(pace.isDue).toBe(false);
  const begun = performance.now();
  while (performance.now() - begun < 50);
  expect(pace.isDue).toBe(true);
  await pace.rest();
  expect(pace.isDue).toBe(false);
});
