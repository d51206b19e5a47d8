import { importResources, type ImportResourceName } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";

const gatehouse = useApp();

const validate = (partner: Importer, resource: ImportResourceName, body: unknown) =>
  gatehouse.post(`/integrations/${resource}/validate`, partner.apiKey, body);

const tables = [
  "import_runs",
  "import_exceptions",
  "transactions",
  "accounts",
  "contacts",
  "vehicles",
  "subscriptions",
];

async function everything(partner: Importer): Promise<unknown> {
  const { rows } = await gatehouse.database.work.query(
    "select run_count from import_turns where organization_id = $1",
    [partner.organizationId],
  );
  return [rows, ...(await Promise.all(tables.map((table) => partner.rows(table))))];
}

/** The parts of a run that two attempts at the same batch have in common. */
function comparable(run: { results: { uuid?: string }[] } & Record<string, unknown>): unknown {
  const { referenceUuid: _r, startedAt: _s, completedAt: _c, durationMs: _d, results, ...rest } = run;
  return {
    ...rest,
    results: results.map(({ uuid, ...result }) => ({ ...result, hasUuid: uuid !== undefined })),
  };
}

const batch = (partner: Importer) => [
  partner.transaction("OLD"),
  partner.transaction("T-1", {
    account: { tpReferenceId: "A-1", name: "Acme" },
    contact: { email: "jo@example.com" },
    vehicle: { licensePlate: "ABC" },
    subscription: { tpReferenceId: "S-1" },
  }),
  partner.transaction("T-1"),
  partner.transaction("T-2", { accountTPReferenceId: "A-1" }),
  partner.transaction("T-3", { type: 9 }),
  partner.transaction("T-4", { vehicleUuid: "unknown" }),
  null,
];

test("validating returns the answer of an import without a referenceUuid, and nothing is stored or listed", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(partner.transaction("OLD"));
  const before = await everything(partner);
  const validated = await validate(partner, "transactions", {
    transactions: batch(partner),
    metadata: { a: 1 },
  });
  expect(validated.status).toBe(200);
  expect(validated.json).not.toHaveProperty("referenceUuid");
  expect(validated.json).toMatchObject({
    resource: 1,
    status: 3,
    successCount: 2,
    skippedCount: 2,
    failedCount: 3,
    createdEntities: { accounts: 1, contacts: 1, vehicles: 1, subscriptions: 1 },
  });
  expect(await everything(partner)).toEqual(before);

  const imported = await partner.importTransactions(...batch(partner));
  expect(comparable(validated.json)).toEqual(comparable(imported as never));
});

test("validating twice gives the same answer twice, also for accounts and subscriptions", async () => {
  const partner = await importer(gatehouse);
  const accounts = [{ tpReferenceId: "A-1", name: "Acme" }, { tpReferenceId: "A-1", name: "Acme" }, {}];
  for (const _ of [1, 2]) {
    const answer = await validate(partner, "accounts", { accounts });
    expect(answer.json.results.map((result: { status: number }) => result.status)).toEqual([1, 3, 4]);
    const subscriptions = [{ tpReferenceId: "S-1", accountTPReferenceId: "A-1" }];
    const refused = await validate(partner, "subscriptions", { subscriptions });
    expect(refused.json.results[0]).toMatchObject({ status: 4, reasonCode: 6 });
  }
  expect(await partner.count("accounts")).toBe(0);
});

test("validating rejects the same envelopes with the same errors", async () => {
  const partner = await importer(gatehouse);
  for (const [resource, { maxRecords }] of Object.entries(importResources) as [
    ImportResourceName,
    { maxRecords: number },
  ][]) {
    for (const body of [
      { [resource]: [] },
      {},
      { [resource]: {} },
      { [resource]: [{}], metadata: 1 },
      { [resource]: Array(maxRecords + 1).fill(1) },
      "{",
    ]) {
      const [validated, imported] = [
        await validate(partner, resource, body),
        await partner.post(resource, body),
      ];
      expect([validated.status, validated.json, validated.headers["content-type"]]).toEqual([
        imported.status,
        imported.json,
        imported.headers["content-type"],
      ]);
    }
  }
});

test("validating needs the permission of the resource and has a separate limit", async () => {
  const reader = await importer(gatehouse, { permissions: ["imports:read", "accounts:write"] });
  expect((await validate(reader, "transactions", { transactions: [{}] })).status).toBe(403);
  const allowed = await validate(reader, "accounts", { accounts: [{}] });
  expect(allowed.status).toBe(200);
});

test("a database failure while validating gets a 500 in the same form, and nothing is recorded", async () => {
  const partner = await importer(gatehouse);
  const sql = (text: string) => gatehouse.database.work.query(text);
  await sql("alter table import_runs rename to import_runs_away");
  let answer;
  try {
    answer = await validate(partner, "transactions", { transactions: [partner.transaction("T-1")] });
  } finally {
    await sql("alter table import_runs_away rename to import_runs");
  }
  expect(answer.status).toBe(500);
  expect(answer.json).toMatchObject({ status: 2, failedCount: 1, results: [{ status: 4, reasonCode: 99 }] });
  expect(answer.json).not.toHaveProperty("referenceUuid");
  expect(await partner.count("import_runs")).toBe(0);
});
