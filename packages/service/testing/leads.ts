import type { TestApp } from "./harness.js";

export const leadEmail = "jo@example.com";

/** An organization that submits leads: a minimal valid one with these fields added or replaced. */
export async function leadSubmitter(gatehouse: TestApp, options: Parameters<TestApp["tenant"]>[0] = {}) {
  const tenant = await gatehouse.tenant(options);
  const submit = (fields: object = {}) =>
    gatehouse.post("/lead/submit", tenant.apiKey, {
      email: leadEmail,
      locationUuid: tenant.locationUuid,
      ...fields,
    });
  return { ...tenant, submit };
}

export async function storedLead(gatehouse: TestApp, organizationId: string, leadUuid: string) {
  const { rows } = await gatehouse.database.work.query(
    "select * from leads where organization_id = $1 and id = $2",
    [organizationId, leadUuid],
  );
  return rows[0];
}
