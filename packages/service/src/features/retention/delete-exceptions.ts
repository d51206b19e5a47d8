import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { setLockTimeout, transaction } from "../../core/database/transaction.js";
import { noteDeletion } from "../../core/organizations/deletions.js";
import { lockTimeout } from "./delete-records.js";

/** A run has at most 500, and goes as a whole. */
const exceptionsPerStep = 1_000;

/**
 * Deletes what the oldest runs keep of records that were not created, whole runs at a time, and notes it with them and with
 * those that repeat them. Returns whether there may be more. Imports only add rows of their own, so no lock is needed.
 */
export async function deleteSomeExceptions(
  pool: pg.Pool,
  organizationId: string,
  before: string,
): Promise<boolean> {
  const { rows } = await pool.query<{ run_id: string }>(
    `select run_id from import_exceptions where organization_id = $1 and run_id < $2
     order by run_id, position limit ${exceptionsPerStep}`,
    [organizationId, before],
  );
  if (rows.length === 0) return false;
  const runIds = [...new Set(rows.map((row) => row.run_id))];
  await transaction(pool, async (client) => {
    for (const { text } of setLockTimeout(lockTimeout)) await client.query(text);
    const { rows: repeating } = await client.query<{ run_id: string }>(
      `select repeating.run_id from unnest($2::uuid[]) as wanted (id)
       cross join lateral (
         select run_id from repeated_runs where organization_id = $1 and same_as = wanted.id
       ) as repeating`,
      [organizationId, runIds],
    );
    // In their order, as everybody takes several runs.
    const deleted = { count: 0, bytes: 0 };
    const all = [...runIds, ...repeating.map((row) => row.run_id)].toSorted();
    for (const runId of all) {
      const values = [organizationId, runId];
      await client.query(
        "update import_runs set exceptions_deleted_at = $3 where organization_id = $1 and id = $2",
        [...values, new Date(nowMs())],
      );
      const { rows: gone } = await client.query<{ bytes: number }>(
        `delete from import_exceptions as exception where organization_id = $1 and run_id = $2
         returning pg_column_size(exception.*) as bytes`,
        values,
      );
      deleted.count += gone.length;
      deleted.bytes += gone.reduce((sum, { bytes }) => sum + bytes, 0);
      await client.query("delete from repeated_runs where organization_id = $1 and run_id = $2", values);
    }
    await noteDeletion(client, organizationId, "exceptions", deleted);
  });
  return rows.length === exceptionsPerStep;
}
