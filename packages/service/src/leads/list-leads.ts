import type pg from "pg";
import type { CursorPage, LeadRow, LeadsQuery } from "@gatehouse-parking/contract/console";
import { momentOf } from "../moments.js";
import { boundedPage } from "../paging/bounded-page.js";
import { firstIdAt } from "../paging/time-ordered-ids.js";

export interface LeadFilters extends Omit<LeadsQuery, "before" | "limit"> {
  organizationId: string;
}

export interface StoredLead {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  company_name: string | null;
  phone: string | null;
  location_id: string;
  location_name: string;
  source: string | null;
  state: "accepted" | "quarantined";
  duplicate_of: string | null;
  created_at: Date;
}

export const leadColumns = `
  record.id, record.email, record.first_name, record.last_name, record.company_name, record.phone,
  record.location_id, location.name as location_name, record.source, record.state, record.duplicate_of,
  record.created_at`;
export const leadJoins = `
  join locations as location on location.organization_id = $1 and location.id = record.location_id`;

/** Position rather than LIKE, so that % and _ mean themselves. */
const filter = `
  ($5::text is null or record.state = $5)
  and ($6::text is null or (record.duplicate_of is not null) = ($6 = 'only'))
  and ($7::uuid is null or record.location_id = $7)
  and ($8::text is null or position($8 in lower(concat_ws(E'\\n',
    record.email, record.first_name, record.last_name, record.first_name || ' ' || record.last_name,
    record.company_name, record.phone, record.notes))) > 0)`;

/** Leads as the list shows them, newest first. */
export async function listLeads(
  pool: pg.Pool,
  { before, limit, ...filters }: LeadFilters & { before?: string; limit: number },
): Promise<CursorPage<LeadRow>> {
  return findLeads(pool, filters, { before, limit }, { columns: leadColumns, toItem: toLeadRow });
}

/** Newest first. `columns` are read beside those that every list shows. */
export async function findLeads<T>(
  pool: pg.Pool,
  filters: LeadFilters,
  page: { before: string | undefined; limit: number },
  shown: { columns: string; toItem: (row: StoredLead) => T },
): Promise<CursorPage<T>> {
  return boundedPage<StoredLead & pg.QueryResultRow, T>(pool, {
    source: `from leads as record
             where record.organization_id = $1
               and ($2::uuid is null or record.id < $2)
               and ($3::uuid is null or record.id >= $3) and ($4::uuid is null or record.id < $4)`,
    columns: shown.columns,
    joins: leadJoins,
    filter,
    order: ["id"],
    sourceValues: [
      filters.organizationId,
      page.before ?? null,
      filters.from ? firstIdAt(momentOf(filters.from)) : null,
      filters.to ? firstIdAt(momentOf(filters.to)) : null,
    ],
    filterValues: [
      filters.state ?? null,
      filters.duplicates ?? null,
      filters.location ?? null,
      filters.text?.toLowerCase().replaceAll("\u0000", "\uffff") ?? null,
    ],
    limit: page.limit,
    toItem: shown.toItem,
  });
}

export function toLeadRow(row: StoredLead): LeadRow {
  return {
    uuid: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    companyName: row.company_name,
    phone: row.phone,
    location: { uuid: row.location_id, name: row.location_name },
    source: row.source,
    state: row.state,
    duplicateOf: row.duplicate_of,
    createdAt: row.created_at.toISOString(),
  };
}
