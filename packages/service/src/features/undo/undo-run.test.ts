import { beforeEach, expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { rowsReadBy } from "../../../testing/rows-read.js";
import { interceptStatements } from "../../../testing/statements.js";
import { verifyStoredData } from "../../../testing/verify.js";
import { previewUndo } from "./preview-undo.js";
import { NothingToUndo, undoRun } from "./undo-run.js";

const gatehouse = useApp();
let partner: Importer;
beforeEach(async () => {
  partner = await importer(gatehouse);
});

const undoDays = 7;
const run = (runId: string) => ({ organizationId: partner.organizationId, runId, undoDays });
const preview = ({ referenceUuid }: { referenceUuid: string }) =>
  previewUndo(gatehouse.database.work, run(referenceUuid));
const undo = ({ referenceUuid }: { referenceUuid: string }, version?: string) =>
  undoRun(gatehouse.database.work, { ...run(referenceUuid), version, actor: "ann@example.com" });
async function expectSound(): Promise<void> {
  const { checks } = await verifyStoredData(gatehouse.connectionString, {
    organizationId: partner.organizationId,
  });
  expect(checks.filter(({ violations }) => violations > 0)).toEqual([]);
}

/** A transaction with every nested record. */
const laden = (number: number) =>
  partner.transaction(`T-${number}`, {
    account: { tpReferenceId: `A-${number}`, name: "Acme" },
    contact: { email: `c${number}@example.com` },
    vehicle: { licensePlate: `P ${number}` },
    subscription: { tpReferenceId: `S-${number}` },
  });

test("an undo removes the records of an import with their nested records, and the import can still be read", async () => {
  const sent = await partner.importTransactions(laden(1), laden(2), laden(1), { transactionId: "wrong" });
  const before = (await partner.get(sent.referenceUuid)).json;
  const shown = await preview(sent);
  const all = ["transactions", "accounts", "subscriptions", "contacts", "vehicles"];
  const counts = all.map((kind) => ({ kind, count: 2 }));
  expect(shown).toMatchObject({ removed: counts, kept: [], acknowledged: { count: 0, examples: [] } });

  const undone = await undo(sent, shown.version);
  expect(undone).toEqual({
    at: expect.any(String),
    by: "ann@example.com",
    count: 2,
    removed: counts,
    keptCount: 0,
  });
  for (const table of all) expect(await partner.count(table), table).toBe(0);
  expect((await partner.get(sent.referenceUuid)).json).toEqual(before);
  await expectSound();
});

test("undone records are created again by the same bytes, alone and in a batch", async () => {
  const records = [laden(1), laden(2)];
  const first = await partner.importTransactions(...records);
  await undo(first);
  const again = await partner.importTransactions(...records);
  expect(again.results.map(({ status }) => status)).toEqual([1, 1]);
  expect(again.createdEntities).toEqual({ accounts: 2, contacts: 2, vehicles: 2, subscriptions: 2 });
  expect(again.results[0]?.uuid).not.toBe(first.results[0]?.uuid);
  const alone = await partner.importAccounts({ tpReferenceId: "alone", name: "A" });
  await undo(alone);
  expect(await partner.outcome("accounts", { tpReferenceId: "alone", name: "A" })).toMatchObject({
    status: 1,
  });
  await expectSound();
});

test("records that a later one refers to are kept, with their own references, and named", async () => {
  const first = await partner.importTransactions(laden(1), laden(2));
  const later = await partner.importTransactions(
    partner.transaction("T-later", {
      subscriptionTPReferenceId: "S-1",
      contact: { email: "c1@example.com" },
      vehicle: { licensePlate: "P-2" },
    }),
  );
  const shown = await preview(first);
  const referrer = {
    kind: "transactions",
    uuid: later.results[0]?.uuid,
    reference: "T-later",
    referenceUuid: later.referenceUuid,
  };
  const subscription = (await partner.rows("subscriptions")).find((row) => row["tp_reference_id"] === "S-1");
  const ofThisRun = {
    kind: "subscriptions",
    uuid: subscription?.["id"],
    reference: "S-1",
    referenceUuid: first.referenceUuid,
  };
  expect(shown.kept).toEqual([
    { kind: "subscriptions", uuid: subscription?.["id"], reference: "S-1", referredBy: [referrer] },
    { kind: "vehicles", uuid: expect.any(String), reference: "P 2", referredBy: [referrer] },
    { kind: "contacts", uuid: expect.any(String), reference: "c1@example.com", referredBy: [referrer] },
    { kind: "accounts", uuid: expect.any(String), reference: "A-1", referredBy: [ofThisRun] },
  ]);
  await undo(first, shown.version);
  expect((await partner.rows("accounts")).map((row) => row["tp_reference_id"])).toEqual(["A-1"]);
  expect((await partner.rows("transactions")).map((row) => row["transaction_id"])).toEqual(["T-later"]);
  expect(await partner.count("contacts")).toBe(1);
  await expectSound();
});

test("a second undo removes kept records that nothing refers to any more", async () => {
  const first = await partner.importTransactions(laden(1));
  const later = await partner.importTransactions(
    partner.transaction("T-later", {
      subscriptionTPReferenceId: "S-1",
      contact: { email: "c1@example.com" },
      vehicle: { licensePlate: "P1" },
    }),
  );
  const { version, kept } = await preview(first);
  expect(kept).toHaveLength(4);
  await undo(first, version);
  await expect(undo(first, (await preview(first)).version)).rejects.toThrow(NothingToUndo);
  await undo(later);
  expect(await undo(first)).toMatchObject({
    count: 1,
    removed: [
      { kind: "transactions", count: 1 },
      { kind: "accounts", count: 1 },
      { kind: "subscriptions", count: 1 },
      { kind: "contacts", count: 1 },
      { kind: "vehicles", count: 1 },
    ],
    keptCount: 0,
  });
  for (const table of ["accounts", "subscriptions", "contacts", "vehicles"])
    expect(await partner.count(table), table).toBe(0);
  await expectSound();
});

test("an account with a subscription of another import is kept until the subscription is undone", async () => {
  const accounts = await partner.importAccounts({ tpReferenceId: "A", name: "Acme" });
  const subscriptions = await partner.importSubscriptions({ tpReferenceId: "S", accountTPReferenceId: "A" });
  expect((await preview(accounts)).kept).toMatchObject([
    { kind: "accounts", reference: "A", referredBy: [{ kind: "subscriptions", reference: "S" }] },
  ]);
  await expect(undo(accounts)).rejects.toThrow(/Other records refer to all remaining records/);
  await undo(subscriptions);
  await undo(accounts);
  expect(await partner.count("accounts")).toBe(0);
  await expectSound();
});

test("a preview names records that a later import has acknowledged as stored", async () => {
  const first = await partner.importTransactions(laden(1), laden(2), laden(1));
  const replay = await partner.importTransactions(laden(2));
  const account = await partner.importAccounts({ tpReferenceId: "A-1", name: "Acme" });
  const shown = await preview(first);
  expect(shown.acknowledged).toEqual({
    count: 2,
    examples: [
      {
        kind: "transactions",
        uuid: replay.results[0]?.uuid,
        reference: "T-2",
        referenceUuid: replay.referenceUuid,
      },
      {
        kind: "accounts",
        uuid: account.results[0]?.uuid,
        reference: "A-1",
        referenceUuid: account.referenceUuid,
      },
    ],
  });
  const before = (await partner.get(replay.referenceUuid)).json;
  await undo(first, shown.version);
  expect((await partner.get(replay.referenceUuid)).json).toEqual(before);
  await expectSound();
});

test("a stale preview is rejected, and nothing is removed", async () => {
  const first = await partner.importTransactions(laden(1));
  const beforeLink = await preview(first);
  await partner.importTransactions(partner.transaction("T-later", { accountTPReferenceId: "A-1" }));
  await expect(undo(first, beforeLink.version)).rejects.toThrow(/have changed since the preview/);
  const beforeReplay = await preview(first);
  await partner.importTransactions(laden(1));
  await expect(undo(first, beforeReplay.version)).rejects.toThrow(/have changed since the preview/);
  const beforeSecondReplay = await preview(first);
  // A further acknowledgement does not matter.
  await partner.importTransactions(laden(1));
  expect(await partner.count("transactions")).toBe(2);
  expect(await undo(first, beforeSecondReplay.version)).toMatchObject({ count: 1, keptCount: 1 });
});

test("a repeated confirmation, even a concurrent one, has one effect and the same answer", async () => {
  const sent = await partner.importTransactions(laden(1));
  const { version } = await preview(sent);
  const answers = await Promise.all([undo(sent, version), undo(sent, version), undo(sent, version)]);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  const { rows } = await gatehouse.database.work.query(
    "select actor, detail from audit_log where action = 'import.undo' and subject_id = $1",
    [sent.referenceUuid],
  );
  expect(rows).toEqual([
    {
      actor: "ann@example.com",
      detail: JSON.stringify({
        removed: { transactions: 1, accounts: 1, subscriptions: 1, contacts: 1, vehicles: 1 },
        kept: 0,
        acknowledged: 0,
      }),
    },
  ]);
});

test("after a commit whose answer was lost, the same confirmation reports the undo", async () => {
  const sent = await partner.importTransactions(laden(1));
  const { version } = await preview(sent);
  const stop = interceptStatements(gatehouse.database.work, async (texts, send) => {
    const answer = await send();
    if (texts.includes("commit")) throw new Error("the answer got lost");
    return answer;
  });
  await expect(undo(sent, version)).rejects.toThrow("the answer got lost");
  stop();
  expect(await undo(sent, version)).toMatchObject({ count: 1 });
  await expectSound();
});

test("if any step fails, nothing is removed", async () => {
  const sent = await partner.importTransactions(laden(1));
  const { version } = await preview(sent);
  for (const spoiled of [/^delete from vehicles/, /^copy undo_records/, /update import_runs/, /audit_log/]) {
    const stop = interceptStatements(gatehouse.database.work, (texts, send) => {
      if (texts.some((text) => spoiled.test(text.trim()))) throw new Error("spoiled");
      return send();
    });
    await expect(undo(sent, version), String(spoiled)).rejects.toThrow("spoiled");
    stop();
    expect(await partner.count("transactions")).toBe(1);
    expect((await preview(sent)).version).toBe(version);
    await expectSound();
  }
});

test("an import can be undone only within GATEHOUSE_UNDO_DAYS, and never if that is 0", async () => {
  const sent = await partner.importTransactions(laden(1));
  await gatehouse.database.work.query(
    "update import_runs set completed_at = now() - interval '7 days' where id = $1",
    [sent.referenceUuid],
  );
  await expect(preview(sent)).rejects.toThrow(/within 7 days/);
  await expect(undo(sent)).rejects.toThrow(/within 7 days/);
  const recent = await partner.importTransactions(laden(2));
  const never = { ...run(recent.referenceUuid), undoDays: 0 };
  await expect(previewUndo(gatehouse.database.work, never)).rejects.toThrow(/GATEHOUSE_UNDO_DAYS/);
});

test("an import of another organization is not found, and one that created nothing cannot be undone", async () => {
  const stranger = await importer(gatehouse);
  const theirs = await stranger.importTransactions(stranger.transaction("T"));
  await expect(preview(theirs)).rejects.toThrow(/There is no import/);
  await expect(undo(theirs)).rejects.toThrow(/There is no import/);
  const failed = await partner.importTransactions({ transactionId: "wrong" });
  await expect(undo(failed)).rejects.toThrow(NothingToUndo);
  expect(await stranger.count("transactions")).toBe(1);
});

test("an undo in a large organization only uses indexes, even without planner statistics", async () => {
  const { work } = gatehouse.database;
  const first = await partner.importTransactions(laden(1));
  const later = await partner.importTransactions(
    partner.transaction("T-later", { accountTPReferenceId: "A-1", contact: { email: "c1@example.com" } }),
  );
  const [template] = (await partner.rows("transactions")).filter(
    (row) => row["transaction_id"] === "T-later",
  );
  const tables = ["transactions", "accounts", "contacts", "vehicles", "subscriptions", "import_exceptions"];
  await work.query(
    `insert into transactions (organization_id, id, transaction_id, location_id, type, transaction_date, time_zone,
       utc_offset_seconds, local_date, booking_source, account_id, contact_id, import_run_id, position, created_at)
     select organization_id, gen_random_uuid(), 'bulk-' || number, location_id, type, transaction_date, time_zone,
       utc_offset_seconds, local_date, booking_source, account_id, contact_id, import_run_id, number, created_at
     from transactions, generate_series(1, 20000) as number where organization_id = $1 and id = $2`,
    [partner.organizationId, template?.["id"]],
  );
  const read = await rowsReadBy(gatehouse.database, tables, async () => {
    const { version, kept } = await preview(first);
    expect(kept).toHaveLength(2);
    await undo(first, version);
  });
  expect(read.sequential).toBe(0);
  expect(read.indexed).toBeLessThan(200);
  await work.query("delete from transactions where import_run_id = $1 and position > 0", [
    later.referenceUuid,
  ]);
  await expectSound();
});
