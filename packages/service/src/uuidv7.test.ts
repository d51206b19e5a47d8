import { afterEach, expect, test, vi } from "vitest";
import { uuidv7 } from "./uuidv7.js";

afterEach(() => vi.useRealTimers());

test("ids are of version 7, carry the time, never repeat and never go backwards", () => {
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

test("a clock that is set back does not set the ids back", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const ids = [uuidv7()];
  vi.setSystemTime(Date.now() - 3_600_000);
  for (let count = 0; count < 10_000; count += 1) ids.push(uuidv7());
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});
