import { emailKey, phoneDigits } from "@gatehouse-parking/contract";
import {
  listedLeadFields,
  type BothWaysPage,
  type LeadAssignee,
  type LeadFilters as Filters,
  type LeadRow,
  type LeadsPage,
  type LeadWorkState,
} from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { momentOf } from "../clock.js";
import { searchable } from "../database/sql.js";
import { shownFieldsOf, type Column } from "../entities/columns.js";
import { storedLead } from "../entities/entities.js";
import { readingOf, firstIdAt } from "../paging/pages.js";
import { boundedPageBothWays } from "../paging/bounded-page.js";
import { versionOf } from "../refusals/user-error.js";
import { keysOfFilter, withAssignees } from "./assignees.js";
import { countLeadsOfPeople } from "./leads-of-person.js";

/** The columns of a list row that do not come from the schema of the lead. */
type RowFacts =
  | "uuid"
  | "location"
  | "state"
  | "workState"
  | "assignee"
  | "version"
  | "duplicateOf"
  | "createdAt";
type ShownFieldsOfLead = Omit<LeadRow, RowFacts>;

export interface LeadFilters extends Filters {
  organizationId: string;
  /** The email address of the user who reads them, for the leads that are assigned to them. */
  reader: string;
}

/** The columns of the lead's own fields, and the ones above. */
export interface StoredLead {
  [column: string]: unknown;
  id: string;
  email: string;
  phone: string | null;
  location_id: string;
  location_name: string;
  state: "accepted" | "quarantined";
  work_state: LeadWorkState;
  work_changed_by: string | null;
  work_changed_at: Date | null;
  assignee_key: string | null;
  duplicate_of: string | null;
  created_at: Date;
}

const listed = storedLead.columns.filter(({ field }) => listedLeadFields.includes(field));

/** With the assignee, if the key is that of a member. */
export type AssignedLead = StoredLead & { assignee: LeadAssignee | null };

/** The columns of a list row, with these fields of the lead. */
export const leadColumnsWith = (fields: readonly Column[]): string => `
  ${fields.map(({ name }) => `record.${name}`).join(", ")}, record.id,
  record.location_id, location.name as location_name, record.state,
  coalesce(work.state, 'new') as work_state, work.changed_by as work_changed_by,
  work.changed_at as work_changed_at, record.assignee_key, record.duplicate_of, record.created_at`;
export const leadColumns = leadColumnsWith(listed);
/** Lateral, so that the work state is looked up by key for each lead, however many others there are. */
export const leadJoins = `
  join locations as location on location.organization_id = $1 and location.id = record.location_id
  left join lateral (
    select state, changed_by, changed_at from lead_work
    where organization_id = $1 and lead_id = record.id limit 1
  ) as work on true`;

interface PageAsked {
  before?: string | undefined;
  after?: string | undefined;
  total?: "yes" | undefined;
  limit: number;
}

/** Leads as the list shows them, newest first. */
export async function listLeads(
  pool: pg.Pool,
  { before, after, limit, total, ...filters }: LeadFilters & PageAsked,
): Promise<LeadsPage> {
  const page = await findLeads(pool, filters, { before, after, limit, total }, { columns: leadColumns });
  const counts = await countLeadsOfPeople(
    pool,
    filters.organizationId,
    page.data.map(({ email, phone }) => ({
      emailKey: emailKey(email),
      phoneDigits: phone === null ? null : phoneDigits(phone),
    })),
  );
  return {
    ...page,
    data: page.data.map((row, index) => ({ ...toLeadRow(row), leadsOfPerson: counts[index] ?? 1 })),
  };
}

/** A page, newest first, with `columns` of each lead. Time filters use the key; other filters scan. */
export async function findLeads(
  pool: pg.Pool,
  filters: LeadFilters,
  page: PageAsked,
  shown: { columns: string },
): Promise<BothWaysPage<AssignedLead>> {
  const assigneeKeys = await keysOfFilter(pool, filters);
  const values: unknown[] = [filters.organizationId];
  const where = (condition: (parameter: string) => string, value: unknown): string =>
    value === undefined ? "" : ` and ${condition(`$${values.push(value)}`)}`;
  const source = `from leads as record where record.organization_id = $1${[
    where((id) => `record.id >= ${id}`, filters.from && firstIdAt(momentOf(filters.from))),
    where((id) => `record.id < ${id}`, filters.to && firstIdAt(momentOf(filters.to))),
    where((id) => `record.id < ${id}`, page.before),
    where((id) => `record.id > ${id}`, page.after),
  ].join("")}`;
  const sourceValues = [...values];
  const filter = [
    // A filter by work state or assignee excludes quarantined leads.
    where(
      (name) => `record.state = ${name}`,
      filters.state ?? ((filters.workState ?? filters.assignee) && "accepted"),
    ),
    where((name) => `coalesce(work.state, 'new') = ${name}`, filters.workState),
    where(
      (keys) =>
        filters.assignee === "unassigned"
          ? `(record.assignee_key is null or record.assignee_key <> all (${keys}::text[]))`
          : `record.assignee_key = any (${keys}::text[])`,
      assigneeKeys,
    ),
    where((id) => `record.location_id = ${id}`, filters.location),
    where(contains, filters.text && searchable(filters.text.toLowerCase())),
    duplicateConditions[filters.duplicates ?? "show"],
  ].join("");
  const found = await boundedPageBothWays<StoredLead, StoredLead>(
    pool,
    {
      source,
      columns: shown.columns,
      joins: leadJoins,
      filter: filter === "" ? undefined : `true${filter}`,
      order: ["id"],
      sourceValues,
      filterValues: values.slice(sourceValues.length),
      limit: page.limit,
      toItem: (row) => row,
    },
    readingOf(page),
  );
  return { ...found, data: await withAssignees(pool, filters.organizationId, found.data) };
}

const duplicateConditions = {
  show: "",
  only: " and record.duplicate_of is not null",
  hide: " and record.duplicate_of is null",
};

/** Position rather than LIKE, so that % and _ are literal. */
function contains(text: string): string {
  return `position(${text} in lower(concat_ws(E'\\n',
    record.email, record.first_name, record.last_name, record.first_name || ' ' || record.last_name,
    record.company_name, record.phone, record.notes))) > 0`;
}

export function toLeadRow(row: AssignedLead): LeadRow {
  return {
    uuid: row.id,
    ...(shownFieldsOf(listed, row) as ShownFieldsOfLead),
    location: { uuid: row.location_id, name: row.location_name },
    state: row.state,
    workState: row.work_state,
    assignee: row.assignee,
    version: versionOfLead({ state: row.state, workState: row.work_state, assignee: row.assignee_key }),
    duplicateOf: row.duplicate_of,
    createdAt: row.created_at.toISOString(),
  };
}

export interface LeadStates {
  state: string;
  workState: string;
  /** The key of the assignee. */
  assignee: string | null;
}

/** Identifies the version of the fields that users can change. */
export function versionOfLead({ state, workState, assignee }: LeadStates): string {
  return versionOf({ state, workState, assignee });
}
