import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { noteDeletion } from "../organizations/deletions.js";

const keysPerStep = 1_000;

/** Deletes keys of deleted records that are not to stay known any more. Returns whether there may be more. */
export async function forgetSomeKeys(pool: pg.Pool, organizationId: string): Promise<boolean> {
  return transaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `delete from deleted_records where organization_id = $1 and record_id = any (array(
       select record_id from deleted_records where organization_id = $1
       order by record_id limit ${keysPerStep} for update skip locked
     ))`,
      [organizationId],
    );
    await noteDeletion(client, organizationId, "deletedKeys", rowCount ?? 0);
    return rowCount === keysPerStep;
  });
}
