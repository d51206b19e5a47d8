import { expect, test } from "vitest";
import { hoursOfLocalDay, localHours, startOfLocalDay } from "./local-calendar.js";

const iso = (moment: number) => new Date(moment).toISOString();

test.each([
  ["New York, spring", "America/New_York", "2026-03-08", 23, "2026-03-08T05:00:00.000Z"],
  ["New York, autumn", "America/New_York", "2026-11-01", 25, "2026-11-01T04:00:00.000Z"],
  ["New York, any day", "America/New_York", "2026-04-01", 24, "2026-04-01T04:00:00.000Z"],
  ["London, spring", "Europe/London", "2026-03-29", 23, "2026-03-29T00:00:00.000Z"],
  ["London, autumn", "Europe/London", "2026-10-25", 25, "2026-10-24T23:00:00.000Z"],
  ["Sydney, autumn in April", "Australia/Sydney", "2026-04-05", 25, "2026-04-04T13:00:00.000Z"],
  ["Sydney, spring in October", "Australia/Sydney", "2026-10-04", 23, "2026-10-03T14:00:00.000Z"],
  ["Lord Howe, half an hour back", "Australia/Lord_Howe", "2026-04-05", 24.5, "2026-04-04T13:00:00.000Z"],
  ["Lord Howe, half an hour forward", "Australia/Lord_Howe", "2026-10-04", 23.5, "2026-10-03T13:30:00.000Z"],
  ["Kolkata, without clock changes", "Asia/Kolkata", "2026-10-25", 24, "2026-10-24T18:30:00.000Z"],
  [
    "Beirut, forward at midnight: the day begins at 01:00",
    "Asia/Beirut",
    "2026-03-29",
    23,
    "2026-03-28T22:00:00.000Z",
  ],
  [
    "Beirut, back at midnight: the previous day is longer",
    "Asia/Beirut",
    "2026-10-24",
    25,
    "2026-10-23T21:00:00.000Z",
  ],
  ["Havana, where 00:00 occurs twice", "America/Havana", "2026-11-01", 25, "2026-11-01T04:00:00.000Z"],
  ["Apia, where a date was skipped", "Pacific/Apia", "2011-12-30", 0, "2011-12-30T10:00:00.000Z"],
])("%s", (_what, zone, date, hours, start) => {
  expect(iso(startOfLocalDay(zone, date))).toBe(start);
  expect(hoursOfLocalDay(zone, date)).toBe(hours);
});

const labels = (zone: string, date: string) =>
  localHours(zone, date).map(({ hour, offsetSeconds }) => `${hour} ${offsetSeconds / 3600}`);

test("an autumn day has one hour twice with different offsets, and a spring day lacks an hour", () => {
  const autumn = labels("America/New_York", "2026-11-01");
  expect(autumn).toHaveLength(25);
  expect(autumn.slice(0, 4)).toEqual(["0 -4", "1 -4", "1 -5", "2 -5"]);
  const spring = labels("America/New_York", "2026-03-08");
  expect(spring).toHaveLength(23);
  expect(spring.slice(0, 3)).toEqual(["0 -5", "1 -5", "3 -4"]);
  expect(labels("Asia/Beirut", "2026-03-29")[0]).toBe("1 3");
  expect(labels("America/Havana", "2026-11-01").slice(0, 3)).toEqual(["0 -4", "0 -5", "1 -5"]);
});

test("a clock change at 00:01 gives an hour of one minute, as in St. John's until 2011", () => {
  const hours = localHours("America/St_Johns", "2011-03-13");
  expect(hours.slice(0, 2).map(({ hour, startsAt }) => [hour, iso(startsAt)])).toEqual([
    [0, "2011-03-13T03:30:00.000Z"],
    [1, "2011-03-13T03:31:00.000Z"],
  ]);
  expect(hoursOfLocalDay("America/St_Johns", "2011-03-13")).toBe(23);
});

test("in a zone with a half-hour offset, hours begin at half past", () => {
  const [first] = localHours("Asia/Kolkata", "2026-04-01");
  expect(iso(first?.startsAt ?? 0)).toBe("2026-03-31T18:30:00.000Z");
  const lordHowe = localHours("Australia/Lord_Howe", "2026-04-05");
  expect(lordHowe.map(({ hour, offsetSeconds }) => `${hour} ${offsetSeconds / 3600}`).slice(0, 4)).toEqual([
    "0 11",
    "1 11",
    "1 10.5",
    "2 10.5",
  ]);
});
