import type pg from "pg";
import { tablesOfKind } from "../database/table-kinds.js";
import { maxExamples, type Finding, type OverallCheck } from "./check.js";

/** Distributed tables cannot have a foreign key to organizations. */
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
  // It may have been created after the organizations were listed.
  const { rows: created } = await client.query<{ id: string }>(
    "select id from organizations where id = any ($1::uuid[])",
    [rows.map((row) => row.organization_id)],
  );
  const known = new Set(created.map(({ id }) => id));
  const strays = rows.map((row) => row.organization_id).filter((id) => !known.has(id));
  return { read: organizationIds.length, violations: strays.length, examples: strays.slice(0, maxExamples) };
}

/** The first organization of a user is in users, the others are in memberships, so no unique key covers both. */
export const membershipCheck: OverallCheck = {
  name: "keys: users belong to an organization only once, and operators to none",
  run: async (client) => {
    const { rows } = await client.query<Finding>(
      `select count(*)::float8 as read, count(*) filter (where is_wrong)::float8 as violations,
              coalesce((array_agg(id::text) filter (where is_wrong))[1:${maxExamples}], '{}') as examples
       from (
         select memberships.id, memberships.organization_id = users.organization_id
                or users.role = 'operator' and memberships.accepted_at is not null as is_wrong
         from memberships join users on users.id = memberships.user_id
       ) as judged`,
    );
    return rows[0] as Finding;
  },
};
