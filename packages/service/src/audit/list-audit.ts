import type { AuditLine, CursorPage } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { toCursorPage } from "../paging/cursor.js";
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

/** Newest first. `action` is one, or the beginning of some. */
export async function listAudit(
  pool: pg.Pool,
  input: { organizationId: string; action?: string; before?: string; limit: number },
): Promise<CursorPage<AuditLine>> {
  const { rows } = await pool.query<AuditRow>(
    `select id, at, actor, action, subject_id, detail, address from audit_log
     where organization_id = $1 and starts_with(action, $2) and ($3::uuid is null or id < $3)
     order by id desc limit $4`,
    [
      input.organizationId,
      (input.action ?? "").replaceAll("\u0000", "\uffff"),
      input.before ?? null,
      input.limit + 1,
    ],
  );
  const subjectOf = await nameSubjects(pool, input.organizationId, rows);
  return toCursorPage(
    rows,
    input.limit,
    (row) => row.id,
    (row) => ({
      uuid: row.id,
      at: row.at.toISOString(),
      actor: row.actor,
      address: row.address,
      action: row.action,
      subject: subjectOf(row),
      detail: row.detail,
    }),
  );
}
