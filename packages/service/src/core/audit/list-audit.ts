import type {
  AnswerOf,
  AuditLine,
  AuditQuery,
  AuditSubject,
  BothWaysPage,
} from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { momentOf } from "../clock.js";
import { searchable } from "../database/sql.js";
import { readingOf, listConditions, firstIdAt } from "../paging/pages.js";
import { boundedPageBothWays } from "../paging/bounded-page.js";

interface AuditRow {
  id: string;
  at: Date;
  actor: string;
  action: string;
  subject_id: string | null;
  detail: string;
  address: string | null;
  organization_id: string | null;
}

type AuditFilters = AuditQuery & { limit: number };
type SubjectOf = (entry: Entry) => AuditSubject | null;

/** `action`: one action, or a prefix that several actions share. */
export async function listAudit(
  pool: pg.Pool,
  { organizationId, ...filters }: AuditFilters & { organizationId: string },
): Promise<BothWaysPage<AuditLine>> {
  const page = await readPage(pool, organizationId, filters);
  const subjectOf = await nameSubjects(pool, organizationId, page.data);
  return { ...page, data: page.data.map((row) => toLine(row, subjectOf)) };
}

/** The entries of all organizations, and those that concern no single one. */
export async function listInstallationAudit(
  pool: pg.Pool,
  filters: AuditFilters,
): Promise<AnswerOf<"listInstallationAudit">> {
  const page = await readPage(pool, null, filters);
  const ids = [...new Set(page.data.flatMap((row) => row.organization_id ?? []))];
  const { rows } = await pool.query<{ id: string; name: string }>(
    "select id, name from organizations where id = any ($1::uuid[])",
    [ids],
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const subjects = new Map<string | null, SubjectOf>();
  for (const id of [...ids, null]) {
    const entries = page.data.filter((row) => row.organization_id === id);
    subjects.set(id, await nameSubjects(pool, id, entries));
  }
  const data = page.data.map((row) => {
    const { organization_id: id } = row;
    const organization = id === null ? null : { uuid: id, name: names.get(id) ?? null };
    return { ...toLine(row, subjects.get(id) as SubjectOf), organization };
  });
  return { ...page, data };
}

function readPage(
  pool: pg.Pool,
  organizationId: string | null,
  filters: AuditFilters,
): Promise<BothWaysPage<AuditRow>> {
  const { where, ...conditions } = conditionsOf(organizationId, filters);
  return boundedPageBothWays<AuditRow & pg.QueryResultRow, AuditRow>(
    pool,
    {
      source: `from audit_log as record where ${where}`,
      columns:
        "record.id, record.at, record.actor, record.action, record.subject_id, record.detail, record.address, record.organization_id",
      ...conditions,
      order: ["id"],
      limit: filters.limit,
      toItem: (row) => row,
    },
    readingOf(filters),
  );
}

function toLine(row: AuditRow, subjectOf: SubjectOf): AuditLine {
  return {
    uuid: row.id,
    at: row.at.toISOString(),
    actor: row.actor,
    address: row.address,
    action: row.action,
    subject: subjectOf(row),
    detail: row.detail,
  };
}

function conditionsOf(organizationId: string | null, filters: AuditFilters) {
  const from = momentOf(filters.from);
  const to = momentOf(filters.to);
  const conditions = listConditions(organizationId);
  conditions.indexed(filters.before, (id) => `record.id < ${id}::uuid`);
  conditions.indexed(filters.after, (id) => `record.id > ${id}::uuid`);
  conditions.indexed(from && firstIdAt(from), (id) => `record.id >= ${id}::uuid`);
  conditions.indexed(to && firstIdAt(to), (id) => `record.id < ${id}::uuid`);
  conditions.other(
    filters.action && searchable(filters.action),
    (action) => `starts_with(record.action, ${action})`,
  );
  conditions.other(
    filters.actor && searchable(filters.actor.trim().toLowerCase()),
    (actor) => `position(${actor} in lower(record.actor)) > 0`,
  );
  conditions.other(
    filters.text && searchable(filters.text.trim().toLowerCase()),
    (text) =>
      `position(${text} in lower(concat_ws(E'\\n', record.action, record.subject_id, record.detail))) > 0`,
  );
  return conditions.parts();
}

interface Entry {
  action: string;
  subject_id: string | null;
}

/**
 * The kind of object that actions of this noun concern, and the query for its current name: $1 is the
 * organization, $2 the identifiers. Names are looked up when the log is read and are not stored in it,
 * because audit entries are never erased and personal data can be.
 */
const nouns: Record<string, { kind: AuditSubject["kind"]; names?: string }> = {
  "api-key": {
    kind: "api-key",
    names: `select id, name || ' (' || prefix || '…)' as name from api_keys
            where organization_id = $1 and id = any ($2::uuid[])`,
  },
  user: {
    kind: "person",
    // Users who left have no name here, because it would reveal whether they have an account elsewhere.
    names: `select id, email as name from users where id = any ($2::uuid[]) and (
              organization_id = $1 or ($1::uuid is null and role = 'operator') or exists (
                select from memberships
                where user_id = users.id and organization_id = $1 and accepted_at is not null
              )
            )
            union all
            select id, email from memberships where organization_id = $1 and id = any ($2::uuid[])`,
  },
  location: {
    kind: "location",
    names: "select id, name from locations where organization_id = $1 and id = any ($2::uuid[])",
  },
  lead: {
    kind: "lead",
    names: "select id, email as name from leads where organization_id = $1 and id = any ($2::uuid[])",
  },
  organization: {
    kind: "organization",
    names: "select id, name from organizations where id = $1 and id = any ($2::uuid[])",
  },
  import: { kind: "run" },
};

/** The names of the objects that these entries concern. */
export async function nameSubjects(
  pool: pg.Pool,
  organizationId: string | null,
  entries: readonly Entry[],
): Promise<SubjectOf> {
  const names = new Map<string, string>();
  for (const [noun, { names: statement }] of Object.entries(nouns)) {
    const ids = entries.flatMap((entry) => (nounOf(entry) === noun ? (entry.subject_id ?? []) : []));
    if (statement === undefined || ids.length === 0) continue;
    const { rows } = await pool.query<{ id: string; name: string }>(statement, [organizationId, ids]);
    for (const { id, name } of rows) names.set(id, name);
  }
  return (entry) => {
    const kind = nouns[nounOf(entry)]?.kind;
    if (kind === undefined || entry.subject_id === null) return null;
    return { kind, uuid: entry.subject_id, name: names.get(entry.subject_id) ?? null };
  };
}

/** An action is a noun and a verb, such as api-key.revoke. */
function nounOf({ action }: Entry): string {
  return action.slice(0, action.indexOf("."));
}

/** The maximum number of entries since the object was created that are searched. */
const maxEntries = 20_000;

/**
 * Who last did this to an object, and when. No entry is older than the object, whose identifier contains its
 * creation time.
 */
export async function lastEntry(
  pool: pg.Pool,
  input: { organizationId: string; action: string; subjectId: string },
): Promise<{ actor: string; at: string } | null> {
  const { rows } = await pool.query<{ actor: string; at: Date }>(
    `select actor, at from (
       select id, actor, at, action, subject_id from audit_log
       where organization_id = $1 and id > $2 order by id desc limit ${maxEntries}
     ) as entry
     where action = $3 and subject_id = $2 order by id desc limit 1`,
    [input.organizationId, input.subjectId, input.action],
  );
  return rows[0] ? { actor: rows[0].actor, at: rows[0].at.toISOString() } : null;
}
