import type pg from "pg";

/** Imports of one organization are judged one after the other, on whatever instance they are. */
export async function lockOrganization(client: pg.PoolClient, organizationId: string): Promise<void> {
  await client.query({
    name: "lock-organization",
    text: "select from import_turns where organization_id = $1 for no key update",
    values: [organizationId],
  });
}
