import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";

const gatehouse = useApp();

/** The shortest valid record of each resource. A different `name` gives a different payload. */
const kinds = [
  {
    resource: "transactions",
    record: (partner: Importer, key: string, name = "one") => partner.transaction(key, { cardType: name }),
  },
  {
    resource: "accounts",
    record: (_: Importer, key: string, name = "one") => ({ tpReferenceId: key, name }),
  },
  {
    resource: "subscriptions",
    record: (_: Importer, key: string, name = "one") => ({
      tpReferenceId: key,
      accountTPReferenceId: "OWNER",
      permitType: name,
    }),
  },
] as const;

async function partnerWithOwner(): Promise<Importer> {
  const partner = await importer(gatehouse);
  await partner.importAccounts({ tpReferenceId: "OWNER", name: "Owner" });
  return partner;
}

for (const { resource, record } of kinds) {
  /** @covers R53, R58-R62, R184 */
  test(`${resource}: a stored key is Skipped with the stored uuid, and nothing is changed or added`, async () => {
    const partner = await partnerWithOwner();
    const first = await partner.import(resource, [record(partner, "K-1")]);
    const before = await partner.rows(resource);
    const second = await partner.import(resource, [record(partner, "K-1", "another")]);
    expect(second.results[0]).toMatchObject({
      reference: "K-1",
      status: 3,
      reasonCode: 1,
      uuid: first.results[0]?.uuid,
    });
    expect(second).toMatchObject({ status: 1, successCount: 0, skippedCount: 1 });
    expect(await partner.rows(resource)).toEqual(before);
  });

  /** @covers R63, reading 2 */
  test(`${resource}: the first record with a key in a batch is Created, and later ones are Skipped with its uuid`, async () => {
    const partner = await partnerWithOwner();
    const run = await partner.import(resource, [
      record(partner, "K-1"),
      record(partner, "K-2"),
      record(partner, "K-1", "another"),
      record(partner, "K-1"),
    ]);
    const [first, other, ...later] = run.results;
    expect([first?.status, other?.status]).toEqual([1, 1]);
    for (const result of later) expect(result).toMatchObject({ status: 3, reasonCode: 1, uuid: first?.uuid });
    expect(run).toMatchObject({ successCount: 2, skippedCount: 2 });
    expect((await partner.rows(resource)).filter((row) => row["id"] === first?.uuid)).toHaveLength(1);
  });

  /** @covers R64, reading 2 */
  test(`${resource}: after a Failed record, the next one with its key is judged independently`, async () => {
    const partner = await partnerWithOwner();
    const bad = { ...record(partner, "K-1"), metadata: "no object" };
    const run = await partner.import(resource, [bad, bad, record(partner, "K-1"), record(partner, "K-1")]);
    expect(run.results.map((result) => result.status)).toEqual([4, 4, 1, 3]);
    expect(run.results[3]?.uuid).toBe(run.results[2]?.uuid);
  });

  /** @covers R65, reading 3 */
  test(`${resource}: a stored key is Skipped, however invalid the rest of the record is`, async () => {
    const partner = await partnerWithOwner();
    const good = record(partner, "K-1");
    const first = await partner.import(resource, [good]);
    const keyField = resource === "transactions" ? "transactionId" : "tpReferenceId";
    const wrecks = [
      { [keyField]: "K-1" },
      { ...good, locationUuid: "00000000-0000-4000-8000-000000000000" },
      { ...good, accountUuid: "unknown", accountTPReferenceId: "unknown" },
      { ...good, name: "\u0000", cardType: "\ud800", permitType: "x".repeat(1_000) },
      { ...good, metadata: [1], type: "x", status: {}, transactionDate: 5, contact: [], vehicle: "no" },
      { ...good, account: null, contact: null, metadata: null, locationUuid: 7 },
    ];
    const run = await partner.import(resource, wrecks);
    for (const result of run.results) {
      expect(result).toMatchObject({ reference: "K-1", status: 3, uuid: first.results[0]?.uuid });
    }
    expect(run.status).toBe(1);
  });

  /** @covers R66, R135 */
  test(`${resource}: keys belong to an organization, so another organization may use the same ones`, async () => {
    const [one, two] = [await partnerWithOwner(), await partnerWithOwner()];
    const first = await one.import(resource, [record(one, "K-1")]);
    const second = await two.import(resource, [record(two, "K-1")]);
    expect(second.results[0]?.status).toBe(1);
    expect(second.results[0]?.uuid).not.toBe(first.results[0]?.uuid);
  });

  /** @covers reading 15 */
  test(`${resource}: keys are compared exactly, including case, spaces and the encoding of accents`, async () => {
    const partner = await partnerWithOwner();
    const keys = [
      "key",
      "KEY",
      " key",
      "key ",
      "k\u00e9y",
      "ke\u0301y",
      "k\u200bey",
      "key\t",
      "key\\",
      "%",
      "_",
      "\\N",
    ];
    const run = await partner.import(
      resource,
      keys.map((key) => record(partner, key)),
    );
    expect(run.results.every((result) => result.status === 1)).toBe(true);
    const again = await partner.import(
      resource,
      keys.map((key) => record(partner, key)),
    );
    expect(again.results.map((result) => result.uuid)).toEqual(run.results.map((result) => result.uuid));
    expect(again.results.every((result) => result.status === 3)).toBe(true);
  });
}

/** @covers reading 3 */
test("a replay is Skipped even if its location was deleted", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(partner.transaction("T-1"));
  await gatehouse.database.work.query("delete from locations where organization_id = $1", [
    partner.organizationId,
  ]);
  const run = await partner.importTransactions(partner.transaction("T-1"), partner.transaction("T-2"));
  expect(run.results.map((result) => result.status)).toEqual([3, 4]);
});

/** @covers reading 27 */
test("keys that cannot be stored never match, within one batch or across batches", async () => {
  const partner = await importer(gatehouse);
  const keys = ["\ud800", "\ud801", "\udc00", "\ufffd", "a\u0000b", "ab", "a\u0000c"];
  for (const _ of [1, 2]) {
    const run = await partner.importTransactions(...keys.map((key) => partner.transaction(key)));
    expect(run.results.map((result) => result.reference)).toEqual(keys);
    expect(run.results.map((result) => result.reasonCode)).toEqual(
      keys.map((key) => (key === "\ufffd" || key === "ab" ? run.results[3]?.reasonCode : 5)),
    );
  }
  expect((await partner.rows("transactions")).map((row) => row["transaction_id"])).toEqual(["\ufffd", "ab"]);
});

test("an account or subscription that a transaction created is Skipped on its endpoint", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(
    partner.transaction("T-1", {
      account: { tpReferenceId: "A-1", name: "Acme" },
      subscription: { tpReferenceId: "S-1" },
    }),
  );
  const account = (await partner.rows("accounts"))[0];
  const subscription = (await partner.rows("subscriptions"))[0];
  expect(await partner.outcome("accounts", { tpReferenceId: "A-1", name: "Other" })).toMatchObject({
    status: 3,
    uuid: account?.["id"],
  });
  expect(
    await partner.outcome("subscriptions", { tpReferenceId: "S-1", accountTPReferenceId: "A-1" }),
  ).toMatchObject({ status: 3, uuid: subscription?.["id"] });
});
