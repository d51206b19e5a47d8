import type pg from "pg";
import { setLockTimeout, transaction } from "../../core/database/transaction.js";
import { noteDeletion } from "../../core/organizations/deletions.js";
import { lockTimeout } from "./delete-records.js";

const keysPerStep = 1_000;

/** Deletes keys of deleted records that are not to stay known any more. Returns whether there may be more. */
export async function forgetSomeKeys(pool: pg.Pool, organizationId: string): Promise<boolean> {
  return transaction(pool, async (client) => {
    for (const { text } of setLockTimeout(lockTimeout)) await client.query(text);
    const { rows } = await client.query<{ bytes: number }>(
      `delete from deleted_records as known where organization_id = $1 and record_id = any (array(
       select record_id from deleted_records where organization_id = $1
       order by record_id limit ${keysPerStep} for update skip locked
     )) returning pg_column_size(known.*) as bytes`,
      [organizationId],
    );
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    await noteDeletion(client, organizationId, "deletedKeys", { count: rows.length, bytes });
    return rows.length === keysPerStep;
  });
}
