import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { signedIn } from "../../../testing/console.js";
import { useApp, type Tenant } from "../../../testing/harness.js";
import { waitingForLocks } from "../../../testing/waiting-for-locks.js";
import { stringifyExactly } from "@gatehouse-parking/json-text";
import { verifyStoredData } from "../../../testing/verify.js";
import { erasePerson } from "./erase-person.js";
import { nothingErased } from "./erasure-state.js";
import { RunningErasures } from "./running-erasures.js";
import { exportPerson } from "./export-person.js";

const gatehouse = useApp();
const email = "Jo.Doe@example.com";

/** A person with two leads and a contact that two transactions are linked to, and another person with the same. */
async function tenantWithPeople(): Promise<Tenant> {
  const tenant = await gatehouse.tenant();
  for (const person of [email, email.toLowerCase(), "someone@else.example"]) {
    await gatehouse.post("/lead/submit", tenant.apiKey, {
      email: person,
      locationUuid: tenant.locationUuid,
      notes: `note of ${person}`,
      metadata: { exact: "12345678901234567890" },
    });
  }
  const transaction = (transactionId: string, contact: object) => ({
    transactionId,
    locationUuid: tenant.locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
    contact,
  });
  const batch = {
    transactions: [
      transaction("T-1", { email, phoneNumber: "+1-5550100", firstName: "Jo", metadata: { vip: true } }),
      transaction("T-2", { email }),
      transaction("T-3", { email: "someone@else.example", firstName: "Sam" }),
    ],
  };
  // Formatted with spaces, which its metadata keeps.
  const body = JSON.stringify(batch, null, 2);
  const imported = await gatehouse.post("/integrations/transactions", tenant.apiKey, body);
  expect(imported.json.successCount).toBe(3);
  return tenant;
}

const query = (tenant: Tenant) => ({
  organizationId: tenant.organizationId,
  email: ` ${email} `,
  actor: "test",
});

async function everythingStored(tenant: Tenant): Promise<string> {
  const { rows } = await gatehouse.database.work.query<{ everything: string }>(
    `select concat(
       (select json_agg(leads) from leads where organization_id = $1),
       (select json_agg(contacts) from contacts where organization_id = $1),
       (select json_agg(accounts) from accounts where organization_id = $1),
       (select json_agg(person_erasures) from person_erasures where organization_id = $1),
       (select json_agg(import_exceptions) from import_exceptions where organization_id = $1),
       (select json_agg(audit_log) from audit_log where organization_id = $1)
     ) as everything`,
    [tenant.organizationId],
  );
  return (rows[0] as { everything: string }).everything;
}

async function auditOf(tenant: Tenant, action: string) {
  const { rows } = await gatehouse.database.work.query(
    "select detail from audit_log where organization_id = $1 and action = $2",
    [tenant.organizationId, action],
  );
  return rows.map((row) => JSON.parse(row.detail));
}

const emailSha256 = createHash("sha256").update("jo.doe@example.com").digest("hex");

test("an export contains all leads and contacts of the person in any spelling of the address, and no other person's", async () => {
  const tenant = await tenantWithPeople();
  const exported = await exportPerson(gatehouse.database.work, query(tenant));
  expect(exported.leads).toMatchObject([{ email, state: "accepted" }, { email: email.toLowerCase() }]);
  expect(exported.contacts).toMatchObject([{ email, firstName: "Jo", phoneNumber: "+1-5550100" }]);
  const text = stringifyExactly(exported);
  expect(text).toContain('{"exact":"12345678901234567890"}');
  expect(text).not.toContain("someone@else.example");
  expect(await auditOf(tenant, "person.export")).toEqual([
    { emailSha256, leads: 2, contacts: 1, accounts: 0 },
  ]);
});

test("an erasure leaves no trace of the person and no dangling link, and does not change other people's data", async () => {
  const tenant = await tenantWithPeople();
  // A repeated record with another name leaves the difference with its run.
  await gatehouse.post("/integrations/transactions", tenant.apiKey, {
    transactions: [
      {
        transactionId: "T-1",
        locationUuid: tenant.locationUuid,
        type: 1,
        transactionDate: "2026-04-01T14:30:00Z",
        contact: { email: "jo.doe@example.com", firstName: "Joanna" },
      },
    ],
  });
  const deletion = await erasePerson(gatehouse.database.work, query(tenant));
  expect(deletion).toMatchObject({ leadsDeleted: 2, contactsErased: 1 });

  const stored = await everythingStored(tenant);
  expect(stored).not.toMatch(/jo\.doe|5550100|"Jo"|Joanna|vip/i);
  expect(stored).toContain("someone@else.example");
  const { organizationId } = tenant;
  expect(await verifyStoredData(gatehouse.connectionString, { organizationId })).toMatchObject({ ok: true });
  expect(await auditOf(tenant, "person.delete")).toEqual([{ emailSha256, ...deletion }]);

  const again = await erasePerson(gatehouse.database.work, query(tenant));
  expect(again).toEqual(nothingErased);
});

test("an erased person who is imported again becomes a new contact", async () => {
  const tenant = await tenantWithPeople();
  await erasePerson(gatehouse.database.work, query(tenant));
  const imported = await gatehouse.post("/integrations/transactions", tenant.apiKey, {
    transactions: [
      {
        transactionId: "T-9",
        locationUuid: tenant.locationUuid,
        type: 1,
        transactionDate: "2026-04-01T14:30:00Z",
        contact: { email, phoneNumber: "+1-5550100" },
      },
    ],
  });
  expect(imported.json.createdEntities.contacts).toBe(1);
});

test("an erasure does not change another organization's data", async () => {
  const tenant = await tenantWithPeople();
  const other = await tenantWithPeople();
  await erasePerson(gatehouse.database.work, query(tenant));
  expect((await exportPerson(gatehouse.database.work, query(other))).leads).toHaveLength(2);
});

test("an invalid email address and an unknown organization are rejected with a message", async () => {
  const tenant = await gatehouse.tenant();
  const work = gatehouse.database.work;
  await expect(erasePerson(work, { ...query(tenant), email: "jo" })).rejects.toThrow(
    "is not an email address",
  );
  await expect(exportPerson(work, { ...query(tenant), organizationId: "x" })).rejects.toThrow(
    "no organization",
  );
});

/** What an admin can do about a person in the console. */
async function adminOf(tenant: Tenant) {
  const admin = await signedIn(gatehouse, "admin", tenant.organizationId);
  const people = `/organizations/${tenant.organizationId}/people`;
  return { admin, post: (verb: string, body: object) => admin.post(`${people}/${verb}`, body) };
}

test("an admin counts a person's records and exports them as JSON or NDJSON", async () => {
  const tenant = await tenantWithPeople();
  const { admin, post } = await adminOf(tenant);
  const [lead] = (await admin.get(`/organizations/${tenant.organizationId}/leads?text=jo.doe`)).json.data;
  await admin.post(`/organizations/${tenant.organizationId}/leads/${lead.uuid}/notes`, { text: "Called Jo" });
  const found = await post("find", { email: `${email.toUpperCase()} `, phone: "" });
  expect(found.json).toEqual({
    ...{ leads: 2, leadNotes: 1, contacts: 1, accounts: 0, isUnfinished: false },
    ...{ byEmail: { leads: 2, contacts: 1, accounts: 0 }, byPhone: null },
  });
  const both = await post("find", { email: "someone@else.example", phone: "+1-5550100" });
  expect(both.json).toMatchObject({
    ...{ leads: 1, contacts: 2, accounts: 0 },
    ...{ byEmail: { leads: 1, contacts: 1 }, byPhone: { leads: 0, contacts: 1 } },
  });

  const json = await post("export", { email, format: "json" });
  expect(json.headers["content-disposition"]).toBe('attachment; filename="person.json"');
  expect(JSON.parse(json.text)).toMatchObject({
    email: "jo.doe@example.com",
    leads: [{ email, workState: "new", workNotes: [] }, { workNotes: [{ text: "Called Jo" }] }],
    contacts: [{ firstName: "Jo", metadata: { vip: true } }],
    accounts: [],
  });
  const ndjson = await post("export", { email, format: "ndjson" });
  const lines = ndjson.text.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(["lead", "lead", "contact"]);
  expect(json.text + ndjson.text).not.toContain("someone@else.example");
  expect(await auditOf(tenant, "person.export")).toEqual([
    { emailSha256, leads: 2, contacts: 1, accounts: 0 },
    { emailSha256, leads: 2, contacts: 1, accounts: 0 },
  ]);
});

test("only an admin who confirms the address or number can erase a person", async () => {
  const tenant = await tenantWithPeople();
  const { post } = await adminOf(tenant);
  const viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
  const erase = { email, emailConfirmation: email };
  const both = { email: "someone@else.example", phone: "+1-5550100" };
  const refused = [
    await post("erase", { email, emailConfirmation: "jo" }),
    await post("erase", { email }),
    await post("erase", { emailConfirmation: email }),
    // A form from one person named another person's number.
    await post("erase", { ...both, emailConfirmation: both.email }),
    await post("erase", { ...both, phoneConfirmation: both.phone }),
    await post("find", {}),
    await post("export", { email }),
    await viewer.post(`/organizations/${tenant.organizationId}/people/erase`, erase),
    await viewer.post(`/organizations/${tenant.organizationId}/people/find`, erase),
  ];
  expect(refused.map(({ status }) => status)).toEqual([...[400, 400, 400, 400, 400, 400, 400, 403, 403]]);
  expect(await everythingStored(tenant)).toMatch(/jo\.doe/i);

  const erased = await post("erase", { email, emailConfirmation: ` ${email.toUpperCase()}` });
  expect(erased.json).toMatchObject({ isDone: true, leadsDeleted: 2, contactsErased: 1 });
  expect(await everythingStored(tenant)).not.toMatch(/jo\.doe|5550100|"Jo"/i);
  const { isDone: _isDone, ...deletion } = erased.json;
  expect(await auditOf(tenant, "person.delete")).toEqual([{ emailSha256, ...deletion }]);
  expect((await post("find", { email })).json).toMatchObject({ leads: 0, contacts: 0, isUnfinished: false });
});

test("two concurrent requests to erase the same person share one erasure and its result", async () => {
  const tenant = await tenantWithPeople();
  const { work } = gatehouse.database;
  const erasures = new RunningErasures(work);
  let confirmed = 0;
  const confirmation = {
    get email() {
      confirmed += 1;
      return email;
    },
  };
  // The erasure starts after both requests have arrived.
  const holder = await work.connect();
  await holder.query("begin");
  await holder.query("select from leads where organization_id = $1 for update", [tenant.organizationId]);
  const asking = [1, 2].map(() => erasures.erase({ ...query(tenant), confirmation }, () => undefined));
  await expect.poll(() => confirmed).toBe(2);
  await holder.query("rollback");
  holder.release();
  const [one, other] = await Promise.all(asking);
  expect(one).toMatchObject({ isDone: true, leadsDeleted: 2 });
  expect(other).toEqual(one);
  expect(await auditOf(tenant, "person.delete")).toHaveLength(1);
});

test("an erasure that takes too long to answer continues in the background, one per organization", async () => {
  const tenant = await tenantWithPeople();
  const { admin, post } = await adminOf(tenant);
  const { work } = gatehouse.database;
  const asked = { ...query(tenant), confirmation: { email } };
  const failures: unknown[] = [];
  const hasty = new RunningErasures(work, 1);
  const holder = await work.connect();
  try {
    await holder.query("begin");
    await holder.query("select from leads where organization_id = $1 for update", [tenant.organizationId]);
    const told = await hasty.erase(asked, (error) => failures.push(error));
    expect(told).toEqual({ isDone: false, ...nothingErased });
    await expect(
      hasty.erase(
        { ...asked, email: "a@b.example", confirmation: { email: "a@b.example" } },
        () => undefined,
      ),
    ).rejects.toThrow("Another person is being erased");
    await expect.poll(() => waitingForLocks(gatehouse)).toBeGreaterThan(0);
    // An interrupted erasure is recorded as unfinished, with the user who began it.
    expect(await auditOf(tenant, "person.begin-delete")).toEqual([{ emailSha256 }]);
    const { data } = (await admin.get(`/organizations/${tenant.organizationId}/people/unfinished-erasures`))
      .json;
    expect(data).toEqual([{ begunAt: expect.stringMatching(/^20.*Z$/) }]);
    expect((await post("find", { email })).json).toMatchObject({ isUnfinished: true });
    // Another instance does not begin it as well, and neither does the command line.
    const elsewhere = new RunningErasures(work, 1);
    expect(await elsewhere.erase(asked, (error) => failures.push(error))).toEqual(told);
    await expect(erasePerson(work, query(tenant))).rejects.toThrow("is already being erased");
    await holder.query("rollback");
    await expect.poll(() => auditOf(tenant, "person.delete")).toMatchObject([{ leadsDeleted: 2 }]);
    const again = await elsewhere.erase({ ...asked, isAskedAgain: true }, () => undefined);
    expect(again).toMatchObject({ isDone: true, leadsDeleted: 2, contactsErased: 1 });
    expect(await auditOf(tenant, "person.begin-delete")).toHaveLength(1);
  } finally {
    holder.release(true);
  }
  expect(failures).toEqual([]);
});

test("erasures of different organizations run concurrently up to a limit, and the error for one more has no details", async () => {
  const { work } = gatehouse.database;
  const tenants = await Promise.all([1, 2, 3, 4].map(() => gatehouse.tenant()));
  const hasty = new RunningErasures(work, 1);
  const erase = (tenant: Tenant) =>
    hasty.erase({ ...query(tenant), confirmation: { email } }, () => undefined);
  const [last, ...first] = tenants as [Tenant, ...Tenant[]];
  const holder = await work.connect();
  try {
    await holder.query("begin");
    // One organization at a time, because a cluster cannot lock rows of several at once.
    for (const { organizationId } of tenants)
      await holder.query("select from import_turns where organization_id = $1 for update", [organizationId]);
    for (const tenant of first) expect(await erase(tenant)).toMatchObject({ isDone: false });
    await expect(erase(last)).rejects.toMatchObject({ code: "unavailable", problems: [] });
    await holder.query("rollback");
    for (const tenant of first) await expect.poll(() => auditOf(tenant, "person.delete")).toHaveLength(1);
  } finally {
    holder.release(true);
  }
});
