import type { OrganizationSummary, QueryOf } from "@gatehouse-parking/contract/console";
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
  /** Absent: by name. */
  sort?: QueryOf<"listOrganizations">["sort"];
}

/** $1 is the only organization to be seen, $2 a part of the name, $3 and $4 the ends of a range of identifiers. */
const matching = `
  from organizations
  where ($1::uuid is null or id = $1)
    and (position($2 in lower(name)) > 0 or id between $3::uuid and $4::uuid)`;

const orders: Record<NonNullable<Asked["sort"]>, string> = {
  name: "name",
  "-name": "name desc",
  createdAt: "created_at",
  "-createdAt": "created_at desc",
};

export async function findOrganizations(
  pool: pg.Pool,
  { onlyId, text = "", page, sort = "name" }: Asked,
): Promise<Page<OrganizationSummary>> {
  const wanted = text.trim().toLowerCase().replaceAll("\u0000", "\uffff");
  const values = [onlyId, wanted, ...idsThatBeginWith(wanted)];
  const total = await pool.query<{ count: number }>(`select count(*) as count ${matching}`, values);
  const { rows } = await pool.query<OrganizationRow>(
    `select id, name, is_demo, created_at ${matching} order by ${orders[sort]}, id limit $5 offset $6`,
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
