import type pg from "pg";
import { setLockTimeout, transaction } from "../../core/database/transaction.js";
import { deleteLead } from "../../core/leads/delete-lead.js";
import { noteDeletion } from "../../core/organizations/deletions.js";
import { lockTimeout } from "./delete-records.js";

const leadsPerStep = 200;

/** Deletes the oldest leads with what people did with them. Returns whether there may be more. */
export async function deleteSomeLeads(
  pool: pg.Pool,
  organizationId: string,
  before: string,
): Promise<boolean> {
  return transaction(pool, async (client) => {
    for (const { text } of setLockTimeout(lockTimeout)) await client.query(text);
    // In the order in which everybody holds several of them; one that somebody works on has its turn another time.
    const { rows } = await client.query<{ id: string; email_key: string }>(
      `select id, email_key from leads where organization_id = $1 and id < $2
       order by id limit ${leadsPerStep} for update skip locked`,
      [organizationId, before],
    );
    let bytes = 0;
    for (const { id, email_key: emailKey } of rows) {
      // A younger one that came minutes later has nothing to be the duplicate of any more.
      await client.query(
        "update leads set duplicate_of = null where organization_id = $1 and email_key = $2 and duplicate_of = $3",
        [organizationId, emailKey, id],
      );
      bytes += (await deleteLead(client, organizationId, id)).bytes;
    }
    await noteDeletion(client, organizationId, "leads", { count: rows.length, bytes });
    return rows.length === leadsPerStep;
  });
}
