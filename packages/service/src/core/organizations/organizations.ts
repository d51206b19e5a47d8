import { isUuid, maxOrganizationNameLength } from "@gatehouse-parking/contract";
import type { OrganizationSummary } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { shownFieldsOf } from "../entities/columns.js";
import { storedOrganization } from "../entities/entities.js";
import { transaction, type Connection } from "../database/transaction.js";
import { uuidv7 } from "../uuidv7.js";
import { writeAudit, type Actor } from "../audit/audit.js";
import { notFoundError, requireText } from "../refusals/user-error.js";

export type Organization = Omit<OrganizationSummary, "isDemo">;

export interface OrganizationRow {
  [column: string]: unknown;
  id: string;
  created_at: Date;
}

/** Of the table, here called organization. */
export const organizationColumns = ["id", ...storedOrganization.columns.map(({ name }) => name), "created_at"]
  .map((column) => `organization.${column}`)
  .join(", ");

export async function createOrganization(
  connection: Connection,
  input: { name: string; isDemo?: boolean; actor: Actor },
): Promise<Organization> {
  const name = requireText("name", input.name, maxOrganizationNameLength);
  return transaction(connection, async (client) => {
    const { rows } = await client.query<OrganizationRow>(
      `insert into organizations as organization (id, name, is_demo) values ($1, $2, $3) returning ${organizationColumns}`,
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
    `select ${organizationColumns} from organizations as organization order by name, id`,
  );
  return rows.map(toOrganization);
}

export async function showOrganization(
  client: pg.ClientBase | pg.Pool,
  organizationId: string,
): Promise<Organization> {
  const { rows } = await client.query<OrganizationRow>(
    `select ${organizationColumns} from organizations as organization where id = $1`,
    [organizationId],
  );
  if (!rows[0]) throw notFoundError(`There is no organization ${organizationId}`);
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
  if (!rows[0]) throw notFoundError(`There is no organization ${organizationId}`);
  return rows[0];
}

export function toOrganizationSummary(row: OrganizationRow): OrganizationSummary {
  const fields = shownFieldsOf(storedOrganization.columns, row) as { name: string; isDemo: boolean };
  return { uuid: row.id, ...fields, createdAt: row.created_at.toISOString() };
}

function toOrganization(row: OrganizationRow): Organization {
  const { isDemo: _onlyInTheConsole, ...organization } = toOrganizationSummary(row);
  return organization;
}
