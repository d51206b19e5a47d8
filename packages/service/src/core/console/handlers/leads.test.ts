import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { signedIn, type Visitor } from "../../../../testing/console.js";
import { useApp, type Tenant } from "../../../../testing/harness.js";

const gatehouse = useApp();
let tenant: Tenant;
let admin: Visitor;
let root: string;
const begunAt = new Date();

beforeAll(async () => {
  tenant = await gatehouse.tenant();
  admin = await signedIn(gatehouse, "admin", tenant.organizationId);
  root = `/organizations/${tenant.organizationId}`;
  await admin.patch(root, { honeypotField: "website" });
  await submit({ email: "ann@example.com", firstName: "Ann", lastName: "Lee", companyName: "100% Parking" });
  await submit({ email: "bot@example.com", website: "filled in" });
  await submit({
    email: "ANN@example.com",
    notes: '=cmd|"/c calc"!A1',
    phone: "+1 555 010 0123",
    metadata: { spot: 7 },
  });
});

async function submit(lead: object): Promise<string> {
  const answer = await gatehouse.post("/lead/submit", tenant.apiKey, {
    locationUuid: tenant.locationUuid,
    ...lead,
  });
  expect(answer.status).toBe(200);
  return answer.json.leadUuid;
}
const emails = async (query = "") =>
  (await admin.get(`${root}/leads${query}`)).json.data.map((lead: { email: string }) => lead.email);

test("the lead inbox shows the newest leads first, filtered by state, duplicate, location, time and text", async () => {
  expect(await emails()).toEqual(["ANN@example.com", "bot@example.com", "ann@example.com"]);
  expect(await emails("?state=quarantined")).toEqual(["bot@example.com"]);
  expect(await emails("?state=accepted")).toEqual(["ANN@example.com", "ann@example.com"]);
  expect(await emails("?duplicates=only")).toEqual(["ANN@example.com"]);
  expect(await emails("?duplicates=hide")).toEqual(["bot@example.com", "ann@example.com"]);
  expect(await emails("?text=ann%20lee")).toEqual(["ann@example.com"]);
  expect(await emails("?text=100%25")).toEqual(["ann@example.com"]);
  expect(await emails("?text=100_")).toEqual([]);
  expect(await emails(`?location=${tenant.locationUuid}`)).toHaveLength(3);
  expect(await emails(`?location=${tenant.organizationId}`)).toEqual([]);
  expect(await emails("?to=2020-01-01T00:00:00Z")).toEqual([]);
  expect(await emails(`?from=${begunAt.toISOString()}`)).toHaveLength(3);
  const page = (await admin.get(`${root}/leads?limit=2`)).json;
  expect(await emails(`?limit=2&before=${page.nextCursor}`)).toEqual(["ann@example.com"]);
});

test("a lead is shown with all its fields and the other leads of the same email", async () => {
  const [{ uuid }] = (await admin.get(`${root}/leads`)).json.data;
  const { json } = await admin.get(`${root}/leads/${uuid}`);
  expect(json).toMatchObject({
    email: "ANN@example.com",
    metadata: '{"spot":7}',
    apiKey: { name: "test" },
    location: { name: "Main garage" },
    state: "accepted",
  });
  expect(json.others.map((lead: { email: string }) => lead.email)).toEqual(["ann@example.com"]);
  expect(json.duplicateOf).toBe(json.others[0].uuid);
});

test("a lead can be released from quarantine, and the audit log records who did it", async () => {
  const [{ uuid }] = (await admin.get(`${root}/leads?state=quarantined`)).json.data;
  const changed = await admin.patch(`${root}/leads/${uuid}`, { state: "accepted" });
  expect(changed.json.state).toBe("accepted");
  const trail = (await admin.get(`${root}/audit?action=lead`)).json.data;
  expect(trail).toMatchObject([
    { actor: admin.email, action: "lead.update", subject: { kind: "lead", uuid, name: "bot@example.com" } },
  ]);
  expect(JSON.parse(trail[0].detail)).toEqual({ state: { from: "quarantined", to: "accepted" } });
  expect((await admin.patch(`${root}/leads/${uuid}`, { state: "deleted" })).status).toBe(400);
  await admin.patch(`${root}/leads/${uuid}`, { state: "quarantined" });
});

test("a quarantined lead shows whether the honeypot caught it or who quarantined it", async () => {
  const [{ uuid: caught }] = (await admin.get(`${root}/leads?text=bot@`)).json.data;
  const honest = await submit({ email: "honest@example.com" });
  const show = async (uuid: string) => (await admin.get(`${root}/leads/${uuid}`)).json;
  const fresh = await submit({ email: "other-bot@example.com", website: "filled in" });
  expect(await show(fresh)).toMatchObject({ state: "quarantined", movedBy: null });
  expect(await show(honest)).toMatchObject({ state: "accepted", movedBy: null });

  await admin.patch(`${root}/leads/${honest}`, { state: "quarantined" });
  const moved = await show(honest);
  expect(moved).toMatchObject({ state: "quarantined", movedBy: { actor: admin.email } });
  // Setting the current state again does not change who moved the lead.
  const other = await signedIn(gatehouse, "admin", tenant.organizationId);
  await other.patch(`${root}/leads/${honest}`, { state: "quarantined" });
  expect((await show(honest)).movedBy).toEqual(moved.movedBy);
  expect((await show(caught)).movedBy).toMatchObject({ actor: admin.email });
  // A lead that release 1.0.0 moved.
  await gatehouse.database.work.query("update leads set state_changed_by = null where id = $1", [honest]);
  expect((await show(honest)).movedBy).toMatchObject({ actor: other.email });
  await gatehouse.database.work.query("delete from leads where id = any ($1)", [[honest, fresh]]);
});

test("the CSV has the filters of the list, neutralizes formulas and marks truncated text", async () => {
  const answer = await admin.get(`${root}/leads.csv?state=accepted`);
  expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(answer.headers["content-disposition"]).toBe('attachment; filename="leads.csv"');
  const rows = parse(answer.text, { bom: true, columns: true }) as Record<string, string>[];
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({
    email: "ANN@example.com",
    notes: `'=cmd|"/c calc"!A1`,
    phone: "'+1 555 010 0123",
    location: "Main garage",
    metadata: '{"spot":7}',
  });
});

test("no personal data of a lead reaches the log", () => {
  const lines = JSON.stringify(gatehouse.logged);
  expect(lines).not.toContain("ann@example.com");
  expect(lines).not.toContain("555 010");
});
