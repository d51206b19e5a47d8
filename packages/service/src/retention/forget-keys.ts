import type pg from "pg";

const keysPerStep = 1_000;

/** Deletes keys of deleted records that are not to stay known any more. Returns whether there may be more. */
export async function forgetSomeKeys(pool: pg.Pool, organizationId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `delete from deleted_records where organization_id = $1 and record_id = any (array(
       select record_id from deleted_records where organization_id = $1
       order by record_id limit ${keysPerStep} for update skip locked
     ))`,
    [organizationId],
  );
  return rowCount === keysPerStep;
}
