import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { signedIn, type Visitor } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";
import { importer, type Importer } from "../../../../testing/importer.js";

const gatehouse = useApp();
let partner: Importer;
let admin: Visitor;
let root: string;

beforeAll(async () => {
  partner = await importer(gatehouse);
  admin = await signedIn(gatehouse, "admin", partner.organizationId);
  root = `/organizations/${partner.organizationId}`;
});

const laden = (key: string) =>
  partner.transaction(key, { amountTotal: 10, vehicle: { licensePlate: `P ${key}` } });

async function takeBack(run: { referenceUuid: string }) {
  const address = `${root}/runs/${run.referenceUuid}/undo`;
  const { version } = (await admin.get(address)).json;
  const answer = await admin.post(address, { version });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

test("an undone run is marked on its page and in the list, with who, when and what, and so are its results", async () => {
  const run = await partner.importTransactions(laden("page-1"), laden("page-2"), { transactionId: "wrong" });
  const before = (await admin.get(`${root}/runs/${run.referenceUuid}`)).json;
  expect(before).toMatchObject({ undone: null, undoableUntil: expect.any(String) });
  const week = Date.parse(before.undoableUntil) - Date.parse(before.completedAt);
  expect(week).toBe(7 * 86_400_000);
  const undone = await takeBack(run);
  expect(undone).toMatchObject({
    by: admin.email,
    count: 2,
    removed: [
      { kind: "transactions", count: 2 },
      { kind: "vehicles", count: 2 },
    ],
    keptCount: 0,
  });
  const shown = (await admin.get(`${root}/runs/${run.referenceUuid}`)).json;
  expect(shown.undone).toEqual(undone);
  expect(shown).toMatchObject({ status: 3, successCount: 2, createdEntities: { vehicles: 2 } });
  const results = shown.results as { uuid?: string; status: number; takenBack?: true }[];
  expect(results.map(({ status, takenBack }) => [status, takenBack])).toEqual([
    [1, true],
    [1, true],
    [4, undefined],
  ]);
  expect(results[0]?.uuid).toBe(run.results[0]?.uuid);
  const { data } = (await admin.get(`${root}/runs`)).json;
  expect(data[0]).toMatchObject({
    referenceUuid: run.referenceUuid,
    undone: { at: undone.at, by: admin.email, count: 2 },
  });
});

test("an undone record is found by uuid and by reference, and says that its import was undone", async () => {
  const run = await partner.importTransactions(laden("gone"));
  const uuid = run.results[0]?.uuid as string;
  const undone = await takeBack(run);
  const gone = {
    kind: "transactions",
    uuid,
    reference: "gone",
    referenceUuid: run.referenceUuid,
    position: 0,
    at: undone.at,
    by: admin.email,
  };
  for (const query of ["gone", uuid])
    expect((await admin.get(`${root}/search?q=${query}`)).json).toMatchObject({
      hits: [],
      takenBack: [gone],
    });
  const page = await admin.get(`${root}/records/transactions/${uuid}`);
  expect(page.status).toBe(404);
  expect(page.json.errors[0]).toContain(`${admin.email} undid the import ${run.referenceUuid}`);
  // Created again, the record is found with its current and its undone version.
  const again = await partner.importTransactions(laden("gone"));
  const found = (await admin.get(`${root}/search?q=gone`)).json;
  expect(found.hits).toMatchObject([{ record: { uuid: again.results[0]?.uuid } }]);
  expect(found.takenBack).toEqual([gone]);
});

test("an undone record is found by its reference even if that is a uuid", async () => {
  const reference = randomUUID();
  const run = await partner.importTransactions(partner.transaction(reference));
  await takeBack(run);
  const found = (await admin.get(`${root}/search?q=${reference}`)).json;
  expect(found.takenBack).toMatchObject([{ reference, uuid: run.results[0]?.uuid }]);
});

test("totals exclude undone records: outcomes, days and revenue", async () => {
  const other = await importer(gatehouse);
  const operator = await signedIn(gatehouse, "operator");
  const address = `/organizations/${other.organizationId}`;
  const sell = (key: string) => other.transaction(key, { amountTotal: 10 });
  await other.importTransactions(sell("1"));
  const wrong = await other.importTransactions(sell("2"), sell("3"));
  await operator.post(`${address}/runs/${wrong.referenceUuid}/undo`);
  const { buckets } = (await operator.get(`${address}/overview/outcomes`)).json;
  const sum = (name: string) =>
    buckets.reduce((total: number, bucket: Record<string, number>) => total + (bucket[name] ?? 0), 0);
  expect([sum("runs"), sum("created"), sum("takenBack")]).toEqual([2, 1, 2]);
  const days = (await operator.get(`${address}/overview/local-days?toDate=2026-04-01`)).json.days;
  expect(days.at(-1)).toMatchObject({ transactions: 1, revenue: "10" });
});

test("an undo with an outdated preview is a conflict, and a completed undo is audited", async () => {
  const run = await partner.importAccounts({ tpReferenceId: "conflict", name: "Acme" });
  const address = `${root}/runs/${run.referenceUuid}/undo`;
  const { version } = (await admin.get(address)).json;
  await partner.importAccounts({ tpReferenceId: "conflict", name: "Acme" });
  const refused = await admin.post(address, { version });
  expect(refused).toMatchObject({ status: 409, json: { code: "changedMeanwhile" } });
  await takeBack(run);
  const trail = (await admin.get(`${root}/audit?action=import.undo`)).json;
  expect(trail.data[0]).toMatchObject({
    actor: admin.email,
    subject: { kind: "run", uuid: run.referenceUuid },
  });
  expect(JSON.parse(trail.data[0].detail)).toEqual({ removed: { accounts: 1 }, kept: 0, acknowledged: 1 });
});
