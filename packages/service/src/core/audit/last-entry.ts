import type pg from "pg";

/** Entries since the subject was made that are looked through. */
const maxEntries = 20_000;

/** Who did this to something last, and when. The identifier says when it was made; no entry of it is older. */
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
