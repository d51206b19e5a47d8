import { afterEach, expect, test, vi } from "vitest";
import { useDatabase } from "../../testing/harness.js";
import { followDatabaseClock, nowMs } from "./clock.js";

const of = useDatabase();
const hourMs = 3_600_000;
/** Far longer than a query takes. */
const toleranceMs = 10_000;
let stop: (() => void) | undefined;
afterEach(() => {
  stop?.();
  vi.useRealTimers();
});

const never = (error: unknown) => {
  throw error;
};

test("the clock follows the database when the machine's clock is wrong or jumps", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const trueMs = Date.now();
  vi.setSystemTime(trueMs + 7 * hourMs);
  expect(nowMs()).toBeGreaterThanOrEqual(trueMs + 7 * hourMs);
  stop = await followDatabaseClock(of.database.work, never);
  expect(Math.abs(nowMs() - trueMs)).toBeLessThan(toleranceMs);
  const before = nowMs();
  for (const hours of [-9, 0, 12]) {
    vi.setSystemTime(trueMs + hours * hourMs);
    expect(nowMs()).toBeGreaterThanOrEqual(before);
    expect(nowMs() - trueMs).toBeLessThan(toleranceMs);
  }
});

test("without a database the machine's clock is used, and the failure is reported", async () => {
  const failures: unknown[] = [];
  const pool = { query: () => Promise.reject(new Error("gone")) };
  stop = await followDatabaseClock(pool as never, (error) => failures.push(error));
  expect(failures).toEqual([new Error("gone")]);
  expect(Math.abs(nowMs() - Date.now())).toBeLessThan(toleranceMs);
});
