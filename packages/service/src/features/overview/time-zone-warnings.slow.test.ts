import { expect, test } from "vitest";
import { signedIn } from "../../../testing/console.js";
import { useApp, type Tenant } from "../../../testing/harness.js";
import { uploaderOf } from "../../../testing/uploader.js";
import { RunDetailsSweep } from "../../core/imports/history/run-details-sweep.js";
import { clockSigns, noKey } from "./time-zone-counts.js";
import { createLocation } from "../../core/locations/manage-locations.js";
import { createApiKey, type NewApiKey } from "../../core/organizations/api-keys.js";

const gatehouse = useApp();
const hourMs = 3_600_000;

/** Sends a typical day of a garage; `send` says how the partner writes the time of a sale. */
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
  return { ...tenant, warnings: (await viewer.get(clockWarningsOf(tenant))).json.data };
}

function clockWarningsOf({ organizationId }: Tenant): string {
  return `/organizations/${organizationId}/overview/clock-warnings`;
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

test("east of UTC: sales that are dated after their arrival by at most the offset cause a warning", async () => {
  const now = Date.now();
  // Reported at once, with the local time of a zone that is 5:30 ahead.
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
])("%s: the night hours are busy as stored but empty as written", async (timeZone) => {
  const { warnings, locationUuid } = await warningsFor(timeZone, garage, asLocalWithZ);
  expect(warnings).toMatchObject([{ locationUuid, sign: "shifted", sampled: 300 }]);
});

test.each([
  ["America/Los_Angeles", -8],
  ["America/New_York", -5],
  ["Europe/London", 0],
  ["Asia/Kolkata", 5.5],
  ["Asia/Tokyo", 9],
])("the same garage gets no warning if it sends UTC from %s", async (timeZone, offset) => {
  expect((await warningsFor(timeZone, garage, asUtc(offset))).warnings).toEqual([]);
});

test("a location that is busy around the clock gets no warning", async () => {
  const airport = Array.from({ length: 300 }, (_, index) => ({
    localHour: index % 24,
    daysAgo: 2 + (index % 10),
  }));
  expect((await warningsFor("America/Los_Angeles", airport, asUtc(-8))).warnings).toEqual([]);
});

test("reservations, dates far ahead and a few fast clocks cause no warning", async () => {
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
  const { json } = await viewer.get(clockWarningsOf(tenant));
  expect(json.data).toEqual([]);
});

/** A second key of the organization. */
async function anotherKey({ organizationId }: Tenant, name: string): Promise<NewApiKey> {
  return createApiKey(gatehouse.database.work, { organizationId, name, actor: "test" });
}

const salesAt = (
  prefix: string,
  locationUuid: string,
  write: (localHour: number, daysAgo: number) => Date,
) => ({
  transactions: garage.map(({ localHour, daysAgo }, index) => ({
    transactionId: `${prefix}-${index}`,
    locationUuid,
    type: 1,
    transactionDate: write(localHour, daysAgo).toISOString(),
  })),
});

test("each partner is evaluated separately at each location", async () => {
  const timeZone = "America/Los_Angeles";
  const tenant = await gatehouse.tenant({ location: { timeZone } });
  const busy = await createLocation(gatehouse.database.work, {
    organizationId: tenant.organizationId,
    name: "Busy garage",
    address: "2 Main Street",
    city: "Oakland",
    state: "CA",
    zipcode: "94601",
    timeZone,
    actor: "test",
  });
  const wrong = await anotherKey(tenant, "Wrong clock");
  const send = (key: string, body: object) => gatehouse.post("/integrations/transactions", key, body);
  await send(wrong.key, salesAt("wrong", tenant.locationUuid, asLocalWithZ));
  // Far more correct transactions, at the same place and elsewhere with the same key, and an upload.
  const admin = await uploaderOf(gatehouse, tenant, "admin");
  const uploaded: object[] = [];
  for (let round = 0; round < 10; round += 1) {
    await send(tenant.apiKey, salesAt(`right-${round}`, tenant.locationUuid, asUtc(-8)));
    await send(wrong.key, salesAt(`elsewhere-${round}`, busy.uuid, asUtc(-8)));
    uploaded.push(...salesAt(`upload-${round}`, tenant.locationUuid, asUtc(-8)).transactions);
  }
  expect(await admin.run(JSON.stringify(uploaded))).toMatchObject({ state: "finished", created: 3_000 });
  const { json } = await admin.person.get(clockWarningsOf(tenant));
  expect(json.data).toMatchObject([
    {
      locationUuid: tenant.locationUuid,
      sign: "shifted",
      sampled: 300,
      apiKey: { uuid: wrong.uuid, name: "Wrong clock" },
    },
  ]);
  expect(json.data[0].examples).toHaveLength(3);
});

test("a warning about files that were uploaded in the console says so", async () => {
  const tenant = await gatehouse.tenant({ location: { timeZone: "America/Los_Angeles" } });
  const admin = await uploaderOf(gatehouse, tenant, "admin");
  const ran = await admin.run(JSON.stringify(salesAt("upload", tenant.locationUuid, asLocalWithZ)));
  expect(ran).toMatchObject({ state: "finished", created: 300 });
  const { json } = await admin.person.get(clockWarningsOf(tenant));
  expect(json.data).toMatchObject([{ sign: "shifted", sampled: 300, apiKey: null }]);
});

test("validated, skipped and failed records are not counted", async () => {
  const tenant = await gatehouse.tenant({ location: { timeZone: "America/Los_Angeles" } });
  const body = salesAt("checked", tenant.locationUuid, asLocalWithZ);
  await gatehouse.post("/integrations/transactions/validate", tenant.apiKey, body);
  const counted = async () => {
    const { rows } = await gatehouse.database.work.query(
      "select coalesce(sum(sampled), 0)::int as sampled from clock_signs where organization_id = $1",
      [tenant.organizationId],
    );
    return rows[0].sampled as number;
  };
  expect(await counted()).toBe(0);
  await gatehouse.post("/integrations/transactions", tenant.apiKey, body);
  await gatehouse.post("/integrations/transactions", tenant.apiKey, body);
  expect(await counted()).toBe(300);
});

test("a warning ends after enough correct transactions or a month", async () => {
  const tenant = await gatehouse.tenant({ location: { timeZone: "Asia/Kolkata" } });
  const viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
  const plant = (daysAgo: number, sampled: number, future: number) =>
    gatehouse.database.work.query(
      `insert into clock_signs
       select $1, $2, $3, current_date - $4::int, $5, $6, 0, 0, 20000, 20040, 19800, '{}', '{}'`,
      [tenant.organizationId, noKey, tenant.locationUuid, daysAgo, sampled, future],
    );
  const warned = async () => (await viewer.get(clockWarningsOf(tenant))).json.data.length as number;
  await plant(40, 1_000, 1_000);
  expect(await warned()).toBe(0);
  await plant(9, 1_500, 1_500);
  expect(await warned()).toBe(1);
  await plant(8, 1_900, 0);
  expect(await warned()).toBe(1);
  await plant(7, 200, 0);
  expect(await warned()).toBe(0);
});

test("old counts are deleted", async () => {
  const tenant = await gatehouse.tenant();
  await gatehouse.database.work.query(
    `insert into clock_signs
     select $1, $2, $3, current_date - days, 1, 0, 0, 0, 20000, 20000, 0, '{}', '{}'
     from unnest(array[1, 29, 33, 400]) as days`,
    [tenant.organizationId, noKey, tenant.locationUuid],
  );
  await new RunDetailsSweep(gatehouse.database.console, clockSigns).sweep();
  const { rows } = await gatehouse.database.work.query(
    "select (current_date - day)::int as days from clock_signs where organization_id = $1 order by 1",
    [tenant.organizationId],
  );
  expect(rows.map(({ days }) => days)).toEqual([1, 29]);
});
