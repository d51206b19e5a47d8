import { importResources } from "@gatehouse-parking/contract";
import type { DeletedRecord } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { setLockTimeout, transaction } from "../../core/database/transaction.js";
import { recordDeletion } from "../../core/organizations/retention.js";
import type { RemovedBy } from "../../core/records/removed-records.js";
import { lockTimeout, type Deletion, type StepResult } from "./delete-records.js";

const maxFound = 10;
const keysPerStep = 1_000;
const kindsWithKey = Object.keys(importResources);

/** Finds records that retention has deleted, if the organization remembers the keys of deleted records. */
export async function findDeletedRecords(
  pool: pg.Pool,
  organizationId: string,
  by: RemovedBy,
): Promise<DeletedRecord[]> {
  const where = "uuid" in by ? "record_id = $2" : "kind = any ($3::text[]) and reference = $2";
  const values = "uuid" in by ? [by.uuid] : [by.reference, by.kind === undefined ? kindsWithKey : [by.kind]];
  const { rows } = await pool.query<Omit<DeletedRecord, "at"> & { at: Date }>(
    `select kind, record_id as uuid, reference, run_id as "referenceUuid", position, deleted_at as at
     from deleted_records
     where organization_id = $1 and ${where}
     order by deleted_at desc, record_id limit ${maxFound}`,
    [organizationId, ...values],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** Deletes the keys of deleted records that the organization no longer wants to remember. */
export async function deleteKeys(pool: pg.Pool, { organizationId }: Deletion): Promise<StepResult> {
  return transaction(pool, async (client) => {
    for (const { text } of setLockTimeout(lockTimeout)) await client.query(text);
    const { rows } = await client.query<{ bytes: number }>(
      `delete from deleted_records as key where organization_id = $1 and record_id = any (array(
         select record_id from deleted_records where organization_id = $1
         order by record_id limit ${keysPerStep} for update skip locked
       )) returning pg_column_size(key.*) as bytes`,
      [organizationId],
    );
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    await recordDeletion(client, organizationId, "deletedKeys", { count: rows.length, bytes });
    return { deleted: rows.length, hasMore: rows.length === keysPerStep };
  });
}
