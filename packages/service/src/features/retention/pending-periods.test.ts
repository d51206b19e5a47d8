import { expect, test, vi } from "vitest";
import { signedIn, type Visitor } from "../../../testing/console.js";
import { useApp, type Tenant } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";
import { between, configure, expectSound, sweepAt } from "../../../testing/retention.js";
import { nowMs } from "../../core/clock.js";
import { storedEntities } from "../../core/entities/entities.js";
import { RunDetailsSweep } from "../../core/imports/history/run-details-sweep.js";
import { showSettings } from "../../core/organizations/configure-organization.js";
import { firstIdAt } from "../../core/paging/pages.js";
import { clockSigns } from "../overview/time-zone-counts.js";
import { rejectedValues } from "../rejected-values/rejected-values.js";
import type { RetentionSettings } from "./settings.js";
import { deleteLeads } from "./delete-rows.js";
import { previewDeletion } from "./preview-deletion.js";

const graceHours = 24;
const dayMs = 86_400_000;
const gatehouse = useApp({
  limits: { submitLead: { requests: 1_000, windowSeconds: 60 } },
  retentionGraceHours: graceHours,
});

async function withLeads(count: number): Promise<{ tenant: Tenant; admin: Visitor; at: string }> {
  const tenant = await gatehouse.tenant();
  for (let number = 0; number < count; number += 1) await addLead(tenant, `${number}@example.com`);
  await between();
  const admin = await signedIn(gatehouse, "admin", tenant.organizationId);
  return { tenant, admin, at: `/organizations/${tenant.organizationId}/retention` };
}

async function addLead({ apiKey, locationUuid }: Tenant, email: string): Promise<void> {
  const payload = { email, locationUuid };
  const answer = await gatehouse.send({ method: "POST", url: "/lead/submit", key: apiKey, payload });
  expect(answer.status).toBe(200);
}

const oneDayOfLeads = { days: [{ what: "leads", days: 1 }] };
const confirmed = { ...oneDayOfLeads, confirmed: [{ what: "leads", count: 21 }] };

async function count(table: string, { organizationId }: Tenant): Promise<number> {
  const { rows } = await gatehouse.database.work.query(
    `select count(*)::int as count from ${table} where organization_id = $1`,
    [organizationId],
  );
  return rows[0].count;
}

/** The columns that tell instances of every release what to delete. */
async function effective({ organizationId }: Tenant) {
  const { rows } = await gatehouse.database.work.query(
    "select retention, keeps_deleted_keys from organizations where id = $1",
    [organizationId],
  );
  return rows[0] as { retention: object | null; keeps_deleted_keys: boolean };
}

/** Ends the grace period of all pending changes. */
async function endGrace({ organizationId }: Tenant): Promise<void> {
  await gatehouse.database.work.query(
    `update organizations set pending_retention = (
       select jsonb_object_agg(key, value || jsonb_build_object('at', to_jsonb(now() - interval '1 second')))
       from jsonb_each(pending_retention)
     ) where id = $1`,
    [organizationId],
  );
}

async function atTime<T>(now: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"], now });
  return work().finally(() => vi.useRealTimers());
}

/** Sweeps at a time when everything stored is more than a day old. */
const sweep = () => sweepAt(gatehouse, nowMs());

async function audited({ organizationId }: Tenant, action: string) {
  const { rows } = await gatehouse.database.work.query<{ actor: string; detail: object | string }>(
    "select actor, detail from audit_log where organization_id = $1 and action = $2 order by id",
    [organizationId, action],
  );
  return rows.map(({ actor, detail }) => ({
    actor,
    detail: typeof detail === "string" ? JSON.parse(detail) : detail,
  }));
}

test("a shorter period that deletes data needs a confirmation that follows a preview", async () => {
  const { tenant, admin, at } = await withLeads(21);
  const preview = await admin.post(`${at}/preview`, oneDayOfLeads);
  expect(preview.json).toEqual({
    data: [{ what: "leads", days: 1, count: 21, isMinimum: false }],
    at: expect.any(String),
  });
  const graceMs = Date.parse(preview.json.at) - nowMs();
  expect(Math.abs(graceMs - graceHours * 3_600_000)).toBeLessThan(60_000);
  const refused = await admin.patch(at, oneDayOfLeads);
  expect([refused.status, refused.json.errors]).toEqual([
    409,
    ["This change deletes stored data and was not confirmed. Nothing was saved"],
  ]);
  expect((await admin.get(at)).json.pending).toEqual([]);
  await sweep();
  expect(await count("leads", tenant)).toBe(21);
});

test("a confirmation covers what the preview counted, and a few rows that arrived since", async () => {
  const { tenant, admin, at } = await withLeads(21);
  const change = async (counts: { what: string; count: number }[], days = 1) => {
    const body = { days: [{ what: "leads", days }], confirmed: counts };
    const { status, json } = await admin.patch(at, body);
    return status === 200 ? json.pending.length : [status, json.errors];
  };
  const refused = [
    409,
    [
      "This change now deletes more stored data than you confirmed. Nothing was saved. Save again to see the new counts",
    ],
  ];
  expect(await change([])).toEqual(refused);
  expect(await change([{ what: "records", count: 100 }])).toEqual(refused);
  expect(await change([{ what: "leads", count: 9 }])).toEqual(refused);
  expect((await effective(tenant)).retention).toBeNull();
  expect((await admin.get(at)).json.pending).toEqual([]);
  expect(await change([{ what: "leads", count: 10 }])).toBe(1);
});

test("a shorter period deletes nothing before its grace period is over, and one audit line per sweep counts what it deletes", async () => {
  const { tenant, admin, at } = await withLeads(21);
  const saved = await admin.patch(at, confirmed);
  expect(saved.json).toMatchObject({
    pending: [{ what: "leads", days: 1, count: 21, isMinimum: false, by: admin.email }],
  });
  expect(saved.json.data.find(({ what }: { what: string }) => what === "leads").ownDays).toBeNull();
  // Instances of the previous release read only this column.
  expect((await effective(tenant)).retention).toBeNull();
  await sweep();
  expect(await count("leads", tenant)).toBe(21);
  await endGrace(tenant);
  await sweep();
  expect(await count("leads", tenant)).toBe(0);
  expect((await effective(tenant)).retention).toEqual({ leads: 1 });
  expect((await admin.get(at)).json.pending).toEqual([]);
  expect(await audited(tenant, "retention.apply")).toEqual([{ actor: "service", detail: { leads: 1 } }]);
  expect(await audited(tenant, "retention.delete")).toEqual([{ actor: "service", detail: { leads: 21 } }]);
  await sweep();
  expect(await audited(tenant, "retention.delete")).toHaveLength(1);
  await expectSound(gatehouse, tenant);
});

test("a shorter period that deletes nothing, and a longer one, take effect at once", async () => {
  const { tenant, admin, at } = await withLeads(2);
  const days = [
    { what: "leads", days: 30 },
    { what: "records", days: 1 },
  ];
  expect((await admin.patch(at, { days })).json.pending).toEqual([]);
  expect((await effective(tenant)).retention).toEqual({ leads: 30, records: 1 });
  expect((await admin.patch(at, { days: [{ what: "leads", days: 60 }] })).status).toBe(200);
  expect((await effective(tenant)).retention).toEqual({ leads: 60, records: 1 });
});

test("a cancelled change deletes nothing, and a second cancellation is rejected", async () => {
  const { tenant, admin, at } = await withLeads(3);
  await admin.patch(at, confirmed);
  const body = { what: ["leads"] };
  expect((await admin.post(`${at}/cancel`, body)).json.pending).toEqual([]);
  expect((await admin.post(`${at}/cancel`, body)).status).toBe(409);
  await sweep();
  expect(await count("leads", tenant)).toBe(3);
  const viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
  await admin.patch(at, confirmed);
  for (const [path, sent] of [
    ["cancel", body],
    ["preview", oneDayOfLeads],
  ] as const)
    expect((await viewer.post(`${at}/${path}`, sent)).status).toBe(403);
  expect((await viewer.get(at)).json.pending).toHaveLength(1);
});

test("a sweep skips a pending change that is being cancelled", async () => {
  const { tenant, admin, at } = await withLeads(3);
  await admin.patch(at, confirmed);
  await endGrace(tenant);
  const cancelling = await gatehouse.database.work.connect();
  try {
    await cancelling.query("begin");
    await cancelling.query("update organizations set pending_retention = null where id = $1", [
      tenant.organizationId,
    ]);
    await sweep();
    await cancelling.query("commit");
  } finally {
    cancelling.release();
  }
  await sweep();
  expect([await count("leads", tenant), (await effective(tenant)).retention]).toEqual([3, null]);
});

test("when two admins save the same version, the second gets 409", async () => {
  const { tenant, admin, at } = await withLeads(3);
  const other = await signedIn(gatehouse, "admin", tenant.organizationId);
  const { version } = (await admin.get(at)).json;
  const answers = await Promise.all(
    [admin, other].map((person) => person.patch(at, { ...confirmed, version })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  // Without a version, the second change replaces the first.
  await other.patch(at, { days: [{ what: "leads", days: 30 }] });
  expect((await admin.get(at)).json.pending).toEqual([]);
  expect((await effective(tenant)).retention).toEqual({ leads: 30 });
});

test("a clock that is ahead does not end the grace period", async () => {
  const { tenant, admin, at } = await withLeads(3);
  await admin.patch(at, confirmed);
  await sweepAt(gatehouse, nowMs(), 10);
  expect([await count("leads", tenant), (await effective(tenant)).retention]).toEqual([3, null]);
  await endGrace(tenant);
  // The clock of the database alone does not end it either.
  await sweepAt(gatehouse, nowMs() - 10 * dayMs, 0);
  expect((await effective(tenant)).retention).toBeNull();
});

test("a period that the previous release changes during the grace period stays as it was changed", async () => {
  const { tenant, admin, at } = await withLeads(3);
  await admin.patch(at, confirmed);
  await gatehouse.database.work.query(`update organizations set retention = '{"leads": 400}' where id = $1`, [
    tenant.organizationId,
  ]);
  await endGrace(tenant);
  await sweep();
  expect([await count("leads", tenant), (await effective(tenant)).retention]).toEqual([3, { leads: 400 }]);
  expect(await audited(tenant, "retention.apply")).toEqual([
    { actor: "service", detail: { skipped: ["leads"] } },
  ]);
});

test("deletions before a crash are in the audit line of the next sweep", async () => {
  const { tenant } = await withLeads(3);
  await sweep();
  const before = firstIdAt(new Date(nowMs() + 1));
  const { organizationId } = tenant;
  await deleteLeads(gatehouse.database.console, { organizationId, before, keepsKeys: false, cursors: {} });
  expect(await audited(tenant, "retention.delete")).toEqual([]);
  await sweep();
  expect(await audited(tenant, "retention.delete")).toEqual([{ actor: "service", detail: { leads: 3 } }]);
});

test("keys of deleted records are deleted after the grace period", async () => {
  const partner = await importer(gatehouse);
  const admin = await signedIn(gatehouse, "admin", partner.organizationId);
  const at = `/organizations/${partner.organizationId}/retention`;
  await partner.importTransactions(partner.transaction("K-1"), partner.transaction("K-2"));
  await configure(gatehouse, partner, { retention: { records: 1 }, keepsDeletedKeys: true });
  await between();
  await sweep();
  expect(await count("deleted_records", partner)).toBe(2);
  expect((await admin.patch(at, { keepsDeletedKeys: false })).status).toBe(409);
  const saved = await admin.patch(at, {
    keepsDeletedKeys: false,
    confirmed: [{ what: "deletedKeys", count: 2 }],
  });
  expect(saved.json).toMatchObject({
    keepsDeletedKeys: true,
    pending: [{ what: "deletedKeys", days: null, count: 2 }],
  });
  await sweep();
  expect(await count("deleted_records", partner)).toBe(2);
  await endGrace(partner);
  await sweep();
  expect(await count("deleted_records", partner)).toBe(0);
  expect((await audited(partner, "retention.delete")).map(({ detail }) => detail)).toEqual([
    { records: 2 },
    { deletedKeys: 2 },
  ]);
});

test("the preview counts exactly what is deleted of records that refer to each other", async () => {
  const partner = await importer(gatehouse);
  const account = (name: string) => ({ tpReferenceId: name, name });
  await partner.importAccounts(account("alone"), account("old"), account("young"), account("chain"));
  await partner.importSubscriptions({ tpReferenceId: "S", accountTPReferenceId: "chain" });
  await partner.importTransactions(
    partner.transaction("T-1", { accountTPReferenceId: "old", vehicle: { licensePlate: "OLD1" } }),
    partner.transaction("T-2", { contact: { email: "old@example.com" } }),
  );
  const moment = await between();
  // What these refer to is kept, directly or through another record.
  await partner.importTransactions(
    partner.transaction("T-3", { accountTPReferenceId: "young" }),
    partner.transaction("T-4", { subscriptionTPReferenceId: "S" }),
  );
  const total = async () => {
    let sum = 0;
    for (const { table } of storedEntities) sum += await partner.count(table);
    return sum;
  };
  const stored = await total();
  const admin = await signedIn(gatehouse, "admin", partner.organizationId);
  // A day of grace and a day of retention: what was stored before this moment is deleted.
  const preview = await atTime(moment, () =>
    admin.post(`/organizations/${partner.organizationId}/retention/preview`, {
      days: [{ what: "records", days: 1 }],
    }),
  );
  await configure(gatehouse, partner, { retention: { records: 1 } });
  await sweepAt(gatehouse, moment);
  const deleted = stored - (await total());
  expect(deleted).toBe(6);
  expect(preview.json.data).toEqual([{ what: "records", days: 1, count: deleted, isMinimum: false }]);
});

test("the preview counts exactly what the sweeps delete of every kind", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(partner.transaction("T-1"), partner.transaction("T-2", { type: 9 }));
  await partner.importTransactions(partner.transaction("T-1"));
  // Exceptions are kept a day longer than their period.
  const moment = (await between()) + dayMs;
  const { console: pool } = gatehouse.database;
  const settings = await showSettings<RetentionSettings>(pool, partner.organizationId);
  // Not with a request, whose identifiers would be ahead of those of the next test.
  const preview = await atTime(moment, () =>
    previewDeletion(pool, settings, { retention: { exceptions: 1, runDetails: 1 } }, gatehouse.config),
  );
  expect(preview.data).toMatchObject([
    { what: "exceptions", count: 2 },
    // A stored value and a clock sign.
    { what: "runDetails", count: 2 },
  ]);
  await configure(gatehouse, partner, { retention: { exceptions: 1, runDetails: 1 } });
  const details = [{ ...rejectedValues, days: 30 }, clockSigns];
  for (const each of details)
    await atTime(moment + dayMs, () => new RunDetailsSweep(gatehouse.database.console, each).sweep());
  await sweepAt(gatehouse, moment);
  expect(await audited(partner, "retention.delete")).toEqual([
    { actor: "service", detail: { exceptions: 2, runDetails: 2 } },
  ]);
});
