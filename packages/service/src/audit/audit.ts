import type pg from "pg";
import type { Statement } from "../database/exchange.js";
import { uuidv7 } from "../uuidv7.js";

/** One entry of the trail: who did what to whom. Written in the transaction of the change itself. */
export interface AuditEntry {
  organizationId: string | null;
  /** "command line", or the e-mail of the signed-in person. */
  actor: string;
  /** Noun and verb, such as api-key.revoke. */
  action: string;
  subjectId?: string | undefined;
  /** What changed. Never a key, a password or another secret. */
  detail?: Record<string, unknown>;
}

export async function writeAudit(client: pg.ClientBase, entry: AuditEntry): Promise<void> {
  const { text, values } = writingOfAudit(entry);
  await client.query(text, [...values]);
}

/** The same, for whoever sends several statements at once. */
export function writingOfAudit(entry: AuditEntry): Required<Pick<Statement, "text" | "values">> {
  return {
    text: "insert into audit_log (id, organization_id, actor, action, subject_id, detail) values ($1, $2, $3, $4, $5, $6)",
    values: [
      uuidv7(),
      entry.organizationId,
      entry.actor,
      entry.action,
      entry.subjectId ?? null,
      JSON.stringify(entry.detail ?? {}),
    ],
  };
}
