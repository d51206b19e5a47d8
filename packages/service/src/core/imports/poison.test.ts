import { afterEach, expect, test } from "vitest";
import type { ImportRun } from "@gatehouse-parking/contract";
import { useApp } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";
import { statementsOf } from "../../../testing/statements.js";

const gatehouse = useApp();
const sql = (text: string) => gatehouse.database.work.query(text);

/** From now on the database rejects rows of the table whose column has this value. */
async function poison(table: string, column: string, pattern: string, code = "P0001"): Promise<void> {
  await sql(`
    create or replace function refuse() returns trigger language plpgsql as $$
    begin
      if new.${column} like '${pattern}' then
        raise exception 'secret detail of %', new.${column} using errcode = '${code}';
      end if;
      return new;
    end $$;
    create trigger refuse before insert on ${table} for each row execute function refuse()`);
}

async function cure(): Promise<void> {
  await sql("drop function if exists refuse cascade");
}
afterEach(cure);

const statuses = (run: ImportRun) => run.results.map((result) => result.status);
const notStored = {
  status: 4,
  reasonCode: 99,
  errorDetail: "The record could not be stored; nothing of it was kept. Send it again.",
};

/** @covers R68-R70 */
test("a record that the database rejects is Failed 99, the others are committed, and it succeeds once the cause is fixed", async () => {
  const partner = await importer(gatehouse);
  const records = ["T-1", "T-2", "BAD", "T-3", "T-4"].map((id) =>
    partner.transaction(id, { account: { tpReferenceId: `A-${id}`, name: "Acme" } }),
  );
  await poison("transactions", "transaction_id", "BAD");
  const run = await partner.importTransactions(...records);
  expect(run).toMatchObject({ status: 3, successCount: 4, failedCount: 1 });
  expect(run.results[2]).toEqual({ reference: "BAD", ...notStored });
  expect(run.createdEntities).toEqual({ accounts: 4, contacts: 0, vehicles: 0, subscriptions: 0 });
  expect((await partner.rows("transactions")).map((row) => row["transaction_id"]).toSorted()).toEqual([
    "T-1",
    "T-2",
    "T-3",
    "T-4",
  ]);
  expect(await partner.count("accounts"), "nothing of the rejected record is stored").toBe(4);

  await cure();
  const again = await partner.importTransactions(records[2]);
  expect(again).toMatchObject({ status: 1, successCount: 1, createdEntities: { accounts: 1 } });
});

test("stored records are counted once, however often they were retried because of a rejected one", async () => {
  const partner = await importer(gatehouse);
  const bytesOf = async (): Promise<number> => {
    const { rows } = await gatehouse.database.work.query<{ bytes_net: number }>(
      "select bytes_net from import_turns where organization_id = $1",
      [partner.organizationId],
    );
    return rows[0]?.bytes_net ?? 0;
  };
  const counted = async (...ids: string[]): Promise<number> => {
    const before = await bytesOf();
    await partner.importTransactions(...ids.map((id) => partner.transaction(id)));
    return (await bytesOf()) - before;
  };
  const bytes = await counted("A-1", "A-2", "A-3", "A-4");
  await poison("transactions", "transaction_id", "BAD");
  // Each separately sent part has a header of a few bytes.
  const apart = (await counted("B-1", "B-2", "B-3", "B-4", "BAD")) - bytes;
  expect([apart >= 0, apart < 100]).toEqual([true, true]);
});

/** @covers R68, R69 */
test("an error of an extension with the code XX000 does not affect other records", async () => {
  const partner = await importer(gatehouse);
  await poison("transactions", "transaction_id", "BAD", "XX000");
  const run = await partner.importTransactions(...["T-1", "BAD", "T-2"].map((id) => partner.transaction(id)));
  expect(run).toMatchObject({ status: 3, successCount: 2, failedCount: 1 });
  expect(run.results[1]).toEqual({ reference: "BAD", ...notStored });
});

/** @covers R68, R69 */
test("an error while most of a large batch is not sent yet does not affect other records", async () => {
  const partner = await importer(gatehouse);
  const ids = ["T-1", "BAD", ...Array.from({ length: 98 }, (_, index) => `T-${index + 2}`)];
  await poison("transactions", "transaction_id", "BAD");
  const metadata = { note: "x".repeat(20_000) };
  const run = await partner.importTransactions(...ids.map((id) => partner.transaction(id, { metadata })));
  expect(run).toMatchObject({ successCount: 99, failedCount: 1 });
  expect(run.results[1]).toEqual({ reference: "BAD", ...notStored });
  expect(await partner.count("transactions")).toBe(99);
});

for (const [resource, column] of [
  ["accounts", "tp_reference_id"],
  ["subscriptions", "tp_reference_id"],
] as const) {
  /** @covers R68, R69 */
  test(`${resource}: a rejected record does not affect the others`, async () => {
    const partner = await importer(gatehouse);
    await partner.importAccounts({ tpReferenceId: "OWNER", name: "Owner" });
    await poison(resource, column, "BAD");
    const run = await partner.import(
      resource,
      ["R-1", "BAD", "R-2"].map((tpReferenceId) => ({
        tpReferenceId,
        name: "N",
        accountTPReferenceId: "OWNER",
      })),
    );
    expect(statuses(run)).toEqual([1, 4, 1]);
    expect(run.results[1]).toMatchObject(notStored);
  });
}

/** @covers R68 */
test("several rejected records are all found: at both ends, adjacent, or the whole batch", async () => {
  const partner = await importer(gatehouse);
  await poison("transactions", "transaction_id", "BAD%");
  const bad = new Set([0, 7, 8, 9, 31, 63]);
  const run = await partner.importTransactions(
    ...Array.from({ length: 64 }, (_, index) =>
      partner.transaction(`${bad.has(index) ? "BAD" : "T"}-${index}`),
    ),
  );
  expect(statuses(run)).toEqual(Array.from({ length: 64 }, (_, index) => (bad.has(index) ? 4 : 1)));
  expect(await partner.count("transactions")).toBe(58);

  const all = await partner.importTransactions(
    ...[1, 2, 3, 4, 5].map((n) => partner.transaction(`BAD ${n}`)),
  );
  expect(all).toMatchObject({ status: 2, failedCount: 5 });
});

/** @covers reading 2, reading 13 */
test("later records create what a rejected record would have created", async () => {
  const partner = await importer(gatehouse);
  await poison("transactions", "transaction_id", "BAD");
  const nested = {
    account: { tpReferenceId: "A-1", name: "Acme" },
    contact: { email: "jo@example.com" },
    vehicle: { licensePlate: "ABC" },
    subscription: { tpReferenceId: "S-1" },
  };
  const run = await partner.importTransactions(
    partner.transaction("T-1"),
    partner.transaction("BAD", nested),
    partner.transaction("T-2", { accountTPReferenceId: "A-1" }),
    partner.transaction("T-3", { subscriptionTPReferenceId: "S-1" }),
    partner.transaction("T-4", nested),
    partner.transaction("T-5", { accountTPReferenceId: "A-1", contact: { email: "JO@example.com" } }),
    partner.transaction("T-4"),
  );
  expect(run.results.map((result) => result.reasonCode ?? "created")).toEqual([
    "created",
    99,
    6,
    7,
    "created",
    "created",
    1,
  ]);
  expect(run.createdEntities).toEqual({ accounts: 1, contacts: 1, vehicles: 1, subscriptions: 1 });
  const transactions = await partner.rows("transactions");
  const account = (await partner.rows("accounts"))[0];
  expect(transactions.filter((row) => row["account_id"] === account?.["id"])).toHaveLength(2);
});

/** @covers R68 */
test("a nested entity that the database rejects fails only the records that contain it", async () => {
  const partner = await importer(gatehouse);
  await poison("vehicles", "plate_key", "BAD");
  const run = await partner.importTransactions(
    partner.transaction("T-1", { vehicle: { licensePlate: "OK 1" } }),
    partner.transaction("T-2", {
      vehicle: { licensePlate: "BAD" },
      account: { tpReferenceId: "A-1", name: "A" },
    }),
    partner.transaction("T-3", { vehicle: { licensePlate: "bad" } }),
    partner.transaction("T-4", { vehicle: { licensePlate: "OK 1" } }),
  );
  expect(statuses(run)).toEqual([1, 4, 4, 1]);
  expect(run.createdEntities).toEqual({ accounts: 0, contacts: 0, vehicles: 1, subscriptions: 0 });
});

test("a rejected record is found in a logarithmic number of attempts", async () => {
  const partner = await importer(gatehouse);
  await poison("transactions", "transaction_id", "BAD");
  const records = Array.from({ length: 500 }, (_, index) =>
    partner.transaction(index === 333 ? "BAD" : `T-${index}`),
  );
  const statements = await statementsOf(gatehouse.database.work, () =>
    partner.importTransactions(...records),
  );
  const savepoints = statements.filter((statement) => statement.startsWith("savepoint"));
  // The whole, then two halves of each part that holds it: 1 + 2 x 9.
  expect(savepoints.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(500)));
  expect(savepoints.length).toBeGreaterThan(1);
});

/** @covers R68 */
test("an unexpected error on one record fails only this record and leaves nothing behind", async () => {
  const partner = await importer(gatehouse);
  const elsewhere = await gatehouse.tenant();
  // A zone that this machine does not know, as after an update of the zone data on another machine.
  await gatehouse.database.work.query(
    "update locations set organization_id = $1, time_zone = 'Atlantis/Capital' where id = $2",
    [partner.organizationId, elsewhere.locationUuid],
  );
  const records = [
    partner.transaction("T-1"),
    partner.transaction("T-2", {
      locationUuid: elsewhere.locationUuid,
      account: { tpReferenceId: "A-1", name: "Acme" },
      vehicle: { licensePlate: "ABC" },
    }),
    partner.transaction("T-3", { accountTPReferenceId: "A-1" }),
    partner.transaction("T-2"),
    partner.transaction("T-4", { vehicle: { licensePlate: "ABC" } }),
  ];
  let run = {} as ImportRun;
  const statements = await statementsOf(gatehouse.database.work, async () => {
    run = await partner.importTransactions(...records);
  });
  // It does not cause a second attempt, because the database is not involved.
  expect(statements.filter((statement) => statement === "begin")).toHaveLength(1);
  expect(run.results[1]).toEqual({ reference: "T-2", ...notStored });
  expect(run.results.map((result) => result.reasonCode ?? "created")).toEqual([
    "created",
    99,
    6,
    "created",
    "created",
  ]);
  expect(run.createdEntities).toEqual({ accounts: 0, contacts: 0, vehicles: 1, subscriptions: 0 });
  expect(await partner.count("accounts")).toBe(0);
});

/** @covers R200, reading 20 */
test("if a look-up fails, the whole run fails", async () => {
  const partner = await importer(gatehouse);
  const work = gatehouse.database.work;
  await work.query("alter table locations rename column time_zone to zone");
  try {
    const answer = await partner.post("transactions", {
      transactions: [partner.transaction("T-1"), partner.transaction("T-2")],
    });
    expect(answer.status).toBe(500);
    expect(answer.json).toMatchObject({ failedCount: 2, successCount: 0 });
  } finally {
    await work.query("alter table locations rename column zone to time_zone");
  }
});

test("the log has the position and the error of a rejected record, but not its content", async () => {
  const partner = await importer(gatehouse);
  await poison("contacts", "email", "private@%");
  gatehouse.logged.length = 0;
  const run = await partner.importTransactions(
    partner.transaction("T-1"),
    partner.transaction("T-2", { contact: { email: "private@example.com", firstName: "Josephine" } }),
  );
  const lines = gatehouse.logged.filter((line) => line["referenceUuid"] === run.referenceUuid);
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: "storing a record failed",
      position: 1,
      err: expect.objectContaining({ code: "P0001" }),
    }),
  );
  expect(JSON.stringify(gatehouse.logged)).not.toMatch(/private@|Josephine/);
});
