import { RecordStatus } from "@gatehouse-parking/contract";
import { TimeSlice } from "../../scheduling/time-slice.js";
import { matchIndex } from "../look-up/indexes.js";
import type { LookupResult } from "../look-up/lookup-result.js";
import { isCandidate, type Candidate, type Submitted } from "../read/read-records.js";
import type { Run } from "../run.js";
import { notStored, type Created, type Decision, type NewEntity } from "./decision.js";
import { judgeRecord } from "./judge-record.js";

/**
 * Judges the records in input order, without database access. Later records see the entities that earlier ones create. A
 * failed record leaves nothing behind.
 */
export async function judge(
  run: Run,
  records: readonly Submitted[],
  lookup: LookupResult,
): Promise<Decision[]> {
  const decisions: Decision[] = [];
  const budget = new TimeSlice();
  for (const record of records) {
    const decision: Decision = isCandidate(record)
      ? judgeAlone(run, record, lookup)
      : { status: RecordStatus.Skipped, stored: record.stored };
    if (decision.status === RecordStatus.Created) addToLookup(lookup, record as Candidate, decision);
    decisions.push(decision);
    if (budget.isSpent) await budget.giveWay();
  }
  return decisions;
}

/** An unexpected error fails only this record. */
function judgeAlone(run: Run, candidate: Candidate, lookup: LookupResult): Decision {
  try {
    return judgeRecord(run.resource, candidate, lookup);
  } catch (error) {
    const { position } = candidate;
    run.log.error({ err: error, position }, "judging a record failed");
    return notStored();
  }
}

function addToLookup(lookup: LookupResult, candidate: Candidate, decision: Created): void {
  for (const made of decision.creates) addEntity(lookup, made);
  if (candidate.key === undefined) return;
  const { fingerprint, position } = candidate;
  lookup.records.set(candidate.key, { id: decision.uuid, fingerprint, madeBy: position });
}

function addEntity(lookup: LookupResult, { entity, matchKeys, id }: NewEntity): void {
  for (const [order, match] of entity.matchedBy.entries()) {
    const index = matchIndex(match);
    const key = matchKeys[order];
    if (index && key !== undefined) lookup.add(index, key, id);
  }
}
