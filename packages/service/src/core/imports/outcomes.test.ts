import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";

// `importer` also checks every run that these tests import for what holds of any run.
// @covers R10-R12, R33-R56, R72, reading 1, reading 18, reading 19
const gatehouse = useApp();

const noEntities = { accounts: 0, contacts: 0, vehicles: 0, subscriptions: 0 };

/** @covers R2, R32, R33, R35, R40, R41, R52, R54 */
test("a batch of transactions is answered immediately with the complete run", async () => {
  const partner = await importer(gatehouse);
  const sentAt = Date.now();
  const answer = await partner.post("transactions", { transactions: [partner.transaction("T-1")] });
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toContain("application/json");
  expect(answer.json).toEqual({
    referenceUuid: expect.any(String),
    resource: 1,
    status: 1,
    startedAt: expect.any(String),
    completedAt: expect.any(String),
    durationMs: expect.any(Number),
    totalSubmitted: 1,
    successCount: 1,
    failedCount: 0,
    skippedCount: 0,
    createdEntities: noEntities,
    results: [{ reference: "T-1", status: 1, uuid: expect.any(String) }],
  });
  expect(Date.parse(answer.json.startedAt)).toBeGreaterThanOrEqual(sentAt);
  expect(Date.parse(answer.json.startedAt)).toBeLessThanOrEqual(Date.now());
});

/** @covers R3, R4, R35, R47, R49, R50, reading 19 */
test("each resource has its number and its reference, and four zeros if it creates no related entities", async () => {
  const partner = await importer(gatehouse);
  const accounts = await partner.importAccounts({ tpReferenceId: "A-1", name: "Acme" });
  const subscriptions = await partner.importSubscriptions({
    tpReferenceId: "S-1",
    accountTPReferenceId: "A-1",
  });
  const transactions = await partner.importTransactions(partner.transaction("T-1"));
  expect([transactions.resource, accounts.resource, subscriptions.resource]).toEqual([1, 2, 3]);
  expect(accounts.results[0]).toMatchObject({ reference: "A-1", status: 1 });
  expect(subscriptions.results[0]).toMatchObject({ reference: "S-1", status: 1 });
  expect(transactions.results[0]).toMatchObject({ reference: "T-1", status: 1 });
  expect(accounts.createdEntities).toEqual(noEntities);
  expect(subscriptions.createdEntities).toEqual(noEntities);
});

/** @covers R36-R39, reading 1 */
test("a run without failures is Completed, one with only failures is Failed, and any other is PartialSuccess", async () => {
  const partner = await importer(gatehouse);
  const good = () => partner.transaction("T-1");
  const bad = { type: 9 };
  const statusOf = async (...records: unknown[]) => (await partner.importTransactions(...records)).status;
  expect(await statusOf(good())).toBe(1);
  expect(await statusOf(good()), "all Skipped").toBe(1);
  expect(await statusOf(good(), partner.transaction("T-2")), "Created and Skipped").toBe(1);
  expect(await statusOf(bad, bad)).toBe(2);
  expect(await statusOf(good(), bad), "Skipped and Failed").toBe(3);
  expect(await statusOf(partner.transaction("T-3"), bad), "Created and Failed").toBe(3);
});

/** @covers R42-R45, R48 */
test("results are in input order, and the counters match them", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(partner.transaction("old-1"), partner.transaction("old-2"));
  const references = ["z", "old-2", "bad", "a", "old-1", "m", "bad"];
  const run = await partner.importTransactions(
    ...references.map((reference) => partner.transaction(reference, reference === "bad" ? { type: 0 } : {})),
  );
  expect(run.results.map((result) => result.reference)).toEqual(references);
  expect(run.results.map((result) => result.status)).toEqual([1, 3, 4, 1, 3, 1, 4]);
  expect(run).toMatchObject({
    totalSubmitted: 7,
    successCount: 3,
    failedCount: 2,
    skippedCount: 2,
    status: 3,
  });
});

/** @covers R51, R53-R56, R72, reading 18 */
test("each outcome has exactly its fields, and none of them is null", async () => {
  const partner = await importer(gatehouse);
  const first = await partner.importTransactions(partner.transaction("T-1"));
  const run = await partner.importTransactions(
    partner.transaction("T-1"),
    partner.transaction("T-2"),
    partner.transaction("T-3", { type: 9 }),
  );
  expect(run.results).toEqual([
    {
      reference: "T-1",
      status: 3,
      uuid: first.results[0]?.uuid,
      reasonCode: 1,
      errorDetail: "A transaction with this transactionId is already stored; nothing was changed",
    },
    { reference: "T-2", status: 1, uuid: expect.any(String) },
    { reference: "T-3", status: 4, reasonCode: 5, errorDetail: "type must be one of 1, 2, 3, 4" },
  ]);
});

/** @covers R46, R57, R137 */
test("a bootstrap record creates all four related entities; its replay is Skipped and creates nothing", async () => {
  const partner = await importer(gatehouse);
  const record = partner.transaction("T-1", {
    account: { tpReferenceId: "A-1", name: "Acme" },
    contact: { email: "jo@example.com" },
    vehicle: { licensePlate: "ABC 123" },
    subscription: { tpReferenceId: "S-1" },
  });
  const first = await partner.importTransactions(record);
  expect(first.createdEntities).toEqual({ accounts: 1, contacts: 1, vehicles: 1, subscriptions: 1 });
  const second = await partner.importTransactions(record);
  expect(second).toMatchObject({ status: 1, skippedCount: 1, successCount: 0, createdEntities: noEntities });
  expect(second.results[0]?.uuid).toBe(first.results[0]?.uuid);
  for (const table of ["transactions", "accounts", "contacts", "vehicles", "subscriptions"]) {
    expect(await partner.count(table), table).toBe(1);
  }
});

/** @covers reading 6 */
test("the reference is empty if the key is not a string, and an item that is not an object is Failed 5", async () => {
  const partner = await importer(gatehouse);
  for (const transactionId of [undefined, null, 7, true, {}, ["T-1"]]) {
    expect(await partner.outcome("transactions", partner.transaction(transactionId))).toMatchObject({
      reference: "",
      status: 4,
      reasonCode: transactionId === undefined || transactionId === null ? 4 : 5,
    });
  }
  for (const resource of ["transactions", "accounts", "subscriptions"] as const) {
    const run = await partner.import(resource, [null, 1, "T-1", true, [], [{ transactionId: "T-1" }]]);
    for (const result of run.results) {
      expect(result).toEqual({
        reference: "",
        status: 4,
        reasonCode: 5,
        errorDetail: "The record must be an object",
      });
    }
  }
});

test("an unusable key is returned as it was sent, in the answer and in the history", async () => {
  const partner = await importer(gatehouse);
  const keys = ["  ", "a\u0000b", "\ud800", "x".repeat(129), "y".repeat(2_000_000), "tab\tnew\nline\\N"];
  const run = await partner.importTransactions(...keys.map((key) => partner.transaction(key)));
  expect(run.results.map((result) => result.reference)).toEqual(keys);
  expect(run.results.map((result) => result.reasonCode)).toEqual([4, 5, 5, 5, 5, undefined]);
});

/** @covers R27, R28, R75, reading 31 */
test("unknown fields are ignored, including an organization identifier", async () => {
  const partner = await importer(gatehouse);
  const other = await importer(gatehouse);
  const run = await partner.import(
    "transactions",
    [
      partner.transaction("T-1", {
        organizationUuid: other.organizationId,
        organization_id: other.organizationId,
        toString: 1,
        constructor: { prototype: {} },
        uuid: other.locationUuid,
        account: { tpReferenceId: "A-1", name: "Acme", organizationId: other.organizationId },
      }),
    ],
    { organizationUuid: other.organizationId, anything: [{}] },
  );
  expect(run.results[0]).toMatchObject({ status: 1 });
  expect(run.results[0]?.uuid).not.toBe(other.locationUuid);
  expect(await partner.count("transactions")).toBe(1);
  expect(await partner.count("accounts")).toBe(1);
  expect(await other.count("transactions")).toBe(0);
  expect(await other.count("accounts")).toBe(0);
});

/** @covers reading 5 */
test("errorDetail names every problem with its path, and the code is the first of 4, 5, 2, 6, 7, 8, 9", async () => {
  const partner = await importer(gatehouse);
  const unknownUuid = "00000000-0000-4000-8000-000000000000";
  const problems: [number, object, string][] = [
    [9, { vehicleUuid: unknownUuid }, "vehicleUuid does not name a vehicle of the organization"],
    [8, { contactUuid: unknownUuid }, "contactUuid does not name a contact of the organization"],
    [
      7,
      { subscriptionUuid: unknownUuid },
      "subscriptionUuid does not name a subscription of the organization",
    ],
    [6, { accountUuid: unknownUuid }, "accountUuid does not name an account of the organization"],
    [2, { locationUuid: unknownUuid }, "locationUuid is not a location of the organization"],
    [5, { amountTotal: "12" }, "amountTotal must be a number"],
    [4, { vehicle: {} }, "vehicle.licensePlate is required"],
  ];
  let fields = {};
  const details: string[] = [];
  for (const [code, problem, detail] of problems) {
    fields = { ...fields, ...problem };
    details.push(detail);
    const result = await partner.outcomeOf(fields);
    expect(result.reasonCode).toBe(code);
    expect(result.errorDetail?.split("; ").toSorted()).toEqual(details.toSorted());
  }
});

/** @covers reading 5 */
test("an invalid field is not also reported as unknown", async () => {
  const partner = await importer(gatehouse);
  const long = "x".repeat(129);
  expect(
    await partner.outcomeOf({ accountTPReferenceId: long, subscriptionTPReferenceId: long }),
  ).toMatchObject({
    reasonCode: 5,
    errorDetail:
      "accountTPReferenceId must have at most 128 characters; subscriptionTPReferenceId must have at most 128 characters",
  });
  expect(await partner.outcomeOf({ locationUuid: " " })).toMatchObject({
    reasonCode: 4,
    errorDetail: "locationUuid is required",
  });
});
