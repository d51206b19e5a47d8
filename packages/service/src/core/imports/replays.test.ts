import type { ImportRun } from "@gatehouse-parking/contract";
import { expect, test, vi } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { interceptStatements, statementsOf } from "../../../testing/statements.js";
import { resetDemo } from "../../features/demo/reset-demo.js";

// A resent batch is recognized by the bytes of its records, which are then not parsed. The test sees this in
// the statements of the transaction: recognized records are not looked up there.

const gatehouse = useApp();

const texts = (partner: Importer, count: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify(partner.transaction(`T-${index}`, { account: { tpReferenceId: "A-1", name: "Acme" } })),
  );

async function send(partner: Importer, records: readonly string[]): Promise<ImportRun> {
  const answer = await partner.post("transactions", `{"transactions":[${records.join(",")}]}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

const uuidsOf = (run: ImportRun) => run.results.map(({ uuid }) => uuid);
const statusesOf = (run: ImportRun) => run.results.map(({ status }) => status);

/** @covers R58, R61 */
test("a resent batch is Skipped, each record with its uuid, without parsing its content", async () => {
  const partner = await importer(gatehouse);
  const batch = texts(partner, 50);
  const created = await send(partner, batch);
  const again = await send(partner, batch);
  expect(again).toMatchObject({ status: 1, skippedCount: 50, successCount: 0, failedCount: 0 });
  expect(uuidsOf(again)).toEqual(uuidsOf(created));
  expect(again.results[7]).toEqual({
    reference: "T-7",
    status: 3,
    uuid: created.results[7]?.uuid,
    reasonCode: 1,
    errorDetail: expect.stringContaining("already stored"),
  });
  const statements = await statementsOf(gatehouse.database.work, () => send(partner, batch));
  expect(statements.filter((text) => text.includes("fingerprint"))).toEqual([]);
});

test("new and changed records among recognized replays get their usual outcomes", async () => {
  const partner = await importer(gatehouse);
  const batch = texts(partner, 5);
  const created = await send(partner, batch);
  const changed = (batch[2] as string).replace('"type":1', '"type":2');
  const fresh = JSON.stringify(partner.transaction("NEW"));
  const wrong = JSON.stringify(partner.transaction("WRONG", { type: 9 }));
  const run = await send(partner, [batch[0], fresh, changed, wrong, fresh, batch[4], "null"] as string[]);
  expect(statusesOf(run)).toEqual([3, 1, 3, 4, 3, 3, 4]);
  expect(uuidsOf(run)).toEqual([
    created.results[0]?.uuid,
    expect.any(String),
    created.results[2]?.uuid,
    undefined,
    run.results[1]?.uuid,
    created.results[4]?.uuid,
    undefined,
  ]);
  const kept = (await partner.rows("import_exceptions")).filter(
    (row) => row["run_id"] === run.referenceUuid && row["differences"] !== null,
  );
  expect(kept.map((row) => [row["position"], JSON.parse(row["differences"])])).toEqual([
    [2, [{ field: "type", stored: "1", sent: "2" }]],
  ]);
});

test("a record is never mistaken for another whose key it contains elsewhere", async () => {
  const partner = await importer(gatehouse);
  const inside = (key: string, other: string) =>
    JSON.stringify({ metadata: { transactionId: other }, ...partner.transaction(key) });
  const twice = JSON.stringify(partner.transaction("LAST")).replace("{", '{"transactionId":"T-1",');
  const escaped = JSON.stringify(partner.transaction("x")).replace('"x"', String.raw`"T\u002d1"`);
  const quoted = JSON.stringify(partner.transaction('T-1"'));
  const first = JSON.stringify(partner.transaction("FIRST"));
  const batch = [first, inside("T-1", "T-2"), inside("T-2", "T-1"), twice, quoted];
  const created = await send(partner, batch);
  expect(statusesOf(created)).toEqual([1, 1, 1, 1, 1]);
  expect(created.results.map(({ reference }) => reference)).toEqual(["FIRST", "T-1", "T-2", "LAST", 'T-1"']);
  const replay = await send(partner, batch);
  expect(statusesOf(replay)).toEqual([3, 3, 3, 3, 3]);
  expect(uuidsOf(replay)).toEqual(uuidsOf(created));
  const spelled = await send(partner, [first, escaped]);
  expect(spelled.results[1]).toMatchObject({ reference: "T-1", status: 3, uuid: created.results[1]?.uuid });
});

test("another organization that sends the same bytes gets its own outcomes", async () => {
  const partner = await importer(gatehouse);
  const stranger = await importer(gatehouse);
  const batch = texts(partner, 3);
  await send(partner, batch);
  const run = await send(stranger, batch);
  expect(run.results.map(({ reasonCode }) => reasonCode)).toEqual([2, 2, 2]);
});

test("an account that a transaction created is not recognized as a replay", async () => {
  const partner = await importer(gatehouse);
  const account = { tpReferenceId: "A-1", name: "Acme" };
  await partner.importTransactions(partner.transaction("T-1", { account }));
  const accounts = [account, { tpReferenceId: "A-2", name: "Other" }];
  expect(statusesOf(await partner.import("accounts", accounts))).toEqual([3, 1]);
  expect(statusesOf(await partner.import("accounts", accounts))).toEqual([3, 3]);
});

/** @covers reading 39 */
test("a body with invalid JSON after recognized records is rejected as a whole", async () => {
  const partner = await importer(gatehouse);
  const batch = texts(partner, 3);
  await send(partner, batch);
  const answer = await partner.post("transactions", `{"transactions":[${batch.join(",")},{"a":tru}]}`);
  expect(answer.status).toBe(400);
  expect(await partner.count("import_runs")).toBe(1);
});

test("an import succeeds if replay recognition fails", async () => {
  const partner = await importer(gatehouse);
  const batch = texts(partner, 3);
  const created = await send(partner, batch);
  const spy = vi.spyOn(gatehouse.database.work, "query").mockRejectedValueOnce(new Error("broken") as never);
  const replay = await send(partner, batch).finally(() => spy.mockRestore());
  expect(uuidsOf(replay)).toEqual(uuidsOf(created));
});

/** @covers R58 */
test("records that a reset of the demo organization has just deleted are stored again, not Skipped", async () => {
  const partner = await importer(gatehouse);
  const { work } = gatehouse.database;
  const { organizationId } = partner;
  await work.query("update organizations set is_demo = true where id = $1", [organizationId]);
  const batch = texts(partner, 3);
  await send(partner, batch);
  let isEmptied = false;
  const stop = interceptStatements(work, (texts, sendOn) => {
    if (!texts.includes("begin") || isEmptied) return sendOn();
    isEmptied = true;
    return resetDemo(work, { organizationId, actor: "test" }).then(sendOn);
  });
  const run = await send(partner, batch).finally(stop);
  expect(isEmptied).toBe(true);
  expect(statusesOf(run)).toEqual([1, 1, 1]);
  const stored = (await partner.rows("transactions")).map((row) => row["id"]);
  expect(uuidsOf(run).toSorted()).toEqual(stored.toSorted());
});

/**
 * Simulates a failover that loses the last commits between the recognition of a batch and the transaction
 * that reports it.
 */
function loseAtBegin(organizationId: string): () => void {
  const { work } = gatehouse.database;
  let isLost = false;
  return interceptStatements(work, (texts, sendOn) => {
    if (!texts.includes("begin") || isLost) return sendOn();
    isLost = true;
    return work.query("delete from transactions where organization_id = $1", [organizationId]).then(sendOn);
  });
}

/** @covers R58 */
test("recognized records that a failover has lost are stored again, not Skipped", async () => {
  const partner = await importer(gatehouse);
  const batch = texts(partner, 3);
  await send(partner, batch);
  const stop = loseAtBegin(partner.organizationId);
  const run = await send(partner, batch).finally(stop);
  expect(statusesOf(run)).toEqual([1, 1, 1]);
  const stored = (await partner.rows("transactions")).map((row) => row["id"]);
  expect(uuidsOf(run).toSorted()).toEqual(stored.toSorted());
});
