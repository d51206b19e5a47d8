import type { UploadUndoPreview } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import { planUndoOfRuns } from "../undo/plan-undo.js";
import { showPlan } from "../undo/show-plan.js";
import { requireAction } from "./change-state.js";
import { countStored, toKindCounts } from "./count-stored.js";
import type { UploadSettings } from "./limits.js";
import { countUndone, findRunsBefore, requireInTime } from "./undoable-runs.js";
import type { UploadKey } from "./upload-row.js";

/** Only this many of the newest runs are checked for references: each has hundreds of records. */
export const previewedRuns = 20;
/** How many of the records that would stay are named. */
const shownKept = 10;

/**
 * What undoing an upload would do. The totals are those of all runs. Which records stay, because something else refers to
 * them, is known of the newest runs alone; only newer runs can refer to the records of a run.
 */
export async function previewUploadUndo(
  pool: pg.Pool,
  settings: UploadSettings,
  key: UploadKey,
): Promise<UploadUndoPreview> {
  return transaction(pool, async (client) => {
    const upload = await requireAction(client, key, "undo", "");
    const until = await requireInTime(client, settings, upload);
    const newest = { position: upload.decided_rows, limit: previewedRuns };
    const runIds = (await findRunsBefore(client, upload, newest)).map(({ runId }) => runId);
    const plan = await planUndoOfRuns(client, key.organizationId, runIds);
    const removed = await countStored(client, upload);
    for (const { kind } of plan.kept) removed.set(kind, (removed.get(kind) ?? 0) - 1);
    return {
      until,
      records: upload.created_count,
      runs: upload.run_count,
      undoneRuns: await countUndone(client, upload),
      previewedRuns: runIds.length,
      keptCount: plan.kept.length,
      ...(await showPlan(client, key.organizationId, { ...plan, kept: plan.kept.slice(0, shownKept) })),
      removed: toKindCounts(removed),
    };
  });
}
