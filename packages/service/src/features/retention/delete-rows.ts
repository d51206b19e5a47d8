import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { setLockTimeout, transaction } from "../../core/database/transaction.js";
import { deleteLead } from "../../core/leads/delete-lead.js";
import { recordDeletion } from "../../core/organizations/retention.js";
import { lockTimeout, type Deletion, type StepResult } from "./delete-records.js";

const leadsPerStep = 200;
/** A run has at most 500, which are deleted together. */
const exceptionsPerStep = 1_000;

/** Deletes the oldest leads, with their notes and states. */
export async function deleteLeads(pool: pg.Pool, { organizationId, before }: Deletion): Promise<StepResult> {
  return transaction(pool, async (client) => {
    for (const { text } of setLockTimeout(lockTimeout)) await client.query(text);
    // Everything that locks several leads locks them in this order. A lead that is being edited is deleted later.
    const { rows } = await client.query<{ id: string; email_key: string }>(
      `select id, email_key from leads where organization_id = $1 and id < $2
       order by id limit ${leadsPerStep} for update skip locked`,
      [organizationId, before],
    );
    let bytes = 0;
    for (const { id, email_key: emailKey } of rows) {
      await client.query(
        "update leads set duplicate_of = null where organization_id = $1 and email_key = $2 and duplicate_of = $3",
        [organizationId, emailKey, id],
      );
      bytes += (await deleteLead(client, organizationId, id)).bytes;
    }
    await recordDeletion(client, organizationId, "leads", { count: rows.length, bytes });
    return { deleted: rows.length, hasMore: rows.length === leadsPerStep };
  });
}

/**
 * Deletes the exceptions of the oldest runs, whole runs at a time, and marks these runs and those that repeat them. Imports
 * only add exceptions to the run that they store, so this needs no lock.
 */
export async function deleteExceptions(
  pool: pg.Pool,
  { organizationId, before }: Deletion,
): Promise<StepResult> {
  const { rows } = await pool.query<{ run_id: string }>(
    `select run_id from import_exceptions where organization_id = $1 and run_id < $2
     order by run_id, position limit ${exceptionsPerStep}`,
    [organizationId, before],
  );
  if (rows.length === 0) return { deleted: 0, hasMore: false };
  const runIds = [...new Set(rows.map((row) => row.run_id))];
  const deleted = { count: 0, bytes: 0 };
  await transaction(pool, async (client) => {
    for (const { text } of setLockTimeout(lockTimeout)) await client.query(text);
    const { rows: repeating } = await client.query<{ run_id: string }>(
      `select repeating.run_id from unnest($2::uuid[]) as wanted (id)
       cross join lateral (
         select run_id from repeated_runs where organization_id = $1 and same_as = wanted.id
       ) as repeating`,
      [organizationId, runIds],
    );
    // Everything that locks several runs locks them in this order.
    for (const runId of [...runIds, ...repeating.map((row) => row.run_id)].toSorted()) {
      const values = [organizationId, runId];
      await client.query(
        "update import_runs set exceptions_deleted_at = $3 where organization_id = $1 and id = $2",
        [...values, new Date(nowMs())],
      );
      const { rows: exceptions } = await client.query<{ bytes: number }>(
        `delete from import_exceptions as exception where organization_id = $1 and run_id = $2
         returning pg_column_size(exception.*) as bytes`,
        values,
      );
      deleted.count += exceptions.length;
      deleted.bytes += exceptions.reduce((sum, { bytes }) => sum + bytes, 0);
      await client.query("delete from repeated_runs where organization_id = $1 and run_id = $2", values);
    }
    await recordDeletion(client, organizationId, "exceptions", deleted);
  });
  return { deleted: deleted.count, hasMore: rows.length === exceptionsPerStep };
}
