import { recordKinds, type KindCount, type RunUndone } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { PipelineQueue } from "../../../core/database/pipeline-queue.js";
import { transaction } from "../../../core/database/transaction.js";
import { lockStatement } from "../../../core/imports/write/lock-organization.js";
import { isUserError } from "../../../core/refusals/user-error.js";
import { NothingToUndo, undoRun } from "../../undo/undo-run.js";
import { noteProgress, type Claim } from "../queue.js";
import { findRunsBefore, type RunOfUpload } from "../undoable-runs.js";
import type { UploadRow } from "../upload-row.js";
import type { UploadResult } from "./process-upload.js";
import { guardStatement } from "./progress.js";

export interface UndoParts {
  pool: pg.Pool;
  undoDays: number;
  /** Aborted when another instance has the upload, or when it is to be given back. */
  signal: AbortSignal;
}

/** How far an undo has come. */
interface Undone {
  /** The rows before this one are still to be taken back. */
  position: number;
  runs: number;
  removed: KindCount[];
  keptCount: number;
}

/**
 * Takes the runs of an upload back, the newest first, so that what refers to a record of the same file is gone before it.
 * Each run is a transaction of its own, which also moves the upload on: whoever takes over goes on with the next one.
 */
export async function takeBackRuns(
  parts: UndoParts,
  claim: Claim,
  upload: UploadRow,
  isTurnOver: () => Promise<boolean>,
): Promise<UploadResult> {
  let undone: Undone = {
    position: upload.undo_position,
    runs: upload.undone_runs,
    removed: JSON.parse(upload.undone_records) as KindCount[],
    keptCount: upload.undo_kept_count,
  };
  for (let isFirst = true; ; isFirst = false) {
    const [run] = await findRunsBefore(parts.pool, upload, { position: undone.position, limit: 1 });
    if (!run) return { end: "finished" };
    if (parts.signal.aborted || (!isFirst && (await isTurnOver())))
      return { end: "given back", isCounted: false };
    try {
      undone = await takeBack(parts, claim, { upload, run, before: undone });
    } catch (error) {
      // Its time may have run out since somebody wanted it.
      if (isUserError(error, "invalid", "notFound")) return { end: "stopped", problem: error.message };
      throw error;
    }
    if (isFirst) await noteProgress(parts.pool, claim);
  }
}

interface Taking {
  upload: UploadRow;
  run: RunOfUpload;
  before: Undone;
}

async function takeBack(
  { pool, undoDays }: UndoParts,
  claim: Claim,
  { upload, run, before }: Taking,
): Promise<Undone> {
  const { organizationId } = claim;
  return transaction(pool, async (client) => {
    // The organization is locked first, as imports do it.
    const guard = guardStatement(claim, "undo_position", before.position);
    await new PipelineQueue(client).send(lockStatement(organizationId), guard);
    const undoing = { organizationId, runId: run.runId, version: undefined, undoDays };
    const { removed, keptCount } = await unlessNothing(
      undoRun(client, { ...undoing, actor: upload.undone_by as string }),
    );
    const after: Undone = {
      position: run.firstRow,
      runs: before.runs + 1,
      removed: addCounts(before.removed, removed),
      keptCount: before.keptCount + keptCount,
    };
    await client.query(
      `update uploads set undo_position = $3, undone_runs = $4, undone_records = $5, undo_kept_count = $6, changed_at = now()
       where organization_id = $1 and id = $2`,
      [organizationId, upload.id, after.position, after.runs, JSON.stringify(after.removed), after.keptCount],
    );
    return after;
  });
}

/** A run that created nothing, or of which nothing can go, is passed over; nothing was written for it. */
async function unlessNothing(undoing: Promise<RunUndone>): Promise<Pick<RunUndone, "removed" | "keptCount">> {
  try {
    return await undoing;
  } catch (error) {
    if (error instanceof NothingToUndo) return { removed: [], keptCount: error.keptCount };
    throw error;
  }
}

function addCounts(...counts: readonly (readonly KindCount[])[]): KindCount[] {
  const all = counts.flat();
  return recordKinds
    .map((kind) => ({
      kind,
      count: all.filter((one) => one.kind === kind).reduce((sum, { count }) => sum + count, 0),
    }))
    .filter(({ count }) => count > 0);
}
