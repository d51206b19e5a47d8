import { RecordStatus } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import type { Outcome } from "../../core/imports/judge/decision.js";
import type { Run } from "../../core/imports/run.js";
import { timeZoneStatements } from "./time-zone-counts.js";

test("the counts of several locations are locked in the same order by all imports", () => {
  const run = {
    identity: { organizationId: "o", createdAt: "2026-04-01T12:00:00.000Z" },
    origin: {},
  } as unknown as Run;
  const createdAt = (id: string) =>
    ({
      status: RecordStatus.Created,
      uuid: `record at ${id}`,
      type: 1,
      location: { id, utcOffsetSeconds: 0, localTime: 0 },
    }) as unknown as Outcome;
  const statements = timeZoneStatements(run, ["b", "d", "a", "c", "a"].map(createdAt));
  for (const { values } of statements)
    expect(
      JSON.parse(String(values?.[3])).map((counts: { location_id: string }) => counts.location_id),
    ).toEqual(["a", "b", "c", "d"]);
  expect(statements).toHaveLength(2);
});
