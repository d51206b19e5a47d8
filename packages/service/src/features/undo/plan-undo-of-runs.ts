import type pg from "pg";
import { planUndo, type UndoPlan } from "./plan-undo.js";

/**
 * What taking these runs back one after the other would do. They are given newest first and have none in between that is
 * left out: then whatever among them refers to a record is known before the record is looked at.
 */
export async function planUndoOfRuns(
  client: pg.ClientBase,
  organizationId: string,
  runIds: readonly string[],
): Promise<Pick<UndoPlan, "removed" | "kept" | "acknowledged">> {
  const scope = { runIds, staying: new Map() };
  const plans: UndoPlan[] = [];
  for (const runId of runIds) plans.push(await planUndo(client, organizationId, runId, scope));
  return {
    removed: plans.flatMap(({ removed }) => removed),
    kept: plans.flatMap(({ kept }) => kept),
    acknowledged: plans.flatMap(({ acknowledged }) => acknowledged),
  };
}
