import { expect, test } from "vitest";
import { signedIn } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";
import { createApiKey, revokeApiKey } from "../../core/organizations/api-keys.js";
import { createOrganization } from "../../core/organizations/organizations.js";

const gatehouse = useApp();
const actor = "jo@example.com";
const nothing = { location: false, apiKey: false, record: false, member: false };

async function newOrganization() {
  const pool = gatehouse.database.work;
  const { uuid: organizationId } = await createOrganization(pool, { name: "Pier 7", actor });
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const path = `/organizations/${organizationId}`;
  return {
    pool,
    organizationId,
    admin,
    path,
    steps: async () => (await admin.get(`${path}/overview/first-steps`)).json,
  };
}

test("each first step is done once the organization has what it makes", async () => {
  const { pool, organizationId, admin, path, steps } = await newOrganization();
  // The data of another organization does not count.
  const other = await gatehouse.tenant();
  await gatehouse.post("/integrations/accounts", other.apiKey, {
    accounts: [{ tpReferenceId: "A", name: "A" }],
  });
  expect(await steps()).toEqual(nothing);

  const key = await createApiKey(pool, { organizationId, name: "Back end", actor });
  expect(await steps()).toEqual({ ...nothing, apiKey: true });
  await gatehouse.post("/integrations/accounts", key.key, { accounts: [{ tpReferenceId: "A", name: "A" }] });
  expect(await steps()).toEqual({ ...nothing, apiKey: true, record: true });
  await revokeApiKey(pool, { keyId: key.uuid, organizationId, actor });
  expect(await steps()).toEqual({ ...nothing, record: true });

  const address = { address: "1 Quay", city: "New York", state: "NY", zipcode: "10006" };
  const location = { name: "Quay", ...address, timeZone: "America/New_York" };
  expect((await admin.post(`${path}/locations`, location)).status).toBe(200);
  const invited = await admin.post(`${path}/members`, {
    email: `sam-${organizationId}@example.com`,
    role: "viewer",
  });
  expect(invited.status).toBe(200);
  expect(await steps()).toEqual({ location: true, apiKey: false, record: true, member: true });
});

test("a lead counts as the first record", async () => {
  const { organizationId, apiKey, locationUuid } = await gatehouse.tenant();
  const lead = await gatehouse.post("/lead/submit", apiKey, { email: "jo@example.com", locationUuid });
  expect(lead.status).toBe(200);
  const viewer = await signedIn(gatehouse, "viewer", organizationId);
  const { json } = await viewer.get(`/organizations/${organizationId}/overview/first-steps`);
  expect(json).toEqual({ location: true, apiKey: true, record: true, member: false });
});

test("a key that has expired does not count", async () => {
  const { pool, organizationId, steps } = await newOrganization();
  await createApiKey(pool, {
    organizationId,
    name: "Back end",
    actor,
    expiresAt: new Date(Date.now() + 60_000),
  });
  expect((await steps()).apiKey).toBe(true);
  await pool.query("update api_keys set expires_at = now() where organization_id = $1", [organizationId]);
  expect((await steps()).apiKey).toBe(false);
});
