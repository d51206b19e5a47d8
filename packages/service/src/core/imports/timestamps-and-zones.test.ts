import { expect, test } from "vitest";
import { createLocation, updateLocation } from "../locations/manage-locations.js";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";

const gatehouse = useApp();

const anyTime = "must be an existing date and time with a zone, such as 2026-04-01T14:30:00Z";
const anyDate =
  "must be an existing date, or date and time with a zone, such as 2026-04-01 or 2026-04-01T14:30:00Z";

const accepted: [string, string][] = [
  ["2026-04-01T14:30:00Z", "2026-04-01T14:30:00.000Z"],
  ["2026-04-01T14:30:00.000Z", "2026-04-01T14:30:00.000Z"],
  ["2026-04-01T14:30:00.1Z", "2026-04-01T14:30:00.100Z"],
  ["2026-04-01T14:30:00.999999999Z", "2026-04-01T14:30:00.999Z"],
  ["2026-04-01T14:30:00+00:00", "2026-04-01T14:30:00.000Z"],
  ["2026-04-01T00:30:00+05:30", "2026-03-31T19:00:00.000Z"],
  ["2026-04-01T00:30:00-0400", "2026-04-01T04:30:00.000Z"],
  ["2026-04-01T00:30:00+02", "2026-03-31T22:30:00.000Z"],
  ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59.000Z"],
  ["1900-01-01T00:00:00Z", "1900-01-01T00:00:00.000Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
];
const refused = [
  "2026-04-01T14:30:00",
  "2026-04-01T14:30Z",
  "2026-04-01 14:30:00Z",
  "2026-04-01t14:30:00z",
  "2026-02-30T00:00:00Z",
  "2025-02-29T00:00:00Z",
  "2026-04-31T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-00-01T00:00:00Z",
  "2026-04-00T00:00:00Z",
  "2026-04-01T24:00:00Z",
  "2026-04-01T23:60:00Z",
  "2026-06-30T23:59:60Z",
  "2026-04-01T00:00:00+24:00",
  "2026-04-01T00:00:00+05:",
  "2026-04-01T00:00:00+05:60",
  "2026-04-01T00:00:00+5",
  "2026-04-01T00:00:00.Z",
  "2026-04-01T00:00:00,5Z",
  "20260401T000000Z",
  "10000-01-01T00:00:00Z",
  "-0001-01-01T00:00:00Z",
  "0000-01-01T00:00:00+01:00",
  "9999-12-31T23:59:59-01:00",
  "2026-04-01T00:00:00Z\n",
  " 2026-04-01T00:00:00Z",
  "April 1, 2026",
  "1775053800000",
  "now",
];
const dates: [string, string][] = [
  ["2026-04-01", "2026-04-01T00:00:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
];

const transactionFields = {
  transactionDate: "transaction_date",
  sessionStart: "session_start",
  sessionEnd: "session_end",
  scheduledArrival: "scheduled_arrival",
  scheduledExit: "scheduled_exit",
};
for (const [field, column] of Object.entries(transactionFields)) {
  /** @covers R12, R13, R88, R97, reading 24 */
  test(`${field} accepts a date and time with a zone, and is stored as that instant`, async () => {
    const partner = await importer(gatehouse);
    const run = await partner.importTransactions(
      ...accepted.map(([sent]) => partner.transaction(sent, { [field]: sent })),
    );
    expect(run.failedCount, JSON.stringify(run.results)).toBe(0);
    const rows = await partner.rows("transactions");
    expect(rows.map((row) => row[column].toISOString())).toEqual(accepted.map(([, moment]) => moment));

    const bad = [...refused, ...dates.map(([date]) => date)];
    const wrong = await partner.importTransactions(
      ...bad.map((sent) => partner.transaction(sent, { [field]: sent })),
    );
    for (const result of wrong.results) {
      expect(result, result.reference).toMatchObject({ reasonCode: 5, errorDetail: `${field} ${anyTime}` });
    }
    for (const value of [1775053800000, true, {}, []]) {
      expect(await partner.outcomeOf({ [field]: value })).toMatchObject({
        reasonCode: 5,
        errorDetail: `${field} must be a string`,
      });
    }
  });
}

for (const field of ["startDate", "endDate"]) {
  /** @covers R180, reading 24 */
  test(`${field} of a subscription also accepts a date without a time, which means midnight UTC`, async () => {
    const partner = await importer(gatehouse);
    await partner.importAccounts({ tpReferenceId: "A-1", name: "Acme" });
    const subscription = (sent: string) => ({
      tpReferenceId: sent,
      accountTPReferenceId: "A-1",
      [field]: sent,
    });
    const good = [...accepted, ...dates];
    const run = await partner.importSubscriptions(...good.map(([sent]) => subscription(sent)));
    expect(run.failedCount, JSON.stringify(run.results)).toBe(0);
    const rows = await partner.rows("subscriptions");
    const column = field === "startDate" ? "start_date" : "end_date";
    expect(rows.map((row) => row[column].toISOString())).toEqual(good.map(([, moment]) => moment));

    const bad = [...refused, "2026-02-30", "2026-4-1", "2026", "2026-04-01Z"];
    const atTop = await partner.importSubscriptions(...bad.map(subscription));
    for (const result of atTop.results) {
      expect(result, result.reference).toMatchObject({ reasonCode: 5, errorDetail: `${field} ${anyDate}` });
    }
    const nested = await partner.importTransactions(
      ...bad.map((sent) => partner.transaction(sent, { subscription: subscription(sent) })),
    );
    for (const result of nested.results) {
      expect(result).toMatchObject({ reasonCode: 5, errorDetail: `subscription.${field} ${anyDate}` });
    }
  });
}

interface Stored {
  time_zone: string;
  utc_offset_seconds: number;
  local_date: string;
}

/** The stored values of transactions at these times in the zone. */
async function storedIn(partner: Importer, timeZone: string, moments: string[]): Promise<Stored[]> {
  const { uuid } = await createLocation(gatehouse.database.work, {
    organizationId: partner.organizationId,
    name: timeZone,
    address: "1 Main Street",
    city: "City",
    state: "ST",
    zipcode: "00000",
    timeZone,
    actor: "test",
  });
  const run = await partner.importTransactions(
    ...moments.map((transactionDate) =>
      partner.transaction(`${timeZone} ${transactionDate}`, { locationUuid: uuid, transactionDate }),
    ),
  );
  expect(run.failedCount, JSON.stringify(run.results)).toBe(0);
  const rows = (await partner.rows("transactions")) as Stored[];
  return rows.filter((row) => row.time_zone === timeZone);
}

const hours = (offset: number) => offset * 3600;
const clocks: [string, [string, string, number][]][] = [
  [
    "America/New_York",
    [
      ["2026-04-01T03:30:00Z", "2026-03-31", hours(-4)],
      ["2026-04-01T04:00:00Z", "2026-04-01", hours(-4)],
      // Both occurrences of 01:30 in the night when daylight saving time ends, and the hours around the gap
      // in spring.
      ["2026-11-01T05:30:00Z", "2026-11-01", hours(-4)],
      ["2026-11-01T06:30:00Z", "2026-11-01", hours(-5)],
      ["2026-03-08T06:59:59.999Z", "2026-03-08", hours(-5)],
      ["2026-03-08T07:00:00Z", "2026-03-08", hours(-4)],
      // Before standard time, clocks showed solar time.
      ["1850-01-01T00:00:00Z", "1849-12-31", -17_762],
      ["0000-01-01T00:00:00Z", "0002-12-31 BC", -17_762],
      ["9999-12-31T23:59:59.999Z", "9999-12-31", hours(-5)],
    ],
  ],
  [
    "Asia/Kolkata",
    [
      ["2026-04-01T18:29:59Z", "2026-04-01", hours(5.5)],
      ["2026-04-01T18:30:00Z", "2026-04-02", hours(5.5)],
    ],
  ],
  [
    "Australia/Lord_Howe",
    [
      ["2026-04-04T14:59:59Z", "2026-04-05", hours(11)],
      ["2026-04-04T15:00:00Z", "2026-04-05", hours(10.5)],
    ],
  ],
  [
    "Pacific/Kiritimati",
    [
      ["2026-04-01T10:00:00Z", "2026-04-02", hours(14)],
      ["9999-12-31T23:59:59.999Z", "10000-01-01", hours(14)],
      ["0000-01-01T00:00:00Z", "0002-12-31 BC", -37_760],
    ],
  ],
  [
    "CET",
    [
      ["2026-01-15T23:30:00Z", "2026-01-16", hours(1)],
      ["2026-07-15T22:30:00Z", "2026-07-16", hours(2)],
    ],
  ],
  [
    "MET",
    [
      ["2026-01-15T22:30:00Z", "2026-01-15", hours(1)],
      ["2026-07-15T22:30:00Z", "2026-07-16", hours(2)],
    ],
  ],
  [
    "EST5EDT",
    [
      ["2026-01-15T04:30:00Z", "2026-01-14", hours(-5)],
      ["2026-07-15T04:30:00Z", "2026-07-15", hours(-4)],
    ],
  ],
  // Newfoundland changed its clocks at 00:01: in autumn back into the previous day.
  [
    "America/St_Johns",
    [
      ["2010-11-07T02:30:30Z", "2010-11-07", hours(-2.5)],
      ["2010-11-07T02:31:00Z", "2010-11-06", hours(-3.5)],
      ["2010-11-07T02:30:59.999Z", "2010-11-07", hours(-2.5)],
    ],
  ],
  // Samoa skipped 30 December 2011.
  [
    "Pacific/Apia",
    [
      ["2011-12-30T09:59:59Z", "2011-12-29", hours(-10)],
      ["2011-12-30T10:00:00Z", "2011-12-31", hours(14)],
    ],
  ],
  ["UTC", [["2026-04-01T23:59:59.999Z", "2026-04-01", 0]]],
];
for (const [zone, moments] of clocks) {
  /** @covers R102, R104 */
  test(`a transaction stores the zone of its location and the local time: ${zone}`, async () => {
    const partner = await importer(gatehouse);
    const stored = await storedIn(
      partner,
      zone,
      moments.map(([moment]) => moment),
    );
    expect(stored.map((row, index) => [moments[index]?.[0], row.local_date, row.utc_offset_seconds])).toEqual(
      moments,
    );
  });
}

/** @covers R103 */
test("a transaction keeps its zone and local date when its location's zone changes later", async () => {
  const partner = await importer(gatehouse);
  const at = { transactionDate: "2026-04-01T03:30:00Z" };
  await partner.importTransactions(partner.transaction("T-1", at));
  await updateLocation(gatehouse.database.work, {
    locationId: partner.locationUuid,
    timeZone: "Europe/Berlin",
    actor: "test",
  });
  await partner.importTransactions(partner.transaction("T-1", at), partner.transaction("T-2", at));
  expect(await partner.rows("transactions")).toMatchObject([
    {
      transaction_id: "T-1",
      time_zone: "America/New_York",
      local_date: "2026-03-31",
      utc_offset_seconds: -14400,
    },
    { transaction_id: "T-2", time_zone: "Europe/Berlin", local_date: "2026-04-01", utc_offset_seconds: 7200 },
  ]);
});
