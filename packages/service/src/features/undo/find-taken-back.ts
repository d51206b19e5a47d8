import type { RecordKind, TakenBack } from "@gatehouse-parking/contract/console";
import type pg from "pg";

interface Row {
  kind: RecordKind;
  record_id: string;
  reference: string | null;
  run_id: string;
  position: number;
  undone_at: Date;
  undone_by: string;
}

/** A reference can be imported and taken back again and again; the newest are shown. */
const maxTakenBack = 10;

/** Records that were stored under this uuid or reference and are gone, because their run was taken back; newest first. */
export async function findTakenBack(
  pool: pg.Pool,
  organizationId: string,
  by: { uuid: string } | { reference: string },
): Promise<TakenBack[]> {
  const [column, value] = "uuid" in by ? ["record_id", by.uuid] : ["reference", by.reference];
  const { rows } = await pool.query<Row>(
    `select gone.kind, gone.record_id, gone.reference, gone.run_id, gone.position, run.undone_at, run.undone_by
     from undo_records as gone
     join import_runs as run on run.organization_id = gone.organization_id and run.id = gone.run_id
     where gone.organization_id = $1 and gone.${column} = $2 and gone.is_removed
     order by gone.run_id desc, gone.position limit ${maxTakenBack}`,
    [organizationId, value],
  );
  return rows.map((row) => ({
    kind: row.kind,
    uuid: row.record_id,
    reference: row.reference ?? "",
    referenceUuid: row.run_id,
    position: row.position,
    at: row.undone_at.toISOString(),
    by: row.undone_by,
  }));
}
