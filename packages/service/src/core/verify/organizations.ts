import type pg from "pg";
import { tablesOfKind } from "../database/table-kinds.js";
import { maxExamples, type Finding, type OverallCheck } from "./check.js";

/** No foreign key can lead from a table that is spread over several machines to the organizations on the first one. */
export const organizationChecks: OverallCheck[] = [...tablesOfKind("distributed"), "lead_attempts"].map(
  (table) => ({
    name: `links: the organization of ${table} exists`,
    run: (client, organizationIds) => findStrays(client, table, organizationIds),
  }),
);

async function findStrays(
  client: pg.ClientBase,
  table: string,
  organizationIds: readonly string[],
): Promise<Finding> {
  const { rows } = await client.query<{ organization_id: string }>(
    `select distinct organization_id from ${table} where organization_id <> all ($1::uuid[])`,
    [organizationIds],
  );
  // One that was created since the known ones were listed is no stray.
  const { rows: created } = await client.query<{ id: string }>(
    "select id from organizations where id = any ($1::uuid[])",
    [rows.map((row) => row.organization_id)],
  );
  const known = new Set(created.map(({ id }) => id));
  const strays = rows.map((row) => row.organization_id).filter((id) => !known.has(id));
  return { read: organizationIds.length, violations: strays.length, examples: strays.slice(0, maxExamples) };
}
