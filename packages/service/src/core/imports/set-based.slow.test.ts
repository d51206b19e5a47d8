import { beforeAll, expect, test, vi } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { rowsReadBy } from "../../../testing/rows-read.js";
import { roundTripsOf } from "../../../testing/statements.js";

const gatehouse = useApp();
const readBy = (work: () => Promise<unknown>) => rowsReadBy(gatehouse.database, tables, work);

const tables = [
  ...["transactions", "accounts", "contacts", "vehicles", "subscriptions", "locations"],
  ...["import_exceptions", "import_runs"],
];
const records = (partner: Importer, count: number, start = 0) =>
  Array.from({ length: count }, (_, index) => {
    const number = start + index;
    return partner.transaction(`T-${number}`, {
      account: { tpReferenceId: `A-${number}`, name: "Acme" },
      contact: { email: `p${number}@example.com`, phoneNumber: `+1-${5_550_000 + number}` },
      vehicle: { licensePlate: `CAR ${number}` },
      subscription: { tpReferenceId: `S-${number}` },
    });
  });

beforeAll(async () => {
  // These tests use databases without statistics.
  for (const table of tables) {
    await gatehouse.database.work.query(`alter table ${table} set (autovacuum_enabled = off)`);
  }
  // For a small table without statistics, PostgreSQL expects one row per organization, and any index that
  // begins with the organization seems as good as the key's. So each test begins with stored data of another
  // organization.
  const other = await importer(gatehouse);
  for (let start = 0; start < 2_000; start += 500)
    await other.post("transactions", { transactions: records(other, 500, start) });
});

test("the numbers of statements and round trips do not depend on the number of records", async () => {
  const few = await importer(gatehouse);
  const many = await importer(gatehouse);
  const count = async (partner: Importer, transactions: unknown[]) => {
    const outside = vi.spyOn(gatehouse.database.work, "query");
    const sending = () => partner.post("transactions", { transactions });
    const inside = await roundTripsOf(gatehouse.database.work, sending);
    const asked = outside.mock.calls.filter((call) =>
      JSON.stringify(call[0]).includes('"find-transactions-provided"'),
    );
    outside.mockRestore();
    return { statements: inside.flat().length + asked.length, roundTrips: inside.length + asked.length };
  };
  const changed = (partner: Importer, number: number) =>
    records(partner, number).map((record) => ({ ...record, cardType: "another" }));
  const wrong = (partner: Importer, number: number) =>
    records(partner, number, 1_000).map((record) => ({ ...record, contactUuid: "unknown" }));

  const created = await count(few, records(few, 2));
  expect(await count(many, records(many, 500))).toEqual(created);
  const skipped = await count(few, records(few, 2));
  expect(await count(many, records(many, 500))).toEqual(skipped);
  const differing = await count(few, changed(few, 2));
  expect(await count(many, changed(many, 500))).toEqual(differing);
  const failed = await count(few, wrong(few, 2));
  expect(await count(many, wrong(many, 500))).toEqual(failed);
  // Recognizing replays; begin, two for the lock timeout, the lock, the key and two look-ups; five tables; two for clock
  // signs and two for local days; the run and commit. Replays have begin, the lock timeout, whether they are stored here,
  // their exceptions, the lock and the key; the run and commit.
  expect(created).toEqual({ statements: 19, roundTrips: 4 });
  expect(skipped).toEqual({ statements: 10, roundTrips: 3 });
  // And the rejected values.
  expect(failed).toEqual({ statements: 12, roundTrips: 4 });
  // The stored records of changed keys are read first.
  expect(differing).toEqual({ statements: 12, roundTrips: 5 });
  // A single record is not recognized in advance.
  const one = await importer(gatehouse);
  expect(await count(one, records(one, 1))).toEqual({ statements: 18, roundTrips: 3 });
  expect(await count(one, records(one, 1))).toEqual({ statements: 10, roundTrips: 3 });
});

test("rows are written in the order of their keys", async () => {
  const partner = await importer(gatehouse);
  await partner.post("transactions", { transactions: records(partner, 50).toReversed() });
  const keys = {
    ...{ transactions: "transaction_id", accounts: "tp_reference_id", subscriptions: "tp_reference_id" },
    ...{ contacts: "email_key", vehicles: "plate_key" },
  };
  for (const [table, column] of Object.entries(keys)) {
    const { rows } = await gatehouse.database.work.query<{ key: string }>(
      `select ${column} as key from ${table} where organization_id = $1 order by ctid`,
      [partner.organizationId],
    );
    const stored = rows.map(({ key }) => key);
    expect(stored, table).toHaveLength(50);
    expect(stored, table).toEqual(stored.toSorted());
  }
});

test("look-ups use their indexes from the first batch on, and still do after the tables have grown without ANALYZE", async () => {
  const partner = await importer(gatehouse);
  const neighbour = await importer(gatehouse);
  for (let start = 0; start < 6_000; start += 500) {
    const own = await readBy(() =>
      partner.post("transactions", { transactions: records(partner, 500, start) }),
    );
    expect(own.sequential, `creating, with ${start} stored`).toBeLessThan(100);
    // Five look-ups and uniqueness checks per record, not thousands.
    expect(own.indexed, `creating, with ${start} stored`).toBeLessThan(20_000);
    await neighbour.post("transactions", { transactions: records(neighbour, 500, start) });
  }
  const replayed = await readBy(() => partner.post("transactions", { transactions: records(partner, 500) }));
  expect(replayed.sequential).toBeLessThan(100);
  expect(replayed.indexed).toBeLessThan(5_000);

  const changed = records(partner, 500, 500).map((record) => ({ ...record, cardType: "another" }));
  const compared = await readBy(() => partner.post("transactions", { transactions: changed }));
  expect(compared.sequential, "comparing with stored records").toBeLessThan(100);
  expect(compared.indexed, "comparing with stored records").toBeLessThan(10_000);

  const one = await readBy(() =>
    partner.post("transactions", { transactions: [partner.transaction("T-1")] }),
  );
  expect(one.sequential).toBeLessThan(100);
  expect(one.indexed).toBeLessThan(100);

  const run = (await partner.post("transactions", { transactions: records(partner, 500, 9_000) })).json;
  const fetched = await readBy(() => partner.get(run.referenceUuid));
  expect(fetched.sequential, "fetching a run").toBeLessThan(100);
  expect(fetched.indexed, "fetching a run").toBeLessThan(3_000);
});

test("look-ups of accounts and subscriptions use their indexes too", async () => {
  const partner = await importer(gatehouse);
  for (let start = 0; start < 3_000; start += 100) {
    const numbers = Array.from({ length: 100 }, (_, index) => start + index);
    const accounts = numbers.map((number) => ({ tpReferenceId: `A-${number}`, name: "Acme" }));
    const subscriptions = numbers.map((number) => ({
      tpReferenceId: `S-${number}`,
      accountTPReferenceId: `A-${number}`,
    }));
    const read = await readBy(async () => {
      await partner.post("accounts", { accounts });
      await partner.post("subscriptions", { subscriptions });
      await partner.post("subscriptions", {
        subscriptions: subscriptions.map((each) => ({ ...each, permitType: "other" })),
      });
    });
    expect(read.sequential, `with ${start} stored`).toBeLessThan(100);
    expect(read.indexed, `with ${start} stored`).toBeLessThan(5_000);
  }
});
