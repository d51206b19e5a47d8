import type { OrganizationList, OrganizationSummary } from "@gatehouse-parking/contract/console";
import type pg from "pg";

const maxListedOrganizations = 200;

interface OrganizationRow {
  id: string;
  name: string;
  is_demo: boolean;
  created_at: Date;
}

/** All organizations for an operator (`onlyId` null), their own for others. */
export async function findOrganizations(
  pool: pg.Pool,
  onlyId: string | null,
  text: string | undefined,
): Promise<OrganizationList> {
  const { rows } = await pool.query<OrganizationRow>(
    `select id, name, is_demo, created_at from organizations
     where ($1::uuid is null or id = $1) and position($2 in lower(name)) > 0
     order by name, id limit $3`,
    [onlyId, (text ?? "").toLowerCase().replaceAll("\u0000", "\uffff"), maxListedOrganizations + 1],
  );
  const organizations = rows.map((row) =>
    toOrganizationSummary({ id: row.id, name: row.name, isDemo: row.is_demo, createdAt: row.created_at }),
  );
  return {
    data: organizations.slice(0, maxListedOrganizations),
    truncated: organizations.length > maxListedOrganizations,
  };
}

export function toOrganizationSummary(organization: {
  id: string;
  name: string;
  isDemo: boolean;
  createdAt: Date;
}): OrganizationSummary {
  return {
    uuid: organization.id,
    name: organization.name,
    isDemo: organization.isDemo,
    createdAt: organization.createdAt.toISOString(),
  };
}
