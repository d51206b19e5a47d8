import { RecordStatus } from "@gatehouse-parking/contract";
import type { FieldDifference } from "@gatehouse-parking/contract/console";
import type { PipelineQueue } from "../../core/database/pipeline-queue.js";
import type { Outcome } from "../../core/imports/judge/decision.js";
import { isCandidate, type Submitted } from "../../core/imports/read/read-records.js";
import type { Run } from "../../core/imports/run.js";
import { TimeSlice } from "../../core/scheduling/time-slice.js";
import { compare, fromRow, fromSent } from "./compare.js";
import { readStored } from "./read-stored.js";

/**
 * Compares skipped records with the stored ones. Partners often ask why a correction that they sent was not stored.
 * Fingerprints show which records differ; only these are read and compared by field. Returns the differences by
 * position.
 */
export async function findDifferences(
  queue: PipelineQueue,
  run: Run,
  records: readonly Submitted[],
  outcomes: readonly Outcome[],
): Promise<ReadonlyMap<number, readonly FieldDifference[]>> {
  const changed = records.flatMap((candidate, index) => {
    const outcome = outcomes[index] as Outcome;
    if (!isCandidate(candidate) || outcome.status !== RecordStatus.Skipped) return [];
    const { stored } = outcome;
    // Only the key of a deleted record is left, so there is nothing to compare.
    return stored.isDeleted || stored.fingerprint === candidate.fingerprint ? [] : [{ candidate, stored }];
  });
  const differences = new Map<number, readonly FieldDifference[]>();
  if (changed.length === 0) return differences;

  const { entity } = run.resource;
  const storedBefore = changed.filter(({ stored }) => stored.madeBy === undefined);
  const ids = new Set(storedBefore.map(({ stored }) => stored.id));
  const rows = await readStored(queue, run.identity.organizationId, entity, ids);
  const budget = new TimeSlice();
  for (const { candidate, stored } of changed) {
    // The record is Skipped in any case, so an error must never fail the import.
    try {
      const before =
        stored.madeBy === undefined
          ? fromRow(entity, rows.get(stored.id))
          : fromSent(entity, records[stored.madeBy]);
      const after = fromSent(entity, candidate);
      const found = before && after ? compare(before, after) : [];
      if (found.length > 0) differences.set(candidate.position, found);
    } catch (error) {
      const { position } = candidate;
      run.log.error({ err: error, position }, "comparing a resent record failed");
    }
    if (budget.isSpent) await budget.giveWay();
  }
  return differences;
}
