import { parse } from "csv-parse/sync";
import { maxCountedNewLeads, maxSearchedNewLeads } from "@gatehouse-parking/contract";
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { signedIn, type Visitor } from "../../../testing/console.js";
import { useApp, type Tenant } from "../../../testing/harness.js";
import { addPerson } from "../../../testing/person.js";
import { rowsReadBy } from "../../../testing/rows-read.js";

const gatehouse = useApp();
let tenant: Tenant;
let root: string;
let ann: Visitor;
let bob: Visitor;
let viewer: Visitor;

beforeAll(async () => {
  tenant = await gatehouse.tenant();
  root = `/organizations/${tenant.organizationId}`;
  ann = await signedIn(gatehouse, "admin", tenant.organizationId);
  bob = await signedIn(gatehouse, "admin", tenant.organizationId);
  viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
});

let people = 0;
async function submit(of = tenant): Promise<string> {
  people += 1;
  const lead = { email: `assigned-${people}@example.com`, locationUuid: of.locationUuid };
  return (await gatehouse.post("/lead/submit", of.apiKey, lead)).json.leadUuid;
}
const show = async (uuid: string) => (await ann.get(`${root}/leads/${uuid}`)).json;
const assign = (uuid: string, assigneeUuid: string | null, more: object = {}, by = ann) =>
  by.patch(`${root}/leads/${uuid}`, { assigneeUuid, ...more });
const listed = async (assignee: string, by = ann) =>
  (await by.get(`${root}/leads?assignee=${assignee}`)).json.data.map(({ uuid }: { uuid: string }) => uuid);
const lastEntry = async () => {
  const [{ action, actor, detail }] = (await ann.get(`${root}/audit?action=lead`)).json.data;
  return { action, actor, detail: JSON.parse(detail) };
};

test("a lead is assigned to a member or to no one, in the version that was edited, and the audit log says so", async () => {
  const uuid = await submit();
  const { version, assignee } = await show(uuid);
  expect(assignee).toBeNull();
  const assigned = await assign(uuid, bob.userId, { version });
  expect(assigned.json).toMatchObject({
    assignee: { uuid: bob.userId, email: bob.email },
    // No one has worked on it yet.
    workState: "new",
    workChanged: null,
  });
  expect(await lastEntry()).toEqual({
    action: "lead.work",
    actor: ann.email,
    detail: { assignee: { from: null, to: bob.email } },
  });
  const late = await assign(uuid, ann.userId, { version });
  expect([late.status, late.json.code]).toEqual([409, "changedMeanwhile"]);
  const both = await assign(uuid, null, { version: assigned.json.version, workState: "closed" });
  expect(both.json).toMatchObject({ assignee: null, workState: "closed" });
  expect((await lastEntry()).detail).toEqual({
    assignee: { from: bob.email, to: null },
    workState: { from: "new", to: "closed" },
  });
});

test("only admins assign leads, and only to members who can sign in", async () => {
  const uuid = await submit();
  const stranger = await signedIn(gatehouse, "admin", (await gatehouse.tenant()).organizationId);
  const gone = await addPerson(gatehouse.database, {
    email: "disabled@example.com",
    role: "admin",
    organizationId: tenant.organizationId,
  });
  expect((await ann.patch(`${root}/members/${gone.uuid}`, { disabled: true })).status).toBe(200);
  const refused = [
    await assign(uuid, ann.userId, {}, viewer),
    await assign(uuid, stranger.userId),
    await assign(uuid, gone.uuid),
    await assign(uuid, randomUUID()),
    await assign(uuid, "me"),
    await ann.get(`${root}/leads?assignee=someone`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 400, 400, 400, 400, 400]);
  expect(refused[1]?.json.errors).toEqual([`The organization has no member ${stranger.userId}`]);
  expect((await show(uuid)).assignee).toBeNull();
  // The viewer can be the one who calls the person.
  expect((await assign(uuid, viewer.userId)).json.assignee.email).toBe(viewer.email);
});

test("several leads are assigned together, and filters find those of a member, one's own and no one's", async () => {
  const [first, second, third] = [await submit(), await submit(), await submit()];
  const leads = [{ uuid: first }, { uuid: second }];
  const changed = await ann.post(`${root}/leads/changes`, { leads, assigneeUuid: bob.userId });
  expect(changed.json).toEqual({ changed: 2 });
  expect((await lastEntry()).detail).toMatchObject({ assignee: bob.email, count: 2, changed: 2 });
  expect(await listed(bob.userId)).toEqual([second, first]);
  expect(await listed("me", bob)).toEqual([second, first]);
  expect(await listed("me")).toEqual([]);
  expect(await listed(randomUUID())).toEqual([]);
  expect(await listed("unassigned")).toEqual(expect.arrayContaining([third]));
  expect(await listed("unassigned")).not.toContain(first);
  // As with the filter by status.
  await ann.patch(`${root}/leads/${first}`, { state: "quarantined" });
  expect(await listed(bob.userId)).toEqual([second]);

  const csv = await bob.get(`${root}/leads.csv?assignee=me`);
  const rows = parse(csv.text, { bom: true, columns: true }) as Record<string, string>[];
  expect(rows).toMatchObject([{ leadUuid: second, assignee: bob.email }]);
  const { email } = await show(second);
  const exported = await ann.post(`${root}/people/export`, { email, format: "json" });
  expect(exported.json.leads).toMatchObject([{ uuid: second, assignee: bob.email }]);
});

test("the leads of a member who leaves are assigned to no one", async () => {
  const leaving = await signedIn(gatehouse, "admin", tenant.organizationId);
  const uuid = await submit();
  await assign(uuid, leaving.userId);
  const { version } = await show(uuid);
  expect((await ann.delete(`${root}/members/${leaving.userId}`)).status).toBe(204);
  expect(await show(uuid)).toMatchObject({ assignee: null });
  expect(await listed("unassigned")).toContain(uuid);
  expect(await listed(leaving.userId)).toEqual([]);
  expect((await assign(uuid, bob.userId, { version })).json.assignee.email).toBe(bob.email);
});

test("leads of an invited person stay theirs when they accept, and do not tell whether they have an account", async () => {
  const other = await gatehouse.tenant();
  const known = await signedIn(gatehouse, "admin", other.organizationId);
  const assigned: unknown[] = [];
  const uuid = await submit();
  let token = "";
  for (const email of ["unknown-invited@example.com", known.email]) {
    const { member, link } = (await ann.post(`${root}/members`, { email, role: "viewer" })).json;
    const { assignee } = (await assign(uuid, member.uuid)).json;
    assigned.push({ ...assignee, uuid: assignee.uuid === member.uuid });
    token = new URLSearchParams(new URL(link.path, "https://x").hash.slice(1)).get("token") ?? "";
  }
  expect(assigned).toEqual([
    { uuid: true, email: "unknown-invited@example.com" },
    { uuid: true, email: known.email },
  ]);
  expect((await known.post("/session/invitation", { token })).status).toBe(200);
  expect((await show(uuid)).assignee).toEqual({ uuid: known.userId, email: known.email });
});

test("new leads are counted without those in quarantine, up to a limit and at a bounded cost", async () => {
  const own = await gatehouse.tenant();
  const member = await signedIn(gatehouse, "admin", own.organizationId);
  const count = async () => (await member.get(`/organizations/${own.organizationId}/new-leads`)).json;
  expect(await count()).toEqual({ count: 0, hasMore: false });
  const [worked, spam] = [await submit(own), await submit(own), await submit(own)];
  const leads = `/organizations/${own.organizationId}/leads`;
  await member.patch(`${leads}/${worked}`, { workState: "contacted" });
  await member.patch(`${leads}/${spam}`, { state: "quarantined" });
  expect(await count()).toEqual({ count: 1, hasMore: false });

  const { work } = gatehouse.database;
  await work.query(
    `insert into leads (organization_id, id, location_id, email, email_key, api_key_id, address, created_at)
     select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, 'x', 'x' || n, $1, '127.0.0.1', '2020-01-01'
     from generate_series(1, 5000) as n`,
    [own.organizationId, own.locationUuid],
  );
  expect(await count()).toEqual({ count: maxCountedNewLeads, hasMore: true });
  await work.query(
    `insert into lead_work (organization_id, lead_id, state, changed_by, changed_at)
     select organization_id, id, 'closed', 'x', now() from leads where organization_id = $1 on conflict do nothing`,
    [own.organizationId],
  );
  const read = await rowsReadBy(gatehouse.database, ["leads", "lead_work"], async () => {
    expect(await count()).toEqual({ count: 0, hasMore: false });
  });
  expect(read.sequential).toBe(0);
  expect(read.indexed).toBeLessThanOrEqual(2 * maxSearchedNewLeads + 10);
});
