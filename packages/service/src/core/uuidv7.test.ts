import { afterEach, expect, test, vi } from "vitest";
import { longestAheadMs, uuidv7 } from "./uuidv7.js";

afterEach(() => vi.useRealTimers());

test("ids are version 7, contain the time, are unique and always increase", () => {
  const before = Date.now();
  const ids = Array.from({ length: 100_000 }, uuidv7);
  const after = Date.now();
  const isVersion7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(ids.filter((id) => !isVersion7.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(ids.toSorted());
  const carried = Number.parseInt((ids[0] as string).replaceAll("-", "").slice(0, 12), 16);
  expect(carried).toBeGreaterThanOrEqual(before);
  expect(carried).toBeLessThanOrEqual(after);
});

test("ids keep increasing when the clock is set back", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const ids = [uuidv7()];
  vi.setSystemTime(Date.now() - 3_600_000);
  for (let count = 0; count < 10_000; count += 1) ids.push(uuidv7());
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});

const hour = 3_600_000;
const timeOf = (id: string) => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

test("after the clock was hours ahead briefly, ids return to the correct time within a minute and stay unique", async () => {
  // A separate copy of the module, so that ids of later tests are not ahead of their time.
  const copy = "./uuidv7.js?ahead";
  const { uuidv7: id } = (await import(copy)) as { uuidv7: () => string };
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const now = Date.now() + 24 * hour;
  vi.setSystemTime(now);
  const before = Array.from({ length: 1_000 }, id);
  vi.setSystemTime(now + 6 * hour);
  const ahead = Array.from({ length: 10_000 }, id);
  vi.setSystemTime(now);
  // An import that began before the clock was corrected keeps its order.
  const run = [...ahead];
  for (let second = 0; second < longestAheadMs / 1_000; second += 1) {
    for (let count = 0; count < 200; count += 1) run.push(id());
    vi.advanceTimersByTime(1_000);
  }
  expect(run).toEqual(run.toSorted());
  vi.advanceTimersByTime(1);
  // The same millisecond in which ids were created before.
  vi.setSystemTime(now);
  const after = Array.from({ length: 1_000 }, id);
  expect(timeOf(after[0] as string)).toBe(now);
  expect(after).toEqual(after.toSorted());
  const all = [...before, ...run, ...after];
  expect(new Set(all).size).toBe(all.length);
});
