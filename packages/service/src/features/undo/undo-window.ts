import { nowMs } from "../../core/clock.js";
import { invalidInput } from "../../core/refusals/user-error.js";

const dayMs = 86_400_000;

/** Until when a run can be taken back that was completed then; null: not any more, or never. */
export function undoableUntil(completedAt: Date, undoDays: number): string | null {
  const untilMs = completedAt.getTime() + undoDays * dayMs;
  return untilMs <= nowMs() ? null : new Date(untilMs).toISOString();
}

/** The same, for whoever is about to do it. */
export function requireUndoable(completedAt: Date, undoDays: number): string {
  const until = undoableUntil(completedAt, undoDays);
  if (until !== null) return until;
  throw invalidInput(
    undoDays === 0
      ? "Runs cannot be taken back here (GATEHOUSE_UNDO_DAYS is 0)"
      : `A run can be taken back within ${undoDays} days, and this one was completed at ${completedAt.toISOString()}`,
  );
}
