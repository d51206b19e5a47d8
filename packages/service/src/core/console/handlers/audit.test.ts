import { expect, test } from "vitest";
import { consoleRoot, ownPage, signedIn, type Visitor } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";

const gatehouse = useApp();

async function trail(admin: Visitor, root: string, action: string) {
  const { data } = (await admin.get(`${root}/audit?action=${action}`)).json;
  return data.map((line: Record<string, unknown>) => ({
    ...line,
    detail: JSON.parse(line["detail"] as string),
  }));
}

test("every audit entry names its subject and shows the values before and after", async () => {
  const { organizationId, locationUuid, apiKey } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const root = `/organizations/${organizationId}`;

  const { uuid: keyUuid, prefix } = (await admin.post(`${root}/api-keys`, { name: "Booking" })).json;
  await admin.post(`${root}/api-keys/${keyUuid}/revoke`);
  const key = { kind: "api-key", uuid: keyUuid, name: `Booking (${prefix}…)` };
  expect((await trail(admin, root, "api-key")).slice(0, 2)).toMatchObject([
    { action: "api-key.revoke", subject: key, actor: admin.email },
    { action: "api-key.create", subject: key, actor: admin.email },
  ]);

  const member = await signedIn(gatehouse, "viewer", organizationId);
  await admin.patch(`${root}/members/${member.userId}`, { role: "admin", disabled: true });
  await admin.post(`${root}/members/${member.userId}/sign-in-link`);
  expect((await trail(admin, root, "user.update"))[0]).toMatchObject({
    subject: { kind: "person", uuid: member.userId, name: member.email },
    detail: { role: { from: "viewer", to: "admin" }, disabled: { from: false, to: true } },
  });

  await admin.patch(`${root}/locations/${locationUuid}`, { city: "Albany" });
  expect((await trail(admin, root, "location.update"))[0]).toMatchObject({
    subject: { kind: "location", uuid: locationUuid, name: "Main garage" },
    detail: { city: { from: "New York", to: "Albany" } },
  });

  await admin.patch(root, { honeypotField: "website" });
  expect((await trail(admin, root, "organization.configure"))[0]).toMatchObject({
    subject: { kind: "organization", uuid: organizationId },
    detail: { honeypotField: { from: null, to: "website" } },
  });

  const lead = await gatehouse.post("/lead/submit", apiKey, { email: "jo@example.com", locationUuid });
  const { leadUuid } = lead.json;
  await admin.patch(`${root}/leads/${leadUuid}`, { state: "quarantined" });
  expect((await trail(admin, root, "lead"))[0]).toMatchObject({
    subject: { kind: "lead", uuid: leadUuid, name: "jo@example.com" },
    detail: { state: { from: "accepted", to: "quarantined" } },
  });
  // The audit log outlives the lead, and keeps none of its personal data.
  await gatehouse.database.work.query("delete from leads where organization_id = $1", [organizationId]);
  const afterwards = await trail(admin, root, "lead");
  expect(afterwards[0].subject).toEqual({ kind: "lead", uuid: leadUuid, name: null });
  expect(JSON.stringify(afterwards)).not.toContain("jo@example.com");
});

test("an entry shows the IP address of its actor, and none for the command line", async () => {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const root = `/organizations/${organizationId}`;
  await gatehouse.send({
    method: "PATCH",
    url: `${consoleRoot}${root}`,
    headers: {
      ...ownPage,
      cookie: admin.cookie,
      "content-type": "application/json",
      "x-forwarded-for": "203.0.113.9",
    },
    payload: JSON.stringify({ honeypotField: "website" }),
  });
  expect((await trail(admin, root, "organization.configure"))[0].address).toBe("203.0.113.9");
  expect((await trail(admin, root, "user.sign-in"))[0].address).toMatch(/^198[.]51[.]/);
  expect((await trail(admin, root, "organization.create"))[0]).toMatchObject({
    actor: "test",
    address: null,
  });
});

test("names are looked up only in the organization of the audit log", async () => {
  const own = await gatehouse.tenant();
  const other = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", own.organizationId);
  await gatehouse.database.work.query(
    "update audit_log set subject_id = $2 where organization_id = $1 and action = 'location.create'",
    [own.organizationId, other.locationUuid],
  );
  const [line] = await trail(admin, `/organizations/${own.organizationId}`, "location.create");
  expect(line.subject).toEqual({ kind: "location", uuid: other.locationUuid, name: null });
});

test("the audit log is searched by actor and by the text of action, detail and subject", async () => {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const other = await signedIn(gatehouse, "admin", organizationId);
  const root = `/organizations/${organizationId}`;
  const { uuid } = (await admin.post(`${root}/api-keys`, { name: "Booking 100%" })).json;
  await other.post(`${root}/api-keys/${uuid}/revoke`);
  const found = async (query: Record<string, string>) =>
    (await admin.get(`${root}/audit?${new URLSearchParams(query)}`)).json.data.map(
      ({ action, actor }: Record<string, string>) => `${action} ${actor}`,
    );

  expect(await found({ actor: other.email.toUpperCase(), action: "api-key" })).toEqual([
    `api-key.revoke ${other.email}`,
  ]);
  expect(await found({ text: uuid })).toEqual([
    `api-key.revoke ${other.email}`,
    `api-key.create ${admin.email}`,
  ]);
  expect(await found({ text: "BOOKING 100%", actor: admin.email })).toEqual([
    `api-key.create ${admin.email}`,
  ]);
  expect(await found({ text: "KEY.REV" })).toEqual([`api-key.revoke ${other.email}`]);
  for (const text of ["booking 100_", "\u0000"]) expect(await found({ text })).toEqual([]);
  expect(await found({ actor: "%" })).toEqual([]);
});

test("the audit log is exported as CSV and NDJSON, with the list's filter and from any entry on", async () => {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const root = `/organizations/${organizationId}`;
  await admin.post(`${root}/api-keys`, { name: '=cmd|"/c calc"!A1' });
  // More than one read returns.
  await gatehouse.database.work.query(
    `insert into audit_log (id, organization_id, actor, action, detail)
     select gen_random_uuid(), $1, 'command line', 'location.update', '{"name":{"from":"A","to":"B"}}'
     from generate_series(1, 1200)`,
    [organizationId],
  );
  const lines = async (path: string) =>
    (await admin.get(`${root}${path}`)).text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  const located = await lines("/audit.ndjson?action=location.update");
  expect(located).toHaveLength(1_200);
  expect(new Set(located.map(({ uuid }) => uuid)).size).toBe(1_200);
  expect(located[0]).toMatchObject({ actor: "command line", detail: { name: { from: "A", to: "B" } } });
  const rest = await lines(`/audit.ndjson?action=location.update&before=${located[999].uuid}`);
  expect(rest).toEqual(located.slice(1_000));

  const csv = await admin.get(`${root}/audit.csv?action=api-key`);
  const [heading, entry] = csv.text.split("\r\n");
  expect(heading).toBe("\ufeffuuid,at,actor,address,action,subjectKind,subjectUuid,subjectName,detail");
  expect(entry).toContain(`,${admin.email},`);
  expect(entry).toContain(",\"'=cmd|");
  const trailOfIt = await lines("/audit.ndjson?action=audit");
  // The entries are read before the entry of the export is written.
  expect(trailOfIt.map(({ action, address }) => [action, address])).toEqual(
    Array.from({ length: 3 }, () => [
      ["audit.downloaded", expect.any(String)],
      ["audit.download", expect.any(String)],
    ]).flat(),
  );
});
