import type { TakenBack, RecordKind, RunUndone } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import type { RemovedBy } from "../../core/records/removed-records.js";
import { invalidInput } from "../../core/refusals/user-error.js";
import { countByKind } from "./created-records.js";

const dayMs = 86_400_000;

/** Until when an import can be undone. Null if it is too late or undo is switched off. */
export function undoableUntil(completedAt: Date, undoDays: number): string | null {
  const untilMs = completedAt.getTime() + undoDays * dayMs;
  return untilMs <= nowMs() ? null : new Date(untilMs).toISOString();
}

export function requireUndoable(completedAt: Date, undoDays: number): string {
  const until = undoableUntil(completedAt, undoDays);
  if (until !== null) return until;
  throw invalidInput(
    undoDays === 0
      ? "Undo is switched off (GATEHOUSE_UNDO_DAYS is 0)"
      : `An import can be undone within ${undoDays} days. This one was completed at ${completedAt.toISOString()}`,
  );
}

/** What the undo of an import removed and kept. */
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
  if (!undone) throw new Error(`the import ${runId} was not undone`);
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

/** The same reference can be imported and undone many times. */
const maxFound = 10;

/** Records that an undo has removed, newest first. */
export async function findUndoneRecords(
  pool: pg.Pool,
  organizationId: string,
  by: RemovedBy,
): Promise<TakenBack[]> {
  const [column, value] = "uuid" in by ? ["record_id", by.uuid] : ["reference", by.reference];
  const { rows } = await pool.query<Omit<TakenBack, "at"> & { at: Date }>(
    `select removed.kind, removed.record_id as uuid, coalesce(removed.reference, '') as reference,
            removed.run_id as "referenceUuid", removed.position, run.undone_at as at, run.undone_by as by
     from undo_records as removed
     join import_runs as run on run.organization_id = removed.organization_id and run.id = removed.run_id
     where removed.organization_id = $1 and removed.${column} = $2 and removed.is_removed
     order by removed.run_id desc, removed.position limit ${maxFound}`,
    [organizationId, value],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
