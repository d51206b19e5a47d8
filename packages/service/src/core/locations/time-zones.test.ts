import { expect, it } from "vitest";
import { checkTimeZone } from "./manage-locations.js";
import { listTimeZones } from "./time-zones.js";

it("zones are listed by today's names, once, and every one can be stored", () => {
  const zones = listTimeZones();
  expect(zones).toEqual(expect.arrayContaining(["Asia/Kolkata", "Europe/Kyiv", "America/New_York", "UTC"]));
  expect(zones).not.toContain("Asia/Calcutta");
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones.filter((zone) => checkTimeZone(zone) !== zone)).toEqual([]);
});
