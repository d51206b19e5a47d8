import type { DeletedRecord, RecordKind } from "@gatehouse-parking/contract/console";
import { importResources } from "@gatehouse-parking/contract";
import type pg from "pg";

interface Row {
  kind: RecordKind;
  record_id: string;
  reference: string;
  run_id: string;
  position: number;
  deleted_at: Date;
}

const maxDeleted = 10;
const kindsWithKey = Object.keys(importResources);

/** Records that were stored under this uuid or reference and were deleted because their time was over, as far as known. */
export async function findDeleted(
  pool: pg.Pool,
  organizationId: string,
  by: { uuid: string } | { reference: string; kind?: string | undefined },
): Promise<DeletedRecord[]> {
  const where = "uuid" in by ? "record_id = $2" : "kind = any ($3::text[]) and reference = $2";
  const values = "uuid" in by ? [by.uuid] : [by.reference, by.kind === undefined ? kindsWithKey : [by.kind]];
  const { rows } = await pool.query<Row>(
    `select kind, record_id, reference, run_id, position, deleted_at from deleted_records
     where organization_id = $1 and ${where}
     order by deleted_at desc, record_id limit ${maxDeleted}`,
    [organizationId, ...values],
  );
  return rows.map((row) => ({
    kind: row.kind,
    uuid: row.record_id,
    reference: row.reference,
    referenceUuid: row.run_id,
    position: row.position,
    at: row.deleted_at.toISOString(),
  }));
}
