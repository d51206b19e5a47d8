import { expect, test } from "vitest";
import { signedIn } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";
import { createLocation } from "../../core/locations/manage-locations.js";

const gatehouse = useApp();

async function place(timeZone: string) {
  const tenant = await gatehouse.tenant({ location: { timeZone } });
  const viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
  let count = 0;
  return {
    ...tenant,
    async sell(records: { at: string; amount?: number; fields?: object; location?: string }[]) {
      const answer = await gatehouse.post("/integrations/transactions", tenant.apiKey, {
        transactions: records.map(({ at, amount = 1, fields = {}, location = tenant.locationUuid }) => ({
          transactionId: `T-${(count += 1)}`,
          locationUuid: location,
          type: 1,
          transactionDate: at,
          amountTotal: amount,
          ...fields,
        })),
      });
      expect(answer.json.failedCount).toBe(0);
    },
    days: async (query: string) =>
      (await viewer.get(`/organizations/${tenant.organizationId}/overview/local-days?${query}`)).json,
    hours: async (date: string) =>
      (
        await viewer.get(
          `/organizations/${tenant.organizationId}/overview/local-hours?date=${date}&location=${tenant.locationUuid}`,
        )
      ).json,
  };
}

/** @covers R101 */
test("a sale at 03:30 UTC in New York counts on the previous local date", async () => {
  const newYork = await place("America/New_York");
  await newYork.sell([{ at: "2026-04-02T03:30:00.000Z", amount: 12.5 }]);
  const { days } = await newYork.days("fromDate=2026-04-01&toDate=2026-04-02");
  expect(days).toEqual([
    { date: "2026-04-01", transactions: 1, revenue: "12.5", refunded: "0", hours: null },
    { date: "2026-04-02", transactions: 0, revenue: "0", refunded: "0", hours: null },
  ]);
});

test("an autumn day of 25 hours shows both hours from 01:00 and counts each transaction once", async () => {
  const newYork = await place("America/New_York");
  await newYork.sell([
    { at: "2026-11-01T03:59:59.999Z" },
    { at: "2026-11-01T05:30:00.000Z", amount: 10 },
    { at: "2026-11-01T05:45:00.000Z", amount: 100 },
    { at: "2026-11-01T06:30:00.000Z", amount: 20 },
    { at: "2026-11-02T04:59:59.999Z", amount: 40 },
    { at: "2026-11-02T05:00:00.000Z" },
  ]);
  const { hours } = await newYork.hours("2026-11-01");
  expect(hours).toHaveLength(25);
  expect(hours[1]).toMatchObject({ label: "01:00", utcOffset: "-04:00", transactions: 2, revenue: "110" });
  expect(hours[2]).toMatchObject({ label: "01:00", utcOffset: "-05:00", transactions: 1, revenue: "20" });
  expect(hours[24]).toMatchObject({ label: "23:00", startsAt: "2026-11-02T04:00:00.000Z", revenue: "40" });
  const { days } = await newYork.days(
    `fromDate=2026-10-31&toDate=2026-11-02&location=${newYork.locationUuid}`,
  );
  expect(
    days.map((day: Record<string, unknown>) => [day["transactions"], day["revenue"], day["hours"]]),
  ).toEqual([
    [1, "1", 24],
    [4, "170", 25],
    [1, "1", 24],
  ]);
});

test("a short spring day has 23 hours and no 02:00, in New York and in London alike", async () => {
  const newYork = await place("America/New_York");
  await newYork.sell([{ at: "2026-03-08T06:59:00.000Z" }, { at: "2026-03-08T07:01:00.000Z" }]);
  const spring = (await newYork.hours("2026-03-08")).hours;
  expect(spring).toHaveLength(23);
  expect(spring[1]).toMatchObject({ label: "01:00", transactions: 1 });
  expect(spring[2]).toMatchObject({ label: "03:00", utcOffset: "-04:00", transactions: 1 });

  const london = await place("Europe/London");
  await london.sell([{ at: "2026-03-29T00:59:00.000Z" }, { at: "2026-03-29T01:01:00.000Z" }]);
  const hours = (await london.hours("2026-03-29")).hours;
  expect(hours).toHaveLength(23);
  expect(hours[0]).toMatchObject({ label: "00:00", transactions: 1 });
  expect(hours[1]).toMatchObject({ label: "02:00", utcOffset: "+01:00", transactions: 1 });
});

test("zones with offsets or changes of half an hour, or a change at midnight, are correct", async () => {
  const kolkata = await place("Asia/Kolkata");
  await kolkata.sell([{ at: "2026-04-01T18:29:00.000Z" }, { at: "2026-04-01T18:31:00.000Z" }]);
  expect((await kolkata.hours("2026-04-01")).hours[23]).toMatchObject({ label: "23:00", transactions: 1 });
  expect((await kolkata.hours("2026-04-02")).hours[0]).toMatchObject({ label: "00:00", transactions: 1 });

  const lordHowe = await place("Australia/Lord_Howe");
  await lordHowe.sell([{ at: "2026-04-04T14:45:00.000Z" }, { at: "2026-04-04T15:15:00.000Z" }]);
  const hours = (await lordHowe.hours("2026-04-05")).hours;
  expect(hours[1]).toMatchObject({ label: "01:00", utcOffset: "+11:00", transactions: 1 });
  expect(hours[2]).toMatchObject({ label: "01:00", utcOffset: "+10:30", transactions: 1 });

  const beirut = await place("Asia/Beirut");
  await beirut.sell([{ at: "2026-03-28T22:15:00.000Z" }]);
  expect((await beirut.hours("2026-03-29")).hours[0]).toMatchObject({ label: "01:00", transactions: 1 });
});

test("revenue is exact, refunds are separate, and each location uses its own calendar", async () => {
  const newYork = await place("America/New_York");
  const sydney = await createLocation(gatehouse.database.work, {
    organizationId: newYork.organizationId,
    name: "Sydney",
    address: "1 Street",
    city: "Sydney",
    state: "NSW",
    zipcode: "2000",
    timeZone: "Australia/Sydney",
    actor: "test",
  });
  await newYork.sell([
    { at: "2026-04-01T20:00:00.000Z", amount: 0.1 },
    { at: "2026-04-01T20:00:00.000Z", amount: 0.2 },
    { at: "2026-04-01T20:00:00.000Z", amount: 0.3, fields: { isRefunded: true } },
    { at: "2026-04-01T20:00:00.000Z", amount: 5, location: sydney.uuid },
  ]);
  const { days } = await newYork.days("fromDate=2026-04-01&toDate=2026-04-02");
  expect(days).toMatchObject([
    { date: "2026-04-01", transactions: 3, revenue: "0.3", refunded: "0.3" },
    { date: "2026-04-02", transactions: 1, revenue: "5" },
  ]);
});

test("transactions from before a change of the time zone are still shown", async () => {
  const moved = await place("America/New_York");
  await moved.sell([{ at: "2026-04-01T16:00:00.000Z" }]);
  await gatehouse.database.work.query("update locations set time_zone = 'Europe/London' where id = $1", [
    moved.locationUuid,
  ]);
  const { hours, timeZone } = await moved.hours("2026-04-01");
  expect(timeZone).toBe("Europe/London");
  expect(hours).toHaveLength(25);
  expect(hours.find((hour: { transactions: number }) => hour.transactions > 0)).toMatchObject({
    label: "12:00",
    utcOffset: "-04:00",
  });
});

test("the default range is the last 30 days at the location", async () => {
  const kiritimati = await place("Pacific/Kiritimati");
  await kiritimati.sell([{ at: new Date().toISOString() }]);
  const { days, toDate } = await kiritimati.days(`location=${kiritimati.locationUuid}`);
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toMatchObject({ date: toDate, transactions: 1 });
});

test("ranges are limited, and a location of another organization is not found", async () => {
  const newYork = await place("America/New_York");
  const other = await gatehouse.tenant();
  expect((await newYork.days("fromDate=2024-01-01&toDate=2026-01-01")).errors).toEqual([
    "The range must not be longer than 366 days",
  ]);
  expect((await newYork.days("fromDate=2026-02-30")).errors).toEqual([
    "fromDate must be a date such as 2026-04-01, in the years 1000 to 9998",
  ]);
  expect((await newYork.days(`location=${other.locationUuid}`)).code).toBe("notFound");
});

test.each(["9999-12-31", "9999-01-01", "0000-01-01", "0001-01-01", "0999-12-31", "2026-02-30"])(
  "a range or a day at the end of the calendar (%s) is rejected without iterating over it",
  async (date) => {
    const newYork = await place("America/New_York");
    const refused = expect.stringContaining("must be a date such as 2026-04-01");
    expect((await newYork.days(`toDate=${date}`)).errors).toEqual([refused]);
    expect((await newYork.days(`fromDate=${date}`)).errors).toEqual([refused]);
    expect((await newYork.hours(date)).errors).toEqual([refused]);
  },
);

test.each(["1000-01-01", "9998-12-31"])(
  "the first and the last accepted date (%s) are answered",
  async (date) => {
    const kiritimati = await place("Pacific/Kiritimati");
    const { days } = await kiritimati.days(`toDate=${date}&location=${kiritimati.locationUuid}`);
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toMatchObject({ date, hours: 24 });
    expect((await kiritimati.hours(date)).hours).toHaveLength(24);
  },
);
