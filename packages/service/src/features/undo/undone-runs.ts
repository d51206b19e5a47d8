import type { RecordKind, TakenBack, RunUndone } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { countByKind } from "./created-records.js";

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

/** What has become of a run that was taken back. */
export async function readUndone(
  client: pg.ClientBase | pg.Pool,
  organizationId: string,
  runId: string,
): Promise<RunUndone> {
  const { rows } = await client.query<{ at: Date; by: string; count: number }>(
    `select undone_at as at, undone_by as by, undone_count as count from import_runs
     where organization_id = $1 and id = $2 and undone_at is not null`,
    [organizationId, runId],
  );
  const [undone] = rows;
  if (!undone) throw new Error(`The run ${runId} was not taken back`);
  const { rows: records } = await client.query<{ kind: RecordKind; is_removed: boolean }>(
    "select kind, is_removed from undo_records where organization_id = $1 and run_id = $2",
    [organizationId, runId],
  );
  return {
    ...undone,
    at: undone.at.toISOString(),
    removed: countByKind(records.filter((record) => record.is_removed)),
    keptCount: records.filter((record) => !record.is_removed).length,
  };
}
