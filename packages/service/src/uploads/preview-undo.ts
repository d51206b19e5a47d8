import type { UploadUndoPreview } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { planUndoOfRuns } from "../undo/plan-undo-of-runs.js";
import { showPlan } from "../undo/show-plan.js";
import { requireAction } from "./change-state.js";
import type { UploadSettings } from "./limits.js";
import { countUndone, findRunsBefore, requireInTime } from "./undoable-runs.js";
import type { UploadKey } from "./upload-row.js";

/** So many runs, the newest, are looked at: each has hundreds of records, and somebody waits for it. */
export const previewedRuns = 20;
/** How many of the records that would stay are named. */
const shownKept = 10;

/**
 * What taking an upload back would do, for a person to decide on. What nothing but the upload itself refers to goes, and
 * only newer runs can refer to the records of one: so what is said of the newest runs holds whatever the others have.
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
    return {
      until,
      records: upload.created_count,
      runs: upload.run_count,
      undoneRuns: await countUndone(client, upload),
      previewedRuns: runIds.length,
      keptCount: plan.kept.length,
      ...(await showPlan(client, key.organizationId, { ...plan, kept: plan.kept.slice(0, shownKept) })),
    };
  });
}
