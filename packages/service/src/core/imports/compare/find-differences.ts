import { RecordStatus } from "@gatehouse-parking/contract";
import type { PipelineQueue } from "../../database/pipeline-queue.js";
import { TimeSlice } from "../../scheduling/time-slice.js";
import type { Outcome } from "../judge/decision.js";
import { isCandidate, type Submitted } from "../read/read-records.js";
import type { Run } from "../run.js";
import { compare, fromRow, fromSent, type Difference } from "./compare.js";
import { readStored } from "./read-stored.js";

export type DifferencesByPosition = Map<number, Difference[]>;

/**
 * A record that is skipped although its content differs from what is stored is what partners ask about most: "I sent
 * the correction, why is it not there?" Fingerprints tell cheaply that something differs; only then is the stored
 * record read and compared field by field. The public answer says nothing of it; the console shows it.
 */
export async function findDifferences(
  queue: PipelineQueue,
  run: Run,
  records: readonly Submitted[],
  outcomes: readonly Outcome[],
): Promise<DifferencesByPosition> {
  const changed = records.flatMap((candidate, index) => {
    if (!isCandidate(candidate)) return [];
    const outcome = outcomes[index] as Outcome;
    if (outcome.status !== RecordStatus.Skipped || outcome.stored.fingerprint === candidate.fingerprint)
      return [];
    // Nothing is left of a deleted record to compare with.
    if (outcome.stored.isDeleted) return [];
    return [{ candidate, stored: outcome.stored }];
  });
  const differences: DifferencesByPosition = new Map();
  if (changed.length === 0) return differences;

  const { entity } = run.resource;
  const storedBefore = changed.filter(({ stored }) => stored.madeBy === undefined);
  const ids = new Set(storedBefore.map(({ stored }) => stored.id));
  const rows = await readStored(queue, run.identity.organizationId, entity, ids);
  const budget = new TimeSlice();
  for (const { candidate, stored } of changed) {
    // Only the console shows them, so nothing about them may ever fail an import.
    try {
      const before =
        stored.madeBy === undefined
          ? fromRow(entity, rows.get(stored.id))
          : fromSent(entity, records[stored.madeBy]);
      const after = fromSent(entity, candidate);
      const found = before && after ? compare(before, after) : [];
      if (found.length > 0) differences.set(candidate.position, found);
    } catch (error) {
      run.log.error(
        { err: error, position: candidate.position },
        "the differences of a record were not found",
      );
    }
    if (budget.isSpent) await budget.giveWay();
  }
  return differences;
}
