import { expect, test } from "vitest";
import { localTime, relativeTime, shortTime, utcTime } from "./time.js";

const now = Date.parse("2026-04-01T12:00:00.000Z");

test.each([
  ["2026-04-01T11:59:30.000Z", "just now"],
  ["2026-04-01T11:58:01.000Z", "1 minute ago"],
  ["2026-04-01T11:00:20.000Z", "59 minutes ago"],
  ["2026-04-01T09:30:00.000Z", "2 hours ago"],
  ["2026-04-01T09:00:20.000Z", "2 hours ago"],
  ["2026-03-31T11:00:00.000Z", "yesterday"],
  ["2026-07-01T12:00:00.000Z", "in 3 months"],
  ["2025-09-01T12:00:00.000Z", "7 months ago"],
])("%s is %s, in whole units", (value, text) => {
  expect(relativeTime(value, now)).toBe(text);
});

test.each([
  ["2026-04-01T09:30:59.123Z", "09:30"],
  ["2026-03-31T23:05:00.000Z", "Mar 31, 23:05"],
  ["2025-12-31T00:00:00.000Z", "Dec 31, 2025, 00:00"],
])("%s is shown as %s", (value, text) => {
  expect(shortTime(value, now)).toBe(text);
});

test("an exact time names its zone", () => {
  expect(utcTime("2026-04-01T09:30:00.123Z")).toBe("2026-04-01 09:30:00 UTC");
});

test("a local time is shown with its zone, or in UTC if the browser does not know the zone", () => {
  expect(localTime("2026-04-01T03:30:00.123Z", "America/New_York")).toBe(
    "2026-03-31 23:30:00 America/New_York",
  );
  expect(localTime("2026-04-01T03:30:00.123Z", "Nowhere/Else")).toBe("2026-04-01 03:30:00 UTC");
});
