import { isUuid } from "@gatehouse-parking/contract";
import type pg from "pg";
import { transaction, type Connection } from "../database/transaction.js";
import { uuidv7 } from "../uuidv7.js";
import { writeAudit, type Actor } from "../audit/audit.js";
import { NotFoundError, requireText } from "../refusals/input-errors.js";

export const maxOrganizationNameLength = 256;

export interface Organization {
  uuid: string;
  name: string;
  createdAt: string;
}

interface OrganizationRow {
  id: string;
  name: string;
  created_at: Date;
}

export async function createOrganization(
  connection: Connection,
  input: { name: string; isDemo?: boolean; actor: Actor },
): Promise<Organization> {
  const name = requireText("name", input.name, maxOrganizationNameLength);
  return transaction(connection, async (client) => {
    const { rows } = await client.query<OrganizationRow>(
      "insert into organizations (id, name, is_demo) values ($1, $2, $3) returning id, name, created_at",
      [uuidv7(), name, input.isDemo ?? false],
    );
    const organization = toOrganization(rows[0] as OrganizationRow);
    await client.query(
      "insert into import_turns (organization_id, records_base, bytes_base, days_known_for) values ($1, 0, 0, 0)",
      [organization.uuid],
    );
    await writeAudit(client, {
      organizationId: organization.uuid,
      actor: input.actor,
      action: "organization.create",
      subjectId: organization.uuid,
      detail: { name },
    });
    return organization;
  });
}

export async function listOrganizations(pool: pg.Pool): Promise<Organization[]> {
  const { rows } = await pool.query<OrganizationRow>(
    "select id, name, created_at from organizations order by name, id",
  );
  return rows.map(toOrganization);
}

export async function showOrganization(
  client: pg.ClientBase | pg.Pool,
  organizationId: string,
): Promise<Organization> {
  const { rows } = await client.query<OrganizationRow>(
    "select id, name, created_at from organizations where id = $1",
    [organizationId],
  );
  if (!rows[0]) throw new NotFoundError(`There is no organization ${organizationId}`);
  return toOrganization(rows[0]);
}

/** Throws unless the organization exists, so that a mistyped uuid gets a clear message. */
export async function requireOrganization(
  client: pg.ClientBase | pg.Pool,
  organizationId: string,
): Promise<{ name: string }> {
  const { rows } = isUuid(organizationId)
    ? await client.query<{ name: string }>("select name from organizations where id = $1", [organizationId])
    : { rows: [] };
  if (!rows[0]) throw new NotFoundError(`There is no organization ${organizationId}`);
  return rows[0];
}

function toOrganization(row: OrganizationRow): Organization {
  return { uuid: row.id, name: row.name, createdAt: row.created_at.toISOString() };
}
