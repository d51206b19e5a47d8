import { isUuid, maxOrganizationNameLength } from "@gatehouse-parking/contract";
import type { OrganizationSummary, OwnOrganization, QueryOf } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { writeAudit, type Actor } from "../audit/audit.js";
import { naturalOrder, searchable } from "../database/sql.js";
import { transaction, type Connection } from "../database/transaction.js";
import { shownFieldsOf } from "../entities/columns.js";
import { storedOrganization } from "../entities/entities.js";
import { toPage, type Page, type PageRequest } from "../operations/paging.js";
import { notFoundError, requireText } from "../refusals/user-error.js";
import { uuidv7 } from "../uuidv7.js";
import { maxOrganizationsOfAPerson, openMembership, organizationsOpenTo } from "./memberships.js";

export type Organization = Omit<OrganizationSummary, "isDemo">;

export interface OrganizationRow {
  [column: string]: unknown;
  id: string;
  created_at: Date;
}

/** Columns of `organizations`, with the alias organization. */
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
    `select ${organizationColumns} from organizations as organization order by ${naturalOrder("name")}, id`,
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

interface Asked {
  /** The user whose organizations are listed. Null: all organizations, for an operator. */
  userId: string | null;
  /** A part of the name, or the beginning of the uuid. */
  text: string | undefined;
  page: PageRequest;
  /** Absent: by name. */
  sort?: QueryOf<"listOrganizations">["sort"];
}

/** SQL condition: an organization matches the search text. The parameters from `first` on are nameParameters. */
export function matchesName(alias: string, first: number): string {
  return `(position($${first} in lower(${alias}.name)) > 0
    or ${alias}.id between $${first + 1}::uuid and $${first + 2}::uuid)`;
}

/** A part of the name, and the ends of a range of identifiers. */
export function nameParameters(text: string): [string, string | null, string | null] {
  const wanted = searchable(text.trim().toLowerCase());
  return [wanted, ...idsThatBeginWith(wanted)];
}

/** $1 is the user whose organizations are visible. */
const matching = `
  from organizations as organization
  where ($1::uuid is null or id in ${organizationsOpenTo("$1")}) and ${matchesName("organization", 2)}`;

const orders: Record<NonNullable<Asked["sort"]>, string> = {
  name: naturalOrder("name"),
  "-name": `${naturalOrder("name")} desc`,
  createdAt: "created_at",
  "-createdAt": "created_at desc",
};

export async function findOrganizations(
  pool: pg.Pool,
  { userId, text = "", page, sort = "name" }: Asked,
): Promise<Page<OrganizationSummary>> {
  const values = [userId, ...nameParameters(text)];
  const total = await pool.query<{ count: number }>(`select count(*) as count ${matching}`, values);
  const { rows } = await pool.query<OrganizationRow>(
    `select ${organizationColumns} ${matching} order by ${orders[sort]}, id limit $5 offset $6`,
    [...values, page.pageSize, (page.page - 1) * page.pageSize],
  );
  return toPage(rows.map(toOrganizationSummary), (total.rows[0] as { count: number }).count, page);
}

/** The organizations that are open to a user, by name, with the role in each. Empty for operators. */
export async function listOwnOrganizations(
  client: pg.ClientBase | pg.Pool,
  userId: string,
): Promise<OwnOrganization[]> {
  const { rows } = await client.query<OrganizationRow & { role: "admin" | "viewer" }>(
    `select ${organizationColumns}, membership.role
     from ${openMembership} as membership
     join organizations as organization on organization.id = membership.organization_id
     where membership.user_id = $1
     order by ${naturalOrder("organization.name")}, organization.id limit ${maxOrganizationsOfAPerson}`,
    [userId],
  );
  return rows.map((row) => ({ ...toOrganizationSummary(row), role: row.role }));
}

const uuidDigits = 32;

/** The lowest and highest identifier with these leading digits. Nulls if the text is not hexadecimal. */
function idsThatBeginWith(text: string): [string | null, string | null] {
  const digits = text.replaceAll("-", "");
  if (!/^[0-9a-f]{1,32}$/.test(digits)) return [null, null];
  return [digits.padEnd(uuidDigits, "0"), digits.padEnd(uuidDigits, "f")];
}
