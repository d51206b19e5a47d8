import { describe, expect, it } from "vitest";
import { localTime, relativeTime, utcTime } from "./time.js";

const now = Date.parse("2026-04-01T12:00:00.000Z");

describe("times for people", () => {
  it("are told from now, in the largest whole unit", () => {
    expect(relativeTime("2026-04-01T11:59:30.000Z", now)).toBe("just now");
    expect(relativeTime("2026-04-01T11:58:00.000Z", now)).toBe("2 minutes ago");
    expect(relativeTime("2026-04-01T09:30:00.000Z", now)).toBe("2 hours ago");
    expect(relativeTime("2026-03-31T11:00:00.000Z", now)).toBe("yesterday");
    expect(relativeTime("2026-07-01T12:00:00.000Z", now)).toBe("in 3 months");
  });

  it("name their zone when they are exact", () => {
    expect(utcTime("2026-04-01T09:30:00.123Z")).toBe("2026-04-01 09:30:00 UTC");
  });

  it("show the clock of a place, and UTC where its zone is not known", () => {
    expect(localTime("2026-04-01T03:30:00.123Z", "America/New_York")).toBe(
      "2026-03-31 23:30:00 America/New_York",
    );
    expect(localTime("2026-04-01T03:30:00.123Z", "Nowhere/Else")).toBe("2026-04-01 03:30:00 UTC");
  });
});
