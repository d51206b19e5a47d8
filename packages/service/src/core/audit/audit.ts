import type pg from "pg";
import type { Statement } from "../database/pipeline.js";
import { uuidv7 } from "../uuidv7.js";

/** "command line", or the signed-in user or the API key, and their IP address. */
export type Actor = string | ({ address: string } & ({ email: string } | { apiKeyName: string }));

/** One entry of the audit log: who did what to which object. Written in the transaction of the change itself. */
export interface AuditEntry {
  organizationId: string | null;
  actor: Actor;
  /** Noun and verb, such as api-key.revoke. */
  action: string;
  subjectId?: string | undefined;
  /** What changed. Never a key, a password or another secret. */
  detail?: Record<string, unknown>;
}

export async function writeAudit(client: pg.ClientBase, entry: AuditEntry): Promise<void> {
  const { text, values } = auditStatement(entry);
  await client.query(text, [...values]);
}

/** The statement alone, for callers that send several statements at once. */
export function auditStatement(entry: AuditEntry): Required<Pick<Statement, "text" | "values">> {
  return {
    text: "insert into audit_log (id, organization_id, actor, action, subject_id, detail, address) values ($1, $2, $3, $4, $5, $6, $7)",
    values: [
      uuidv7(),
      entry.organizationId,
      actorName(entry.actor),
      entry.action,
      entry.subjectId ?? null,
      JSON.stringify(entry.detail ?? {}),
      typeof entry.actor === "string" ? null : entry.actor.address,
    ],
  };
}

export function actorName(actor: Actor): string {
  if (typeof actor === "string") return actor;
  return "email" in actor ? actor.email : `API key ${actor.apiKeyName}`;
}

/** The differences between two states of an object, as the detail of an entry: the value before and the value after. */
export function changesBetween<T extends object>(
  before: T,
  after: T,
): Record<string, { from: unknown; to: unknown }> {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const field of Object.keys(after) as (keyof T & string)[]) {
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      changes[field] = { from: before[field], to: after[field] };
  }
  return changes;
}
