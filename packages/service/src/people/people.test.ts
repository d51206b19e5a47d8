import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { useApp, type Tenant } from "../../testing/harness.js";
import { stringifyExactly } from "@gatehouse-parking/json-text";
import { verifyStoredData } from "../verify/verify.js";
import { deletePerson } from "./delete-person.js";
import { exportPerson } from "./export-person.js";

const gatehouse = useApp();
const email = "Jo.Doe@example.com";

/** A person with two leads and a contact that two transactions are linked to; and somebody else with the same. */
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
  const imported = await gatehouse.post("/integrations/transactions", tenant.apiKey, batch);
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

test("a person's leads and contacts are exported whole, however the address was spelled, and nobody else's", async () => {
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

test("after a deletion nothing tells who the person was, no link dangles, and nobody else is touched", async () => {
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
  const deletion = await deletePerson(gatehouse.database.work, query(tenant));
  expect(deletion).toMatchObject({ leadsDeleted: 2, contactsErased: 1 });

  const stored = await everythingStored(tenant);
  expect(stored).not.toMatch(/jo\.doe|5550100|"Jo"|Joanna|vip/i);
  expect(stored).toContain("someone@else.example");
  const { organizationId } = tenant;
  expect(await verifyStoredData(gatehouse.connectionString, { organizationId })).toMatchObject({ ok: true });
  expect(await auditOf(tenant, "person.delete")).toEqual([{ emailSha256, ...deletion }]);

  const again = await deletePerson(gatehouse.database.work, query(tenant));
  expect(again).toEqual({
    ...{ leadsDeleted: 0, contactsErased: 0, accountsErased: 0, differencesErased: 0, uploadRowsErased: 0 },
  });
});

test("a person who comes back is a new contact", async () => {
  const tenant = await tenantWithPeople();
  await deletePerson(gatehouse.database.work, query(tenant));
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

test("another organization's data stays", async () => {
  const tenant = await tenantWithPeople();
  const other = await tenantWithPeople();
  await deletePerson(gatehouse.database.work, query(tenant));
  expect((await exportPerson(gatehouse.database.work, query(other))).leads).toHaveLength(2);
});

test("what is no e-mail address or no organization is refused in words", async () => {
  const tenant = await gatehouse.tenant();
  const work = gatehouse.database.work;
  await expect(deletePerson(work, { ...query(tenant), email: "jo" })).rejects.toThrow(
    "is not an e-mail address",
  );
  await expect(exportPerson(work, { ...query(tenant), organizationId: "x" })).rejects.toThrow(
    "no organization",
  );
});
