import { expect, test } from "vitest";
import { signedIn } from "../../testing/console.js";
import { useApp } from "../../testing/harness.js";

const gatehouse = useApp();
const hourMs = 3_600_000;

/** Sends what a day at a garage looks like; `send` says how the partner writes the time of a sale. */
async function warningsFor(
  timeZone: string,
  sales: { localHour: number; daysAgo: number }[],
  write: (localHour: number, daysAgo: number) => Date,
) {
  const tenant = await gatehouse.tenant({ location: { timeZone } });
  const viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
  const transactions = sales.map(({ localHour, daysAgo }, index) => ({
    transactionId: `T-${index}`,
    locationUuid: tenant.locationUuid,
    type: 1,
    transactionDate: write(localHour, daysAgo).toISOString(),
  }));
  const answer = await gatehouse.post("/integrations/transactions", tenant.apiKey, { transactions });
  expect(answer.json.failedCount).toBe(0);
  const path = `/organizations/${tenant.organizationId}/overview/clock-warnings`;
  return { ...tenant, warnings: (await viewer.get(path)).json.data };
}

/** 300 sales over ten past days: a morning and an evening rush, a quiet night. */
const garage = Array.from({ length: 300 }, (_, index) => ({
  localHour: [6, 7, 8, 8, 9, 12, 13, 16, 17, 18, 18, 19, 20, 21, 22][index % 15] as number,
  daysAgo: 2 + (index % 10),
}));
const midnightUtc = () => Math.floor(Date.now() / (24 * hourMs)) * 24 * hourMs;
const asLocalWithZ = (localHour: number, daysAgo: number) =>
  new Date(midnightUtc() - daysAgo * 24 * hourMs + localHour * hourMs);
const asUtc = (offsetHours: number) => (localHour: number, daysAgo: number) =>
  new Date(asLocalWithZ(localHour, daysAgo).getTime() - offsetHours * hourMs);

test("east of UTC: sales that are dated after they arrived, by no more than the offset", async () => {
  const now = Date.now();
  // Reported at once, with the clock on the wall: five and a half hours ahead.
  const { warnings, locationUuid } = await warningsFor(
    "Asia/Kolkata",
    Array.from({ length: 40 }, (_, index) => ({ localHour: index, daysAgo: 0 })),
    (index) => new Date(now + 5.5 * hourMs - index * 60_000),
  );
  expect(warnings).toMatchObject([{ locationUuid, sign: "future", sampled: 40, suspicious: 40 }]);
  expect(warnings[0].explanation).toContain("+05:30");
  expect(warnings[0].examples).toHaveLength(3);
});

test.each([
  "America/Los_Angeles",
  "America/Chicago",
  "America/New_York",
  "America/Halifax",
  "Asia/Singapore",
  "Australia/Sydney",
])("%s: the small hours are busy as stored and empty as written", async (timeZone) => {
  const { warnings, locationUuid } = await warningsFor(timeZone, garage, asLocalWithZ);
  expect(warnings).toMatchObject([{ locationUuid, sign: "shifted", sampled: 300 }]);
});

test.each([
  ["America/Los_Angeles", -8],
  ["America/New_York", -5],
  ["Europe/London", 0],
  ["Asia/Kolkata", 5.5],
  ["Asia/Tokyo", 9],
])("the same garage sent in UTC from %s is not warned about", async (timeZone, offset) => {
  expect((await warningsFor(timeZone, garage, asUtc(offset))).warnings).toEqual([]);
});

test("a place that is busy around the clock is not warned about", async () => {
  const airport = Array.from({ length: 300 }, (_, index) => ({
    localHour: index % 24,
    daysAgo: 2 + (index % 10),
  }));
  expect((await warningsFor("America/Los_Angeles", airport, asUtc(-8))).warnings).toEqual([]);
});

test("reservations and dates far ahead are no sign, and neither are a few clocks that run fast", async () => {
  const now = Date.now();
  const tenant = await gatehouse.tenant({ location: { timeZone: "Asia/Tokyo" } });
  const viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
  const record = (index: number, type: number, aheadMs: number) => ({
    transactionId: `${type}-${index}-${aheadMs}`,
    locationUuid: tenant.locationUuid,
    type,
    transactionDate: new Date(now + aheadMs).toISOString(),
  });
  const many = (count: number, type: number, aheadMs: number) =>
    Array.from({ length: count }, (_, index) => record(index, type, aheadMs));
  await gatehouse.post("/integrations/transactions", tenant.apiKey, {
    transactions: [
      ...many(50, 4, 2 * hourMs),
      ...many(50, 1, 48 * hourMs),
      ...many(9, 1, hourMs),
      ...many(50, 1, 60_000),
    ],
  });
  const { json } = await viewer.get(`/organizations/${tenant.organizationId}/overview/clock-warnings`);
  expect(json.data).toEqual([]);
});
