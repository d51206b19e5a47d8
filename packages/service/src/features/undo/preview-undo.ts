import type { UndoPreview } from "@gatehouse-parking/contract/console";
import { transaction, type Connection } from "../../core/database/transaction.js";
import { requireUndoable } from "./undo-window.js";
import { planUndo } from "./plan-undo.js";
import { showPlan } from "./show-plan.js";

/** What taking a run back would do, for a person to decide on. Its version goes along with the decision. */
export async function previewUndo(
  connection: Connection,
  { organizationId, runId, undoDays }: { organizationId: string; runId: string; undoDays: number },
): Promise<UndoPreview> {
  return transaction(connection, async (client) => {
    const plan = await planUndo(client, organizationId, runId);
    return {
      version: plan.version,
      until: requireUndoable(plan.run.completedAt, undoDays),
      ...(await showPlan(client, organizationId, plan)),
    };
  });
}
