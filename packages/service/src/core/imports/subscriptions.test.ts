import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";

const gatehouse = useApp();
const unknownUuid = "00000000-0000-4000-8000-000000000000";

async function withAccount(): Promise<{ partner: Importer; accountUuid: string }> {
  const partner = await importer(gatehouse);
  const run = await partner.importAccounts({ tpReferenceId: "A-1", name: "Acme" });
  return { partner, accountUuid: run.results[0]?.uuid as string };
}

/** @covers R185-R187 */
test("a subscription is attached to the account in accountUuid or accountTPReferenceId", async () => {
  const { partner, accountUuid } = await withAccount();
  const run = await partner.import(
    "subscriptions",
    [
      { tpReferenceId: "S-1", accountUuid },
      { tpReferenceId: "S-2", accountUuid: accountUuid.toUpperCase() },
      { tpReferenceId: "S-3", accountTPReferenceId: "A-1" },
      { tpReferenceId: "S-4", accountUuid: null, accountTPReferenceId: "A-1" },
      { tpReferenceId: "S-5", accountUuid, accountTPReferenceId: "unknown" },
    ],
    { metadata: { source: "permits" } },
  );
  expect(run).toMatchObject({ status: 1, successCount: 5 });
  const rows = await partner.rows("subscriptions");
  expect(rows.map((row) => row["account_id"])).toEqual(Array(5).fill(accountUuid));
});

/** @covers R188, R189, reading 8, reading 11 */
test("a subscription without an existing account is Failed 6", async () => {
  const { partner } = await withAccount();
  const required = "accountUuid or accountTPReferenceId is required to name an account of the organization";
  const cases: [object, string][] = [
    [{}, required],
    [{ accountUuid: null, accountTPReferenceId: null }, required],
    [{ accountUuid: unknownUuid }, "accountUuid does not name an account of the organization"],
    [{ accountUuid: "no uuid" }, "accountUuid does not name an account of the organization"],
    [{ accountUuid: "" }, "accountUuid does not name an account of the organization"],
    [
      { accountUuid: unknownUuid, accountTPReferenceId: "A-1" },
      "accountUuid does not name an account of the organization",
    ],
    [
      { accountTPReferenceId: "unknown" },
      "accountTPReferenceId does not name an account of the organization",
    ],
    [{ accountTPReferenceId: " " }, "accountTPReferenceId does not name an account of the organization"],
  ];
  for (const [fields, errorDetail] of cases) {
    expect(await partner.outcome("subscriptions", { tpReferenceId: "S-1", ...fields })).toMatchObject({
      status: 4,
      reasonCode: 6,
      errorDetail,
    });
  }
  for (const fields of [{ accountUuid: 7 }, { accountTPReferenceId: {} }]) {
    expect(await partner.outcome("subscriptions", { tpReferenceId: "S-1", ...fields })).toMatchObject({
      reasonCode: 5,
      errorDetail: expect.stringMatching(/^account\w+ must be a string$/),
    });
  }
  expect(await partner.count("subscriptions")).toBe(0);
});

/** @covers R190 */
test("this endpoint never creates an account: a nested account object is an unknown field", async () => {
  const { partner } = await withAccount();
  const account = { tpReferenceId: "A-2", name: "Beta" };
  expect(await partner.outcome("subscriptions", { tpReferenceId: "S-1", account })).toMatchObject({
    status: 4,
    reasonCode: 6,
  });
  expect(
    await partner.outcome("subscriptions", { tpReferenceId: "S-1", accountTPReferenceId: "A-2", account }),
  ).toMatchObject({
    reasonCode: 6,
    errorDetail: expect.stringContaining("accountTPReferenceId does not name"),
  });
  expect(
    await partner.outcome("subscriptions", {
      tpReferenceId: "S-1",
      accountTPReferenceId: "A-1",
      account: { tpReferenceId: 5, locationUuid: "nowhere" },
    }),
  ).toMatchObject({ status: 1 });
  expect(await partner.count("accounts")).toBe(1);
});

/** @covers R128, R129, reading 10 */
test("a nested subscription uses the account of the record; without any account it is silently dropped", async () => {
  const { partner, accountUuid } = await withAccount();
  const subscription = (tpReferenceId: string) => ({ subscription: { tpReferenceId } });
  const run = await partner.importTransactions(
    partner.transaction("by uuid", { accountUuid, ...subscription("S-1") }),
    partner.transaction("by reference", { accountTPReferenceId: "A-1", ...subscription("S-2") }),
    partner.transaction("nested", {
      account: { tpReferenceId: "A-2", name: "Beta" },
      ...subscription("S-3"),
    }),
    partner.transaction("dropped", subscription("S-4")),
  );
  expect(run).toMatchObject({ status: 1, createdEntities: { accounts: 1, subscriptions: 3 } });
  const accounts = await partner.rows("accounts");
  const rows = await partner.rows("subscriptions");
  expect(rows.map((row) => row["account_id"])).toEqual([accountUuid, accountUuid, accounts[1]?.["id"]]);
  const dropped = (await partner.rows("transactions")).find((row) => row["transaction_id"] === "dropped");
  expect(dropped).toMatchObject({ subscription_id: null, subscription_via: "dropped" });
  // It was dropped, so it cannot be found later.
  expect(await partner.outcomeOf({ subscriptionTPReferenceId: "S-4" })).toMatchObject({ reasonCode: 7 });
});

/** @covers reading 10 */
test("a nested subscription belongs only to the account that it names, by uuid before reference, and is dropped if that does not resolve", async () => {
  const { partner, accountUuid: first } = await withAccount();
  const second = (await partner.outcome("accounts", { tpReferenceId: "A-2", name: "Beta" })).uuid as string;
  const third = (await partner.outcome("accounts", { tpReferenceId: "A-3", name: "Gamma" })).uuid as string;
  const cases: [object, object, string | undefined][] = [
    [{ accountUuid: first, accountTPReferenceId: "A-2" }, { accountTPReferenceId: "A-3" }, first],
    [{ accountTPReferenceId: "A-2" }, { accountUuid: third }, second],
    [{ accountUuid: unknownUuid, accountTPReferenceId: "A-2" }, { accountUuid: third }, undefined],
    [{ accountUuid: "no uuid", accountTPReferenceId: "unknown" }, { accountUuid: third }, undefined],
    [{ accountTPReferenceId: "unknown" }, { accountUuid: third }, undefined],
    [{ accountTPReferenceId: "unknown" }, { account: { tpReferenceId: "A-3", name: "Gamma" } }, undefined],
    [{ accountUuid: null, accountTPReferenceId: null }, { accountUuid: third }, third],
    [{ accountUuid: first }, {}, first],
    [{ accountTPReferenceId: "unknown" }, {}, undefined],
    [{ accountUuid: unknownUuid }, {}, undefined],
  ];
  for (const [index, [own, record, expected]] of cases.entries()) {
    const run = await partner.importTransactions(
      partner.transaction(`T-${index}`, { ...record, subscription: { tpReferenceId: `S-${index}`, ...own } }),
    );
    expect(run.status, `case ${index}`).toBe(1);
    expect(run.createdEntities.subscriptions).toBe(expected ? 1 : 0);
    const made = (await partner.rows("subscriptions")).find((row) => row["tp_reference_id"] === `S-${index}`);
    expect(made?.["account_id"], `case ${index}`).toBe(expected);
  }
});

/** @covers reading 10 */
test("a nested subscription may name the account that the same record creates", async () => {
  const partner = await importer(gatehouse);
  const run = await partner.importTransactions(
    partner.transaction("T-1", {
      account: { tpReferenceId: "A-1", name: "Acme" },
      subscription: { tpReferenceId: "S-1", accountTPReferenceId: "A-1" },
    }),
  );
  expect(run.createdEntities).toEqual({ accounts: 1, contacts: 0, vehicles: 0, subscriptions: 1 });
});

/** @covers R130, reading 10 */
test("a nested subscription that exists is linked, with or without an account", async () => {
  const { partner } = await withAccount();
  const uuid = (await partner.outcome("subscriptions", { tpReferenceId: "S-1", accountTPReferenceId: "A-1" }))
    .uuid;
  const run = await partner.importTransactions(
    partner.transaction("T-1", { subscription: { tpReferenceId: "S-1" } }),
    partner.transaction("T-2", {
      account: { tpReferenceId: "A-2", name: "Beta" },
      subscription: { tpReferenceId: "S-1", status: 3 },
    }),
  );
  expect(run.createdEntities).toEqual({ accounts: 1, contacts: 0, vehicles: 0, subscriptions: 0 });
  for (const row of await partner.rows("transactions")) {
    expect(row).toMatchObject({ subscription_id: uuid, subscription_via: "reference" });
  }
  expect((await partner.rows("subscriptions"))[0]).toMatchObject({ status: 1 });
});

test("a dropped subscription is validated too", async () => {
  const partner = await importer(gatehouse);
  expect(
    await partner.outcomeOf({ subscription: { tpReferenceId: "S-1", numberOfSpaces: 0 } }),
  ).toMatchObject({
    reasonCode: 5,
  });
  expect(await partner.outcomeOf({ subscription: {} })).toMatchObject({
    reasonCode: 4,
    errorDetail: "subscription.tpReferenceId is required",
  });
});

/** @covers R168 */
test("a subscription needs its tpReferenceId", async () => {
  const { partner } = await withAccount();
  for (const tpReferenceId of [undefined, null, "", " "]) {
    const record = { tpReferenceId, accountTPReferenceId: "A-1" };
    expect(await partner.outcome("subscriptions", record)).toMatchObject({
      reasonCode: 4,
      errorDetail: "tpReferenceId is required",
    });
    expect(await partner.outcomeOf({ subscription: record })).toMatchObject({
      reasonCode: 4,
      errorDetail: "subscription.tpReferenceId is required",
    });
  }
});

/** @covers R173, R174, R177, R179, R283 */
test("status and numberOfSpaces default to Active and 1", async () => {
  const { partner } = await withAccount();
  const given = [
    {},
    { status: null, numberOfSpaces: null },
    ...[1, 2, 3, 4, 5].map((status) => ({ status })),
    { numberOfSpaces: 1 },
    { numberOfSpaces: 1000 },
  ];
  const run = await partner.importSubscriptions(
    ...given.map((fields, index) => ({
      tpReferenceId: `S-${index}`,
      accountTPReferenceId: "A-1",
      ...fields,
    })),
  );
  expect(run.status).toBe(1);
  const rows = await partner.rows("subscriptions");
  expect(rows.map((row) => row["status"])).toEqual([1, 1, 1, 2, 3, 4, 5, 1, 1]);
  expect(rows.map((row) => row["number_of_spaces"])).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1000]);
});

/** @covers R172, R175, R176, R180-R182 */
test("every field of a subscription is stored as sent, on its endpoint and nested", async () => {
  const { partner } = await withAccount();
  const fields = {
    accountTPReferenceId: "A-1",
    locationUuid: partner.locationUuid,
    permitNumber: "P-1",
    status: 4,
    permitType: "day",
    permitClassification: "staff",
    numberOfSpaces: 3,
    startDate: "2026-04-01",
    endDate: "2026-12-31T23:59:59.999+02:00",
    currentBaseRate: 100,
    currentRate: 99.5,
    currentTax: 0,
    currentFeeTotal: -1.25,
    metadata: { level: 2 },
  };
  await partner.importSubscriptions({ tpReferenceId: "S-1", ...fields });
  await partner.importTransactions(
    partner.transaction("T-1", { subscription: { tpReferenceId: "S-2", ...fields } }),
  );
  const rows = await partner.rows("subscriptions");
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    expect(row).toMatchObject({
      location_id: partner.locationUuid,
      permit_number: "P-1",
      status: 4,
      permit_type: "day",
      permit_classification: "staff",
      number_of_spaces: 3,
      start_date: new Date("2026-04-01T00:00:00.000Z"),
      end_date: new Date("2026-12-31T21:59:59.999Z"),
      current_base_rate: "100",
      current_rate: "99.5",
      current_tax: "0",
      current_fee_total: "-1.25",
      metadata: '{"level":2}',
    });
  }
});
