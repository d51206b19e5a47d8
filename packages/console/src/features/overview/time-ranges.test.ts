import { expect, test } from "vitest";
import { daysOfMonth, recentMonths } from "./time-ranges.js";

test("recent months continue into the previous year", () => {
  const months = recentMonths(new Date("2026-02-28T23:00:00Z"));
  expect(months.slice(0, 4)).toEqual(["2026-02", "2026-01", "2025-12", "2025-11"]);
  expect(months).toHaveLength(24);
});

test("a month covers its first to its last day, and an invalid month is ignored", () => {
  expect(daysOfMonth("2024-02")).toEqual({ fromDate: "2024-02-01", toDate: "2024-02-29" });
  expect(daysOfMonth("2026-12")).toEqual({ fromDate: "2026-12-01", toDate: "2026-12-31" });
  for (const text of [null, "", "2026-13", "2026-1", "soon"]) expect(daysOfMonth(text)).toBeUndefined();
});
