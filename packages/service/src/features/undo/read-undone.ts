import type { RecordKind, RunUndone } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { countByKind } from "./created-records.js";

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
