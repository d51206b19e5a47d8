import { expect, test } from "vitest";
import { signedIn } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";
import { between, configure, expectSound, sweepAt } from "../../../testing/retention.js";
import { features } from "../../features.js";
import { findRemovedBy } from "../../core/records/removed-records.js";
import { showRecord } from "../../core/records/show-record.js";
import { NothingToUndo, undoRun } from "../undo/undo-run.js";

const gatehouse = useApp();

/** A transaction with all possible nested records. */
const whole = (of: string) => ({
  account: { tpReferenceId: `A-${of}`, name: "Acme" },
  contact: { email: `${of}@example.com` },
  vehicle: { licensePlate: of },
  subscription: { tpReferenceId: `S-${of}` },
});
const kinds = ["transactions", "accounts", "contacts", "vehicles", "subscriptions"] as const;

async function counts(partner: Awaited<ReturnType<typeof importer>>): Promise<number[]> {
  return Promise.all(kinds.map((kind) => partner.count(kind)));
}

test("expired records are deleted, except those that a younger record refers to", async () => {
  const partner = await importer(gatehouse);
  const other = await importer(gatehouse);
  const old = partner.transaction("old", whole("OLD"));
  await partner.importTransactions(old, partner.transaction("older", whole("GONE")));
  await other.importTransactions(other.transaction("old", whole("OLD")));
  const first = await between();
  await partner.importTransactions(partner.transaction("young", whole("OLD")));
  const second = await between();
  await configure(gatehouse, partner, { retention: { records: 1 } });

  await sweepAt(gatehouse, first);
  expect(await counts(partner)).toEqual([1, 1, 1, 1, 1]);
  await expectSound(gatehouse, partner);
  await sweepAt(gatehouse, first);
  expect(await counts(partner)).toEqual([1, 1, 1, 1, 1]);
  await sweepAt(gatehouse, second);
  expect(await counts(partner)).toEqual([0, 0, 0, 0, 0]);
  await expectSound(gatehouse, partner);
  // Other organizations keep their records. Without remembered keys, a deleted record can be created again.
  expect(await counts(other)).toEqual([1, 1, 1, 1, 1]);
  expect((await partner.importTransactions(old)).results[0]?.status).toBe(1);
  await expectSound(gatehouse, partner);
});

test("with remembered keys, a deleted record is Skipped with its uuid and not created again", async () => {
  const partner = await importer(gatehouse);
  const before = [partner.transaction("T-1", whole("1")), partner.transaction("T-2")];
  const created = await partner.importTransactions(...before);
  const accounts = await partner.importAccounts({ tpReferenceId: "A-2", name: "Acme" });
  await configure(gatehouse, partner, { retention: { records: 1 }, keepsDeletedKeys: true });
  await sweepAt(gatehouse, await between());
  expect(await counts(partner)).toEqual([0, 0, 0, 0, 0]);

  // The answer about its run stays the same.
  expect((await partner.get(created.referenceUuid)).json).toEqual(created);
  const uuids = created.results.map(({ uuid }) => uuid);
  for (const records of [before, [before[0]], [{ transactionId: "T-1", type: "wrong" }, before[1]]]) {
    const replay = await partner.importTransactions(...records);
    expect(replay.results.map(({ status }) => status)).toEqual(records.map(() => 3));
    expect(replay.results.map(({ uuid }) => uuid)).toEqual(uuids.slice(0, records.length));
    expect(replay.results[0]?.errorDetail).toContain("has been deleted since");
  }
  const again = await partner.outcome("accounts", { tpReferenceId: "A-2", name: "Other" });
  expect(again).toMatchObject({ status: 3, uuid: accounts.results[0]?.uuid });
  expect(await counts(partner)).toEqual([0, 0, 0, 0, 0]);
  await expectSound(gatehouse, partner);

  // A reference to a deleted account fails. A nested account creates a new one.
  expect(await partner.outcomeOf({ accountTPReferenceId: "A-2" })).toMatchObject({
    status: 4,
    reasonCode: 6,
  });
  expect(await partner.outcomeOf({ accountUuid: again.uuid })).toMatchObject({ status: 4, reasonCode: 6 });
  expect(await partner.outcomeOf({ account: { tpReferenceId: "A-2", name: "New" } })).toMatchObject({
    status: 1,
  });
  const stored = await partner.outcome("accounts", { tpReferenceId: "A-2", name: "New" });
  expect(stored).toMatchObject({ status: 3 });
  expect(stored.uuid).not.toBe(again.uuid);
  await expectSound(gatehouse, partner);

  // The keys are deleted when the setting is switched off.
  await configure(gatehouse, partner, { keepsDeletedKeys: false });
  expect(await partner.outcome("transactions", before[1])).toMatchObject({ status: 1 });
  await sweepAt(gatehouse, 0);
  const { rows } = await gatehouse.database.work.query(
    "select from deleted_records where organization_id = $1",
    [partner.organizationId],
  );
  expect(rows).toEqual([]);
  await expectSound(gatehouse, partner);
});

test("search, the import page and the record page say that a record was deleted", async () => {
  const partner = await importer(gatehouse);
  const { organizationId } = partner;
  const run = await partner.importTransactions(partner.transaction("SHOWN", whole("SHOWN")));
  await configure(gatehouse, partner, { retention: { records: 1 }, keepsDeletedKeys: true });
  await sweepAt(gatehouse, await between());
  const uuid = run.results[0]?.uuid as string;
  const viewer = await signedIn(gatehouse, "viewer", organizationId);
  const at = `/organizations/${organizationId}`;
  const detail = (await viewer.get(`${at}/runs/${run.referenceUuid}`)).json;
  expect(detail.results[0]).toMatchObject({ uuid, status: 1, deletedAt: expect.any(String) });
  expect(detail.deleted).toEqual(expect.arrayContaining(kinds.map((kind) => ({ kind, count: 1 }))));
  for (const typed of ["SHOWN", uuid]) {
    const { deleted } = (await viewer.get(`${at}/search?q=${typed}`)).json;
    expect(deleted).toMatchObject([{ uuid, reference: "SHOWN", referenceUuid: run.referenceUuid }]);
  }
  const page = await viewer.get(`${at}/records/transactions/${uuid}`);
  expect([page.status, page.text]).toEqual([404, expect.stringContaining("was deleted at")]);
  for (const reference of ["SHOWN", uuid])
    await expect(
      showRecord(
        gatehouse.database.work,
        { organizationId, kind: "transaction", reference },
        findRemovedBy(features),
      ),
    ).rejects.toThrow(/was deleted at .* its key is still known/);
  // Nothing is left to undo.
  const undoing = {
    organizationId,
    runId: run.referenceUuid,
    version: undefined,
    undoDays: 1,
    actor: "test",
  };
  await expect(undoRun(gatehouse.database.work, undoing)).rejects.toThrow(NothingToUndo);
});

test("retention deletes a record that an undo had kept", async () => {
  const partner = await importer(gatehouse);
  const { organizationId } = partner;
  const account = { tpReferenceId: "KEPT", name: "Acme" };
  const run = await partner.importTransactions(partner.transaction("U-1", { account }));
  await partner.importTransactions(partner.transaction("U-2", { account }));
  const undoing = {
    organizationId,
    runId: run.referenceUuid,
    version: undefined,
    undoDays: 1,
    actor: "test",
  };
  expect(await undoRun(gatehouse.database.work, undoing)).toMatchObject({ count: 1, keptCount: 1 });
  await configure(gatehouse, partner, { retention: { records: 1 }, keepsDeletedKeys: true });
  await sweepAt(gatehouse, await between());
  expect(await counts(partner)).toEqual([0, 0, 0, 0, 0]);
  // An undone record can be created again. A deleted one is known.
  expect(await partner.outcome("transactions", partner.transaction("U-1"))).toMatchObject({ status: 1 });
  expect(await partner.outcome("transactions", partner.transaction("U-2"))).toMatchObject({ status: 3 });
  await expectSound(gatehouse, partner);
});

test("a sweep does not wait for a running import, and deletes at its next visit", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(partner.transaction("B-1"));
  await configure(gatehouse, partner, { retention: { records: 1 } });
  const moment = await between();
  const client = await gatehouse.database.work.connect();
  try {
    await client.query("begin");
    await client.query("select from import_turns where organization_id = $1 for no key update", [
      partner.organizationId,
    ]);
    await sweepAt(gatehouse, moment);
    expect(await partner.count("transactions")).toBe(1);
  } finally {
    await client.query("rollback");
    client.release();
  }
  await sweepAt(gatehouse, moment);
  expect(await partner.count("transactions")).toBe(0);
});

test("two instances that sweep at once delete every record once, 200 per transaction", async () => {
  const partner = await importer(gatehouse);
  for (const batch of ["a", "b"])
    await partner.importTransactions(
      ...Array.from({ length: 250 }, (_none, index) => partner.transaction(`${batch}-${index}`)),
    );
  await configure(gatehouse, partner, { retention: { records: 1 } });
  const moment = await between();
  await Promise.all([sweepAt(gatehouse, moment), sweepAt(gatehouse, moment)]);
  expect(await partner.count("transactions")).toBe(0);
  const runs = await partner.rows("import_runs");
  expect(runs.map((run) => run["deleted_records"])).toEqual([{ transactions: 250 }, { transactions: 250 }]);
  await expectSound(gatehouse, partner);
});

test("a change of the retention settings applies to a running sweep from its next step on", async () => {
  const partner = await importer(gatehouse);
  const batch = Array.from({ length: 450 }, (_none, index) => partner.transaction(`k-${index}`));
  await partner.importTransactions(...batch);
  const moment = await between();
  const { work } = gatehouse.database;
  /** Sweeps, and changes the organization when the first records are deleted. */
  const sweepBeside = async (change: string): Promise<void> => {
    await configure(gatehouse, partner, { retention: { records: 1 } });
    await work.query(`create or replace function save_meanwhile() returns trigger language plpgsql as $$ begin
      update organizations set ${change} where id = '${partner.organizationId}'; return null; end $$`);
    await work.query(`create or replace trigger save_meanwhile after delete on transactions
      for each statement execute function save_meanwhile()`);
    await sweepAt(gatehouse, moment);
    await work.query("drop trigger save_meanwhile on transactions");
  };
  await sweepBeside("retention = null");
  expect(await partner.count("transactions")).toBe(250);
  await sweepBeside("keeps_deleted_keys = true");
  expect(await partner.count("transactions")).toBe(0);
  expect(await partner.outcome("transactions", batch[399] as object)).toMatchObject({ status: 1 });
  expect(await partner.outcome("transactions", batch[400] as object)).toMatchObject({ status: 3 });
  await expectSound(gatehouse, partner);
});

test("a failure in one organization does not keep the sweep from others, and is retried", async () => {
  const [ill, well] = [await importer(gatehouse), await importer(gatehouse)];
  for (const partner of [ill, well]) {
    await partner.importTransactions(partner.transaction("I-1"));
    await configure(gatehouse, partner, { retention: { records: 1 } });
  }
  const moment = await between();
  const { work } = gatehouse.database;
  await work.query(`create function refuse() returns trigger language plpgsql as $$ begin
    if old.organization_id = '${ill.organizationId}' then raise exception 'no'; end if; return old; end $$`);
  await work.query(
    "create trigger refuse before delete on transactions for each row execute function refuse()",
  );
  await work.query("update organization_upkeep set measured_at = null where organization_id = $1", [
    ill.organizationId,
  ]);
  await sweepAt(gatehouse, moment);
  expect(await well.count("transactions")).toBe(0);
  expect(gatehouse.logged).toContainEqual(
    expect.objectContaining({
      organizationId: ill.organizationId,
      msg: "retention sweep failed for an organization",
    }),
  );
  await work.query("drop function refuse cascade");
  await sweepAt(gatehouse, moment);
  expect(await ill.count("transactions")).toBe(0);
});
