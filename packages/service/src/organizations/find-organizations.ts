import type { OrganizationSummary } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { toPage, type Page, type PageRequest } from "../operations/paging.js";

interface OrganizationRow {
  id: string;
  name: string;
  is_demo: boolean;
  created_at: Date;
}

interface Asked {
  /** Null: all organizations, for an operator. */
  onlyId: string | null;
  /** A part of the name, or the beginning of the uuid. */
  text: string | undefined;
  page: PageRequest;
}

/** Whether an organization is one of those that somebody types for. The parameters from `first` on are nameParameters. */
export function matchesName(alias: string, first: number): string {
  return `(position($${first} in lower(${alias}.name)) > 0
    or ${alias}.id between $${first + 1}::uuid and $${first + 2}::uuid)`;
}

/** A part of the name, and the ends of a range of identifiers. */
export function nameParameters(text: string): [string, string | null, string | null] {
  const wanted = text.trim().toLowerCase().replaceAll("\u0000", "\uffff");
  return [wanted, ...idsThatBeginWith(wanted)];
}

/** $1 is the only organization to be seen. */
const matching = `
  from organizations as organization
  where ($1::uuid is null or id = $1) and ${matchesName("organization", 2)}`;

/** By name. */
export async function findOrganizations(
  pool: pg.Pool,
  { onlyId, text = "", page }: Asked,
): Promise<Page<OrganizationSummary>> {
  const values = [onlyId, ...nameParameters(text)];
  const total = await pool.query<{ count: number }>(`select count(*) as count ${matching}`, values);
  const { rows } = await pool.query<OrganizationRow>(
    `select id, name, is_demo, created_at ${matching} order by name, id limit $5 offset $6`,
    [...values, page.pageSize, (page.page - 1) * page.pageSize],
  );
  const organizations = rows.map((row) =>
    toOrganizationSummary({ id: row.id, name: row.name, isDemo: row.is_demo, createdAt: row.created_at }),
  );
  return toPage(organizations, (total.rows[0] as { count: number }).count, page);
}

const uuidDigits = 32;

/** The first and the last identifier with these digits at its beginning; nulls if the text is not made of such. */
function idsThatBeginWith(text: string): [string | null, string | null] {
  const digits = text.replaceAll("-", "");
  if (!/^[0-9a-f]{1,32}$/.test(digits)) return [null, null];
  return [digits.padEnd(uuidDigits, "0"), digits.padEnd(uuidDigits, "f")];
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
