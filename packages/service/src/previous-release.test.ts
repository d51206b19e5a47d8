import { beforeEach, expect, test, vi } from "vitest";
import {
  consoleRoot,
  ownPage,
  signedIn,
  signIn,
  testPassword,
  visitor,
  type Visitor,
} from "../testing/console.js";
import { useApp, type Answer } from "../testing/harness.js";
import { importer } from "../testing/importer.js";
import {
  addAccount,
  countUndone,
  makeLink,
  openSession,
  renewInvitation,
  saveRetention,
} from "../testing/previous-release.js";
import { between, configure, expectSound, sweepAt } from "../testing/retention.js";
import { nowMs } from "./core/clock.js";
import { rejectedValues } from "./features/rejected-values/rejected-values.js";
import { RunDetailsSweep } from "./core/imports/history/run-details-sweep.js";
import { hashPassword } from "./core/organizations/passwords.js";
import { readStored } from "./core/organizations/quotas.js";
import { RequestLogSweep } from "./features/request-log/sweep-request-log.js";
import { measureStorage } from "./features/retention/storage.js";

/** Data that release 1.1.0 writes beside this release must not weaken a protection of this release. */
const gatehouse = useApp({ retentionGraceHours: 24 });
let organizationId: string;
let root: string;
let admin: Visitor;
let colleague: Visitor;

beforeEach(async () => {
  ({ organizationId } = await gatehouse.tenant());
  root = `/organizations/${organizationId}`;
  admin = await signedIn(gatehouse, "admin", organizationId);
  colleague = await signedIn(gatehouse, "admin", organizationId);
});

let visits = 0;

async function follow(token: string): Promise<Answer> {
  visits += 1;
  return gatehouse.send({
    method: "POST",
    url: `${consoleRoot}/session/link`,
    headers: { ...ownPage, "content-type": "application/json", "x-forwarded-for": `203.0.113.${visits}` },
    payload: JSON.stringify({ token }),
  });
}

const visitorOf = (token: string) => visitor(gatehouse, "", "", `__Host-gatehouse-session=${token}`);

test("a sign-in link of the previous release is rejected, because its creator is unknown", async () => {
  const token = await makeLink(gatehouse.database.work, colleague.userId);
  expect((await follow(token)).json.code).toBe("linkRefused");
});

test("an invitation that the previous release created or renewed is rejected until it is created again", async () => {
  const { work } = gatehouse.database;
  const elsewhere = await signedIn(gatehouse, "viewer", (await gatehouse.tenant()).organizationId);
  const invited = await admin.post(`${root}/members`, { email: elsewhere.email, role: "viewer" });
  const { uuid } = invited.json.member;
  // The previous release keeps the inviter: here the admin, although another user renews it.
  const renewed = await renewInvitation(work, organizationId, uuid);
  expect((await elsewhere.post("/session/invitation", { token: renewed })).json.code).toBe("linkRefused");
  await work.query("update memberships set invitation_made_by = null where id = $1", [uuid]);
  expect((await elsewhere.post("/session/invitation", { token: renewed })).json.code).toBe("linkRefused");
  const again = await admin.post(`${root}/members/${uuid}/sign-in-link`);
  const token = again.json.link.path.split("token=")[1];
  expect((await elsewhere.post("/session/invitation", { token })).status).toBe(200);
});

test("a session that the previous release opened with a link is rejected, and one with a password is accepted", async () => {
  const { work } = gatehouse.database;
  const status = async (by: "password" | "link" | "provider") =>
    (await visitorOf(await openSession(work, colleague.userId, by)).get("/session")).status;
  expect([await status("link"), await status("password"), await status("provider")]).toEqual([401, 200, 200]);
});

test("each of two spellings of an address signs in to its own account if the previous release accepts both", async () => {
  const { work } = gatehouse.database;
  const passwordHash = await hashPassword(testPassword, []);
  const add = (email: string) => addAccount(work, { organizationId, email, passwordHash });
  const name = `j\u00f6rg-${colleague.userId}@example.com`;
  const wide = name.replace("rg", "r\uff47");
  const ids = [await add(name), await add(name.normalize("NFD")), await add(wide)];
  for (const [index, typed] of [name, name.normalize("NFD"), wide].entries()) {
    const answer = await signIn(gatehouse, typed, testPassword);
    expect(answer.json.user.uuid, typed).toBe(ids[index]);
  }
  // Both releases treat the Kelvin sign as k.
  expect(await add(`kate-${colleague.userId}@example.com`)).toBeDefined();
  expect(await add(`\u212aate-${colleague.userId}@example.com`)).toBeUndefined();
});

async function withLeads(): Promise<{ count: () => Promise<number>; pending: () => Promise<unknown[]> }> {
  const { apiKey, locationUuid, organizationId: id } = await gatehouse.tenant();
  organizationId = id;
  root = `/organizations/${id}`;
  admin = await signedIn(gatehouse, "admin", id);
  for (const email of ["a@example.com", "b@example.com"])
    expect((await gatehouse.post("/lead/submit", apiKey, { email, locationUuid })).status).toBe(200);
  await between();
  return {
    count: async () => (await admin.get(`${root}/leads`)).json.data.length,
    pending: async () => (await admin.get(`${root}/retention`)).json.pending,
  };
}

/** One day after everything that is stored. */
const sweep = () => sweepAt(gatehouse, nowMs());

async function endGrace(): Promise<void> {
  await gatehouse.database.work.query(
    `update organizations set pending_retention = (
       select jsonb_object_agg(key, value || jsonb_build_object('at', to_jsonb(now() - interval '1 second')))
       from jsonb_each(pending_retention)
     ) where id = $1`,
    [organizationId],
  );
}

test("a shorter period saved by the previous release waits for the grace period and can be cancelled", async () => {
  const { work } = gatehouse.database;
  const leads = await withLeads();
  await saveRetention(work, organizationId, { retention: { leads: 1 } });
  await sweep();
  expect(await leads.count()).toBe(2);
  expect(await leads.pending()).toMatchObject([
    { what: "leads", days: 1, count: 2, by: "a server of an earlier release" },
  ]);
  // The previous release deletes by this column, so it waits too.
  const { rows } = await work.query("select retention from organizations where id = $1", [organizationId]);
  expect(rows).toEqual([{ retention: null }]);
  await admin.post(`${root}/retention/cancel`, { what: ["leads"] });
  await sweep();
  expect(await leads.count()).toBe(2);

  await saveRetention(work, organizationId, { retention: { leads: 1 } });
  await sweep();
  await endGrace();
  await sweep();
  expect([await leads.count(), await leads.pending()]).toEqual([0, []]);
  const { data } = (await admin.get(`${root}/audit?action=retention`)).json;
  expect(data.map(({ action }: { action: string }) => action).toSorted()).toEqual(
    ["retention.apply", "retention.delete", "retention.hold", "retention.hold"].toSorted(),
  );
  await expectSound(gatehouse, { organizationId });
});

test("shorter periods for the request log and for import details wait for the grace period too", async () => {
  const partner = await importer(gatehouse);
  ({ organizationId } = partner);
  const { console: pool } = gatehouse.database;
  const count = async (table: string) =>
    (await pool.query(`select from ${table} where organization_id = $1`, [organizationId])).rowCount;
  await partner.importTransactions(partner.transaction("D-1", { type: 9 }));
  // The import, and the helper that reads it.
  await expect.poll(() => count("request_log")).toBe(2);
  await saveRetention(pool, organizationId, { retention: { requestLog: 1, runDetails: 1 } });
  const sweepDetails = async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: nowMs() + 3 * 86_400_000 });
    await new RequestLogSweep(pool, { days: 30, rows: 1_000 }).sweep();
    await new RunDetailsSweep(pool, { ...rejectedValues, days: 30 }).sweep();
    vi.useRealTimers();
    return [await count("request_log"), await count("import_sent_values")];
  };
  expect(await sweepDetails()).toEqual([2, 1]);
  // Both are more than one day old when the grace period ends.
  const { acknowledged } = await acknowledge();
  expect(acknowledged).toEqual({ requestLog: 1, runDetails: 1 });
  expect(await sweepDetails()).toEqual([0, 0]);
});

async function acknowledge(): Promise<{ acknowledged: object }> {
  await sweep();
  await endGrace();
  await sweep();
  const { rows } = await gatehouse.database.work.query(
    "select acknowledged_retention as acknowledged from organizations where id = $1",
    [organizationId],
  );
  return rows[0];
}

test("saving other settings does not apply a period that the previous release saved", async () => {
  const leads = await withLeads();
  await saveRetention(gatehouse.database.work, organizationId, { retention: { leads: 1 } });
  await configure(gatehouse, { organizationId }, { keepsSentValues: false, retention: { exceptions: 30 } });
  await sweep();
  expect([await leads.count(), await leads.pending()]).toMatchObject([2, [{ what: "leads" }]]);
  const saved = await admin.patch(`${root}/retention`, { days: [{ what: "leads", days: 1 }] });
  expect(saved.status).toBe(409);
});

test("a longer period saved by the previous release applies at once, as does one that deletes nothing", async () => {
  const { work } = gatehouse.database;
  const leads = await withLeads();
  await configure(gatehouse, { organizationId }, { retention: { leads: 1 } });
  await saveRetention(work, organizationId, { retention: { leads: 400, records: 30 } });
  await sweep();
  expect([await leads.count(), await leads.pending()]).toEqual([2, []]);
  const { rows } = await work.query(
    "select retention, acknowledged_retention from organizations where id = $1",
    [organizationId],
  );
  const retention = { leads: 400, records: 30 };
  expect(rows).toEqual([{ retention, acknowledged_retention: retention }]);
});

test("keys of deleted records that the previous release stops remembering wait for the grace period", async () => {
  const partner = await importer(gatehouse);
  ({ organizationId } = partner);
  const { work } = gatehouse.database;
  const keys = async () =>
    (await work.query("select from deleted_records where organization_id = $1", [organizationId])).rowCount;
  await partner.importTransactions(partner.transaction("K-1"));
  await configure(gatehouse, partner, { retention: { records: 1 }, keepsDeletedKeys: true });
  await between();
  await sweep();
  expect(await keys()).toBe(1);
  await saveRetention(work, organizationId, { retention: { records: 1 }, keepsDeletedKeys: false });
  await sweep();
  expect(await keys()).toBe(1);
  await endGrace();
  await sweep();
  expect(await keys()).toBe(0);
});

test("bytes that an undo in the previous release does not free are free after the next count", async () => {
  const partner = await importer(gatehouse);
  const { work } = gatehouse.database;
  await partner.importTransactions(partner.transaction("U-1"), partner.transaction("U-2"));
  await measureStorage(work, partner.organizationId);
  const before = await readStored(work, partner.organizationId);
  await work.query("delete from transactions where organization_id = $1", [partner.organizationId]);
  await countUndone(work, partner.organizationId, 2);
  await measureStorage(work, partner.organizationId);
  const after = await readStored(work, partner.organizationId);
  expect(after.records).toBe((before.records ?? 0) - 2);
  expect(after.bytes).toBeLessThan(before.bytes ?? 0);
});
