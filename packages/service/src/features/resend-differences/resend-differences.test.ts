import type { ImportResourceName } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";

const gatehouse = useApp();

interface Difference {
  field: string;
  stored: string | null;
  sent: string | null;
}

/** The differences that are stored for each Skipped record, including records without any. */
async function differencesOf(
  partner: Importer,
  resource: ImportResourceName,
  ...records: unknown[]
): Promise<(Difference[] | null)[]> {
  const run = await partner.import(resource, records);
  const rows = await partner.rows("import_exceptions");
  return rows
    .filter((row) => row["run_id"] === run.referenceUuid)
    .map((row) => (row["differences"] === null ? null : JSON.parse(row["differences"])));
}

const full = (partner: Importer) =>
  partner.transaction("T-1", {
    amountTotal: 12.5,
    isRefunded: false,
    cardType: "VISA",
    sessionStart: "2026-04-01T10:00:00Z",
    metadata: { gate: "N", lanes: [1, 2] },
    account: { tpReferenceId: "A-1", name: "Acme" },
    contact: { email: "jo@example.com", phoneNumber: "+1-5550100" },
    vehicle: { licensePlate: "ABC 123" },
    subscription: { tpReferenceId: "S-1" },
  });

test("a resent record with the same content has no differences, however it is spelled", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(full(partner));
  const respelled = {
    metadata: { lanes: [1, 2], gate: "N" },
    ...full(partner),
    transactionDate: "2026-04-01T16:30:00.000+02:00",
    sessionStart: "2026-04-01T10:00:00.000Z",
    bookingSource: 6,
    contact: { email: "JO@example.com " },
    vehicle: { licensePlate: "abc-123" },
    subscription: { tpReferenceId: "S-1", accountTPReferenceId: "A-1" },
    somethingElse: true,
  };
  const text = JSON.stringify(respelled).replace("12.5", "1250.0e-2");
  await partner.post("transactions", `{"transactions":[${text}]}`);
  expect(await differencesOf(partner, "transactions", full(partner), respelled)).toEqual([null, null]);
  const kept = await partner.rows("import_exceptions");
  expect(kept.map((row) => row["differences"])).toEqual([null, null, null]);
});

test("every field that differs is stored with its old and new value, and the answer names the fields", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(full(partner));
  const [differences] = await differencesOf(partner, "transactions", {
    ...full(partner),
    type: 2,
    transactionDate: "2026-04-02T14:30:00Z",
    amountTotal: 13,
    isRefunded: true,
    cardType: null,
    promoCode: "SUMMER",
    bookingSource: 1,
    metadata: { gate: "S", lanes: [1, 2] },
    account: { tpReferenceId: "A-2", name: "Beta" },
    contact: { email: "al@example.com" },
    vehicle: { licensePlate: "XYZ" },
    subscription: null,
    locationUuid: "00000000-0000-4000-8000-000000000000",
  });
  expect(differences?.toSorted((a, b) => (a.field < b.field ? -1 : 1))).toEqual([
    { field: "account", stored: "A-1", sent: "A-2" },
    { field: "amountTotal", stored: "12.5", sent: "13" },
    { field: "bookingSource", stored: "6", sent: "1" },
    { field: "cardType", stored: "VISA", sent: null },
    { field: "contact", stored: "jo@example.com", sent: "al@example.com" },
    { field: "isRefunded", stored: "false", sent: "true" },
    { field: "location", stored: partner.locationUuid, sent: "00000000-0000-4000-8000-000000000000" },
    { field: "metadata", stored: '{"gate":"N","lanes":[1,2]}', sent: '{"gate":"S","lanes":[1,2]}' },
    { field: "promoCode", stored: null, sent: "SUMMER" },
    { field: "subscription", stored: "S-1", sent: null },
    { field: "transactionDate", stored: "2026-04-01T14:30:00.000Z", sent: "2026-04-02T14:30:00.000Z" },
    { field: "type", stored: "1", sent: "2" },
    { field: "vehicle", stored: "ABC123", sent: "XYZ" },
  ]);
});

/** @covers R51, R58, reading 3 */
test("a Skipped record says whether it is stored with other values, and fetching and validating say the same", async () => {
  const partner = await importer(gatehouse);
  const stored = partner.transaction("T-1", { amountTotal: 12.5 });
  await partner.importTransactions(stored);
  const batch = [
    stored,
    { ...stored, amountTotal: 13, type: 2 },
    { metadata: null, ...stored },
    partner.transaction("T-2", { cardType: "VISA" }),
    partner.transaction("T-2", { cardType: "VISA" }),
    partner.transaction("T-2", { cardType: "AMEX" }),
  ];
  const details = (run: { results: { errorDetail?: string }[] }) =>
    run.results.map(({ errorDetail }) => errorDetail);
  const replay = "A transaction with this transactionId is already stored; nothing was changed";
  const conflict = (fields: string) =>
    `A transaction with this transactionId is already stored with other values: ${fields}; nothing was changed`;
  const expected = [replay, conflict("type, amountTotal"), replay, undefined, replay, conflict("cardType")];

  const { json: validated } = await gatehouse.post("/integrations/transactions/validate", partner.apiKey, {
    transactions: batch,
  });
  expect(details(validated)).toEqual(expected);
  const run = await partner.importTransactions(...batch);
  expect(details(run)).toEqual(expected);
  expect((await partner.get(run.referenceUuid)).json).toEqual(run);
});

test("digits that a double would round away count in amounts and in metadata", async () => {
  const partner = await importer(gatehouse);
  const record = (amount: string, id: string) =>
    `${JSON.stringify(partner.transaction("T-1")).slice(0, -1)},"amountTotal":${amount},"metadata":{"id":${id},"text":"${id}"}}`;
  const send = (text: string) => partner.post("transactions", `{"transactions":[${text}]}`);
  await send(record("0.1", "9007199254740993"));
  await send(record("0.10000000000000000555", "9007199254740992"));
  const [row] = await partner.rows("import_exceptions");
  expect(JSON.parse(row?.["differences"])).toEqual([
    { field: "amountTotal", stored: "0.1", sent: "0.10000000000000000555" },
    {
      field: "metadata",
      stored: '{"id":9007199254740993,"text":"9007199254740993"}',
      sent: '{"id":9007199254740992,"text":"9007199254740992"}',
    },
  ]);
});

test("a later record of the same batch is compared with the first one that has its key", async () => {
  const partner = await importer(gatehouse);
  expect(
    await differencesOf(
      partner,
      "transactions",
      partner.transaction("T-1", { cardType: "VISA" }),
      partner.transaction("T-1", { cardType: "VISA" }),
      partner.transaction("T-1", { cardType: "AMEX" }),
    ),
  ).toEqual([null, [{ field: "cardType", stored: "VISA", sent: "AMEX" }]]);
});

test("accounts and subscriptions are also compared, including those that a transaction created", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(
    partner.transaction("T-1", {
      account: { tpReferenceId: "A-1", name: "Acme" },
      subscription: { tpReferenceId: "S-1", currentRate: 10 },
    }),
  );
  await partner.importAccounts({ tpReferenceId: "A-2", name: "Beta" });
  expect(
    await differencesOf(
      partner,
      "accounts",
      { tpReferenceId: "A-1", name: "Acme" },
      { tpReferenceId: "A-1", name: "Acme Ltd", isActive: false },
    ),
  ).toEqual([
    null,
    [
      { field: "name", stored: "Acme", sent: "Acme Ltd" },
      { field: "isActive", stored: "true", sent: "false" },
    ],
  ]);
  expect(
    await differencesOf(
      partner,
      "subscriptions",
      { tpReferenceId: "S-1", accountTPReferenceId: "A-1", currentRate: 10.0, numberOfSpaces: 1 },
      { tpReferenceId: "S-1", accountTPReferenceId: "A-2", currentRate: 11 },
    ),
  ).toEqual([
    null,
    [
      { field: "currentRate", stored: "10", sent: "11" },
      { field: "account", stored: "A-1", sent: "A-2" },
    ],
  ]);
});

test("references that differ only in case identify different accounts, but uuids in different case the same one", async () => {
  const partner = await importer(gatehouse);
  const uuid = (await partner.outcome("accounts", { tpReferenceId: "A-1", name: "Acme" })).uuid as string;
  await partner.importTransactions(partner.transaction("T-1", { accountTPReferenceId: "A-1" }));
  expect(
    await differencesOf(
      partner,
      "transactions",
      partner.transaction("T-1", { accountTPReferenceId: "a-1" }),
      partner.transaction("T-1", { accountUuid: uuid.toUpperCase() }),
    ),
  ).toEqual([[{ field: "account", stored: "A-1", sent: "a-1" }], null]);
});

test("a removed subscription is distinguished from one that was never sent", async () => {
  const partner = await importer(gatehouse);
  const dropped = partner.transaction("T-1", { subscription: { tpReferenceId: "S-1" } });
  await partner.importTransactions(dropped);
  const [differences] = await differencesOf(partner, "transactions", { ...dropped, cardType: "VISA" });
  expect(differences).toContainEqual({ field: "subscription", stored: null, sent: "S-1" });
});

test("long values are truncated, and values that PostgreSQL cannot store as text are still recorded", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(partner.transaction("T-1", { cardType: "VISA" }));
  const [long, odd] = await differencesOf(
    partner,
    "transactions",
    partner.transaction("T-1", { cardType: "x".repeat(5_000) }),
    partner.transaction("T-1", { cardType: "a\u0000\ud800b", type: { not: "a number" } }),
  );
  expect(long?.[0]?.sent).toBe(`${"x".repeat(1_000)}...`);
  expect(odd).toEqual([
    { field: "type", stored: "1", sent: '{"not":"a number"}' },
    { field: "cardType", stored: "VISA", sent: "a\u0000\ud800b" },
  ]);
});

test("a resent record with metadata nested too deeply is Skipped like any other, and compared as text", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(partner.transaction("T-1", { metadata: { a: 1 } }));
  const depth = 7_000;
  const deep = `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  const text = JSON.stringify(partner.transaction("T-1", { metadata: "DEEP" })).replace('"DEEP"', deep);
  const answer = await partner.post("transactions", `{"transactions":[${text}]}`);
  expect(answer.json).toMatchObject({ status: 1, results: [{ status: 3, reasonCode: 1 }] });
  const [exception] = await partner.rows("import_exceptions");
  expect(JSON.parse(exception?.["differences"] as string)).toMatchObject([
    { field: "metadata", stored: '{"a":1}', sent: expect.stringContaining("[[[[") },
  ]);
});
