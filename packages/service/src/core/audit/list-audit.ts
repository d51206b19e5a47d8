import type { AuditLine, AuditQuery, BothWaysPage } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { momentOf } from "../moments.js";
import { readingOf } from "../paging/both-ways.js";
import { boundedPageBothWays } from "../paging/bounded-page.js";
import { listConditions } from "../paging/conditions.js";
import { firstIdAt } from "../paging/time-ordered-ids.js";
import { nameSubjects } from "./name-subjects.js";

interface AuditRow {
  id: string;
  at: Date;
  actor: string;
  action: string;
  subject_id: string | null;
  detail: string;
  address: string | null;
}

export interface AuditFilters extends AuditQuery {
  organizationId: string;
  limit: number;
}

/** `action`: one action, or what several begin with. */
export async function listAudit(pool: pg.Pool, filters: AuditFilters): Promise<BothWaysPage<AuditLine>> {
  const { organizationId, limit } = filters;
  const { where, ...conditions } = conditionsOf(filters);
  const page = await boundedPageBothWays<AuditRow & pg.QueryResultRow, AuditRow>(
    pool,
    {
      source: `from audit_log as record where ${where}`,
      columns:
        "record.id, record.at, record.actor, record.action, record.subject_id, record.detail, record.address",
      ...conditions,
      order: ["id"],
      limit,
      toItem: (row) => row,
    },
    readingOf(filters),
  );
  const subjectOf = await nameSubjects(pool, organizationId, page.data);
  const toLine = (row: AuditRow): AuditLine => ({
    uuid: row.id,
    at: row.at.toISOString(),
    actor: row.actor,
    address: row.address,
    action: row.action,
    subject: subjectOf(row),
    detail: row.detail,
  });
  return { ...page, data: page.data.map(toLine) };
}

function conditionsOf(filters: AuditFilters) {
  const from = momentOf(filters.from);
  const to = momentOf(filters.to);
  const conditions = listConditions(filters.organizationId);
  conditions.indexed(filters.before, (id) => `record.id < ${id}::uuid`);
  conditions.indexed(filters.after, (id) => `record.id > ${id}::uuid`);
  conditions.indexed(from && firstIdAt(from), (id) => `record.id >= ${id}::uuid`);
  conditions.indexed(to && firstIdAt(to), (id) => `record.id < ${id}::uuid`);
  conditions.other(
    filters.action?.replaceAll("\u0000", "\uffff"),
    (action) => `starts_with(record.action, ${action})`,
  );
  return conditions.parts();
}
