import { expect, test } from "vitest";
import { signedIn } from "../../../testing/console.js";
import { useApp, type Tenant } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";
import { between, configure, expectSound, sweepAt } from "../../../testing/retention.js";
import { erasePerson } from "../people/erase-person.js";
import { undoRun } from "../undo/undo-run.js";
import { measureStorage } from "./storage.js";

const gatehouse = useApp({ limits: { submitLead: { requests: 1_000, windowSeconds: 60 } } });

const lead = ({ locationUuid, apiKey }: Tenant, email: string, more: object = {}) =>
  gatehouse.send({
    method: "POST",
    url: "/lead/submit",
    key: apiKey,
    payload: { email, locationUuid },
    ...more,
  });

async function countOf(table: string, { organizationId }: Tenant): Promise<number> {
  const { rows } = await gatehouse.database.work.query(
    `select count(*)::int as count from ${table} where organization_id = $1`,
    [organizationId],
  );
  return rows[0].count;
}

async function storageOf({ organizationId }: Tenant) {
  const viewer = await signedIn(gatehouse, "viewer", organizationId);
  return (await viewer.get(`/organizations/${organizationId}/storage`)).json;
}

const usedOf = async (tenant: Tenant, name: string) =>
  (await storageOf(tenant)).quotas.find(({ quota }: { quota: string }) => quota === name).used;

test("expired exceptions are deleted, and their runs show when", async () => {
  const partner = await importer(gatehouse);
  const [good, bad] = [partner.transaction("T-1"), { transactionId: "T-2" }];
  await partner.importTransactions(good, bad);
  const old = await partner.importTransactions(good, bad);
  const moment = await between();
  const young = await partner.importTransactions(good, bad);
  await configure(gatehouse, partner, { retention: { exceptions: 1 } });
  // Exceptions are kept one more day, because later runs may refer to them.
  await sweepAt(gatehouse, moment);
  expect(await partner.count("import_exceptions")).toBe(5);
  await sweepAt(gatehouse, moment, 2);
  expect(await partner.count("import_exceptions")).toBe(2);
  const viewer = await signedIn(gatehouse, "viewer", partner.organizationId);
  const at = `/organizations/${partner.organizationId}/runs`;
  const { results: _results, ...summary } = old;
  expect((await partner.get(old.referenceUuid)).json).toEqual({ ...summary, results: [] });
  expect((await viewer.get(`${at}/${old.referenceUuid}`)).json.exceptionsDeletedAt).toEqual(
    expect.any(String),
  );
  expect((await viewer.get(`${at}/${young.referenceUuid}`)).json.exceptionsDeletedAt).toBeNull();
  await expectSound(gatehouse, partner);
});

test("with identical resends stored once a day, runs add no exceptions and return their own results", async () => {
  const partner = await importer(gatehouse);
  const record = partner.transaction("T-1");
  await partner.importTransactions(record);
  await configure(gatehouse, partner, { keepsReplaysOnce: true });
  // Identical bytes; a different record; one record that fails.
  const batches = [[record], [{ ...record, type: 2 }], [record, { transactionId: "\ud800" }]];
  for (const batch of batches) {
    const before = await partner.count("import_exceptions");
    const runs = [];
    for (let time = 0; time < 3; time += 1) runs.push(await partner.importTransactions(...batch));
    expect(await partner.count("import_exceptions")).toBe(before + batch.length);
    for (const run of runs) expect((await partner.get(run.referenceUuid)).json).toEqual(run);
  }
  await expectSound(gatehouse, partner);
  const viewer = await signedIn(gatehouse, "viewer", partner.organizationId);
  const { hits } = (await viewer.get(`/organizations/${partner.organizationId}/search?q=T-1`)).json;
  expect(hits[0].record.occurrences).toHaveLength(3);
  for (const occurrence of hits[0].record.occurrences)
    expect(occurrence.repeated).toMatchObject({ count: 2 });
  // They are deleted together.
  await configure(gatehouse, partner, { retention: { exceptions: 1 } });
  await sweepAt(gatehouse, await between(), 2);
  expect([await partner.count("import_exceptions"), await countOf("repeated_runs", partner)]).toEqual([0, 0]);
  await expectSound(gatehouse, partner);
});

test("a quota of records is exact with concurrent imports and never rejects a replay", async () => {
  const partner = await importer(gatehouse);
  await configure(gatehouse, partner, { quotas: { records: 5 } });
  const filled = [
    partner.transaction("F-1", { vehicle: { licensePlate: "F1" } }),
    partner.transaction("F-2"),
  ];
  const run = await partner.importTransactions(...filled);
  const answers = await Promise.all(
    ["a", "b", "c", "d"].map((name) =>
      partner.post("transactions", { transactions: [partner.transaction(name)] }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 403, 403]);
  const refused = answers.find(({ status }) => status === 403);
  expect(refused?.headers["x-error"]).toBe("quotaExceeded");
  expect(refused?.json.errors).toEqual([
    "The organization may store 5 records. It stores 5, and this batch would add 1; nothing of it was stored",
  ]);
  // A batch that exceeds the quota is rejected as a whole and leaves no run.
  const runsBefore = await partner.count("import_runs");
  const mixed = { transactions: [...filled, partner.transaction("F-3")] };
  expect((await partner.post("transactions", mixed)).status).toBe(403);
  expect(await partner.count("import_runs")).toBe(runsBefore);
  expect((await partner.importTransactions(...filled)).skippedCount).toBe(2);
  // An undo and a deletion free quota.
  const { organizationId } = partner;
  const undoing = {
    organizationId,
    runId: run.referenceUuid,
    version: undefined,
    undoDays: 1,
    actor: "test",
  };
  await undoRun(gatehouse.database.work, undoing);
  expect(await usedOf(partner, "records")).toBe(2);
  await configure(gatehouse, partner, { retention: { records: 1 } });
  await sweepAt(gatehouse, await between());
  expect(await usedOf(partner, "records")).toBe(0);
  expect((await partner.importTransactions(...filled)).successCount).toBe(2);
});

test("a storage quota counts what was measured and what was stored since", async () => {
  const partner = await importer(gatehouse);
  const metadata = { text: "x".repeat(2_000) };
  await partner.importTransactions(partner.transaction("S-1", { metadata }));
  await measureStorage(gatehouse.database.console, partner.organizationId);
  const used = await usedOf(partner, "storageBytes");
  expect(used).toBeGreaterThan(100);
  await configure(gatehouse, partner, { quotas: { storageBytes: used + 3_000 } });
  await partner.importTransactions(partner.transaction("S-2", { metadata }));
  const refused = await partner.post("transactions", {
    transactions: [partner.transaction("S-3", { metadata })],
  });
  expect([refused.status, refused.json.errors[0]]).toEqual([
    403,
    expect.stringMatching(/^The organization may store [\d,]+ bytes of storage\. It stores/),
  ]);
});

const undo = ({ organizationId }: Tenant, runId: string) =>
  undoRun(gatehouse.database.work, {
    ...{ organizationId, runId, version: undefined, undoDays: 1, actor: "test" },
  });

test("an undo releases the bytes that the import used, so that the same batch fits again", async () => {
  const partner = await importer(gatehouse);
  // Short values are larger as text, long compressible ones are smaller as rows.
  const batch = [
    partner.transaction("B-1", { metadata: { text: "x".repeat(3_000) }, vehicle: { licensePlate: "B1" } }),
    partner.transaction("B-2", { account: { tpReferenceId: "B", name: "B" } }),
  ];
  const before = await usedOf(partner, "storageBytes");
  const first = await partner.importTransactions(...batch);
  const taken = (await usedOf(partner, "storageBytes")) - before;
  await configure(gatehouse, partner, { quotas: { storageBytes: before + taken } });
  const more = { transactions: [partner.transaction("B-3")] };
  expect((await partner.post("transactions", more)).status).toBe(403);
  await undo(partner, first.referenceUuid);
  expect(await usedOf(partner, "storageBytes")).toBe(before);
  const second = await partner.importTransactions(...batch);
  expect(second.successCount).toBe(2);
  // After a count of all rows, an import and its undo count by the size of the rows.
  const count = () => measureStorage(gatehouse.database.console, partner.organizationId);
  await count();
  await undo(partner, second.referenceUuid);
  const left = await usedOf(partner, "storageBytes");
  await count();
  // The rows of the runs remain. They were counted by the average of two, and now one by one.
  expect(Math.abs(left - (await usedOf(partner, "storageBytes")))).toBeLessThan(taken / 20);
  await expectSound(gatehouse, partner);
});

test("retention and erasure release the bytes of leads, exceptions and keys", async () => {
  const partner = await importer(gatehouse);
  const used = () => usedOf(partner, "storageBytes");
  for (const name of ["a", "b", "c"]) await lead(partner, `${name}@example.com`);
  await partner.importTransactions(partner.transaction("T-1"), partner.transaction("T-2", { type: 9 }));
  await configure(gatehouse, partner, { keepsDeletedKeys: true, retention: { records: 1 } });
  await sweepAt(gatehouse, await between());
  await measureStorage(gatehouse.database.console, partner.organizationId);
  const released = async (work: () => Promise<unknown>) => {
    const before = await used();
    await work();
    const after = await used();
    await measureStorage(gatehouse.database.console, partner.organizationId);
    return { bytes: before - after, isExact: Math.abs(after - (await used())) <= 16 };
  };
  const exact = { bytes: expect.any(Number), isExact: true };
  const { organizationId } = partner;
  const steps = {
    erasure: () =>
      erasePerson(gatehouse.database.work, { organizationId, email: "a@example.com", actor: "test" }),
    leads: async () => {
      await configure(gatehouse, partner, { retention: { leads: 1 } });
      await sweepAt(gatehouse, await between());
    },
    exceptions: async () => {
      await configure(gatehouse, partner, { retention: { exceptions: 1 } });
      await sweepAt(gatehouse, await between(), 2);
    },
    keys: async () => {
      await configure(gatehouse, partner, { keepsDeletedKeys: false });
      await sweepAt(gatehouse, await between());
    },
  };
  for (const [step, work] of Object.entries(steps)) {
    const freed = await released(work);
    expect([step, freed]).toEqual([step, exact]);
    expect(freed.bytes, step).toBeGreaterThan(0);
  }
});

test("the operator home page, the storage page and the quota always show the same figures", async () => {
  const partner = await importer(gatehouse);
  const operator = await signedIn(gatehouse, "operator");
  const name = partner.organizationId;
  await gatehouse.database.work.query("update organizations set name = $1::text where id = $1::uuid", [name]);
  await measureStorage(gatehouse.database.console, partner.organizationId);
  const figures = async () => {
    const home = (await operator.get(`/installation/organizations?query=${name}`)).json.data[0].stored;
    const { sizes, quotas } = await storageOf(partner);
    const kinds = new Set(["records", "transactions", "accounts", "contacts", "vehicles", "subscriptions"]);
    const rows = (sizes as { what: string; rows: number }[])
      .filter(({ what }) => kinds.has(what))
      .reduce((sum, size) => sum + size.rows, 0);
    const quota = (of: string) => quotas.find((one: { quota: string }) => one.quota === of).used;
    expect(home.bytes).toBe(quota("storageBytes"));
    return [home.records, rows, quota("records")];
  };
  expect(await figures()).toEqual([0, 0, 0]);
  const run = await partner.importTransactions(
    partner.transaction("F-1", { account: { tpReferenceId: "A", name: "A" } }),
    partner.transaction("F-2"),
  );
  expect(await figures()).toEqual([3, 3, 3]);
  await measureStorage(gatehouse.database.console, partner.organizationId);
  expect(await figures()).toEqual([3, 3, 3]);
  await undo(partner, run.referenceUuid);
  expect(await figures()).toEqual([0, 0, 0]);
});

test("an exhausted storage quota rejects leads, except one that is already stored", async () => {
  const tenant = await gatehouse.tenant();
  const known = { headers: { "idempotency-key": "K-1" } };
  expect((await lead(tenant, "a@example.com", known)).status).toBe(200);
  await configure(gatehouse, tenant, { quotas: { storageBytes: 1 } });
  // Storage has not been measured yet.
  expect((await lead(tenant, "b@example.com")).status).toBe(200);
  await measureStorage(gatehouse.database.console, tenant.organizationId);
  const refused = await lead(tenant, "c@example.com");
  expect([refused.status, refused.headers["x-error"], refused.json.errors]).toEqual([
    403,
    "quotaExceeded",
    [
      expect.stringMatching(
        /^The organization may store 1 bytes of storage\. It stores [\d,]+; this lead was not stored$/,
      ),
    ],
  ]);
  expect((await lead(tenant, "a@example.com", known)).status).toBe(200);
  expect(await countOf("leads", tenant)).toBe(2);
  await configure(gatehouse, tenant, { quotas: { storageBytes: 1_000_000 } });
  expect((await lead(tenant, "c@example.com")).status).toBe(200);
});

test("expired leads are deleted with their notes, and a younger duplicate is no longer marked as one", async () => {
  const tenant = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", tenant.organizationId);
  const old = (await lead(tenant, "jo@example.com")).json.leadUuid;
  const at = `/organizations/${tenant.organizationId}/leads/${old}`;
  expect((await admin.patch(at, { workState: "contacted" })).status).toBe(200);
  expect((await admin.post(`${at}/notes`, { text: "Called" })).status).toBe(200);
  const moment = await between();
  const young = (await lead(tenant, "jo@example.com")).json.leadUuid;
  await configure(gatehouse, tenant, { retention: { leads: 1 } });
  await sweepAt(gatehouse, moment);
  const { rows } = await gatehouse.database.work.query(
    "select id, duplicate_of from leads where organization_id = $1",
    [tenant.organizationId],
  );
  expect(rows).toEqual([{ id: young, duplicate_of: null }]);
  expect([await countOf("lead_work", tenant), await countOf("lead_notes", tenant)]).toEqual([0, 0]);
  await expectSound(gatehouse, tenant);
});

test("a quota of leads is exact for 24 hours, also with concurrent requests", async () => {
  const tenant = await gatehouse.tenant();
  await configure(gatehouse, tenant, { quotas: { leadsPerDay: 3 } });
  const emails = ["a", "b", "c", "d", "e"].map((name) => `${name}@example.com`);
  const answers = await Promise.all(emails.map((email) => lead(tenant, email)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 403, 403]);
  const refused = answers.find(({ status }) => status === 403);
  expect(refused?.json).toMatchObject({
    success: false,
    errors: ["The organization has reached its quota of 3 leads in 24 hours; this lead was not stored"],
  });
  expect(await countOf("leads", tenant)).toBe(3);
  // A day later, leads are accepted again.
  await gatehouse.database.work.query(
    "update leads set id = overlay(id::text placing '0190' from 1)::uuid where organization_id = $1",
    [tenant.organizationId],
  );
  expect((await lead(tenant, "f@example.com")).status).toBe(200);
});

test("the sweep measures sizes, and later changes are added without another count", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(
    partner.transaction("M-1", { account: { tpReferenceId: "A", name: "A" } }),
  );
  expect(await storageOf(partner)).toMatchObject({
    measuredAt: null,
    sizes: [{ what: "records", rows: 2, bytes: expect.any(Number) }],
  });
  await sweepAt(gatehouse, 0);
  const { measuredAt, sizes } = await storageOf(partner);
  expect(measuredAt).toEqual(expect.any(String));
  expect(sizes).toEqual(
    expect.arrayContaining([
      { what: "transactions", rows: 1, bytes: expect.any(Number) },
      { what: "accounts", rows: 1, bytes: expect.any(Number) },
      { what: "import_runs", rows: 1, bytes: expect.any(Number) },
    ]),
  );
  await partner.importTransactions(partner.transaction("M-2"));
  expect(await usedOf(partner, "records")).toBe(3);
  // The previous release does not count what it stores. The next measurement corrects that.
  await gatehouse.database.work.query(
    "update import_turns set records_net = records_net - 1 where organization_id = $1",
    [partner.organizationId],
  );
  await measureStorage(gatehouse.database.console, partner.organizationId);
  expect(await usedOf(partner, "records")).toBe(3);
});
