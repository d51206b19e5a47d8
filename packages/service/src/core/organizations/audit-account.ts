import type pg from "pg";
import { writeAudit, type AuditEntry } from "../audit/audit.js";
import { organizationsOpenTo } from "./memberships.js";

/**
 * Writes down what happened to somebody's account, such as a sign-in. It concerns every organization that the account opens, and
 * so each of them has an entry of its own. Somebody who may enter none is the affair of their first organization, and
 * an operator of no organization.
 */
export async function auditAccount(
  client: pg.ClientBase,
  userId: string,
  entry: Omit<AuditEntry, "organizationId" | "subjectId">,
): Promise<void> {
  const { rows } = await client.query<{ organization_id: string | null; open: string[] }>(
    `select organization_id, array(${organizationsOpenTo("users.id")}) as open from users where id = $1`,
    [userId],
  );
  for (const { organization_id: first, open } of rows)
    for (const organizationId of open.length > 0 ? open : [first])
      await writeAudit(client, { ...entry, organizationId, subjectId: userId });
}
