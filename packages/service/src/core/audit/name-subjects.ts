import type { AuditSubject } from "@gatehouse-parking/contract/console";
import type pg from "pg";

interface Entry {
  action: string;
  subject_id: string | null;
}

/**
 * What an action of this noun concerns, and how it is called now: $1 is the organization, $2 the identifiers. Names are
 * looked up when the trail is read, and are not in it: what it holds is never erased, and a lead can be.
 */
const nouns: Record<string, { kind: AuditSubject["kind"]; names?: string }> = {
  "api-key": {
    kind: "api-key",
    names: `select id, name || ' (' || prefix || '…)' as name from api_keys
            where organization_id = $1 and id = any ($2::uuid[])`,
  },
  user: {
    kind: "person",
    // Whoever left has no name any more: it would tell whether they have an account elsewhere.
    names: `select id, email as name from users where id = any ($2::uuid[]) and (
              organization_id = $1 or exists (
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

/** Whom or what each of these entries concerns, by name. */
export async function nameSubjects(
  pool: pg.Pool,
  organizationId: string,
  entries: readonly Entry[],
): Promise<(entry: Entry) => AuditSubject | null> {
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
