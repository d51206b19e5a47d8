import type pg from "pg";
import { undoableUntil } from "../undo/undo-window.js";
import { invalidInput } from "../../core/refusals/user-error.js";
import type { UploadSettings } from "./limits.js";
import type { UploadRow } from "./upload-row.js";

export interface RunOfUpload {
  runId: string;
  firstRow: number;
}

/** The runs of an upload that imported rows before this position, the newest first. */
export async function findRunsBefore(
  connection: pg.Pool | pg.PoolClient,
  upload: Pick<UploadRow, "organization_id" | "id" | "pass_number">,
  { position, limit }: { position: number; limit: number },
): Promise<RunOfUpload[]> {
  const { rows } = await connection.query<RunOfUpload>(
    `select run_id as "runId", first_row as "firstRow" from upload_batches
     where organization_id = $1 and upload_id = $2 and pass_number = $3 and first_row < $4 and run_id is not null
     order by first_row desc limit $5`,
    [upload.organization_id, upload.id, upload.pass_number, position, limit],
  );
  return rows;
}

/** Until when all runs of an upload can be taken back: that is decided by the first one. */
export async function requireInTime(
  client: pg.PoolClient,
  { undoDays }: Pick<UploadSettings, "undoDays">,
  upload: UploadRow,
): Promise<string> {
  const { rows } = await client.query<{ completed_at: Date }>(
    `select completed_at from import_runs where organization_id = $1 and id = (
       select run_id from upload_batches
       where organization_id = $1 and upload_id = $2 and pass_number = $3 and run_id is not null
       order by first_row limit 1)`,
    [upload.organization_id, upload.id, upload.pass_number],
  );
  const [first] = rows;
  if (!first) throw invalidInput("The upload has no runs");
  const until = undoableUntil(first.completed_at, undoDays);
  if (until !== null) return until;
  throw invalidInput(
    undoDays === 0
      ? "Uploads cannot be taken back here (GATEHOUSE_UNDO_DAYS is 0)"
      : `A run can be taken back within ${undoDays} days, and the first one of this upload was completed at ${first.completed_at.toISOString()}`,
  );
}

/** How many of its runs were taken back. Lateral, as all look-ups. */
export async function countUndone(client: pg.PoolClient, upload: UploadRow): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from upload_batches as batch
     cross join lateral (
       select from import_runs
       where organization_id = $1 and id = batch.run_id and undone_at is not null limit 1
     ) as undone
     where batch.organization_id = $1 and batch.upload_id = $2 and batch.pass_number = $3`,
    [upload.organization_id, upload.id, upload.pass_number],
  );
  return rows[0]?.count ?? 0;
}
