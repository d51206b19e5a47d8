import type { Prepared } from "@gatehouse-parking/record-files";
import type { AnyOutcome } from "../offline-check.js";
import { countProblems, type ProblemGroup } from "./problems.js";

/** The outcomes so far. */
export interface Tally {
  records: number;
  requests: number;
  created: number;
  /** Records that are stored already, with the same values. */
  skipped: number;
  /** Records whose reference is stored already, with other values. */
  conflicts: number;
  failed: number;
  /** Records without problems in --dry-run. */
  valid: number;
  /** Failures by reason code. */
  reasons: Record<string, number>;
  /** Local times that occurred twice at a clock change; the earlier one was used. */
  ambiguousTimes: number;
  /** Dates that became midnight, because the file has no time for them. */
  datesWithoutTime: number;
  /** Rows that a filter of the mapping left out. */
  leftOut: number;
  /** Records without an optional field whose value is not valid, by field. */
  fieldsLeftOut: Record<string, number>;
  /** Failures by field and message. */
  problems: ProblemGroup[];
}

export function emptyTally(): Tally {
  return {
    records: 0,
    requests: 0,
    created: 0,
    skipped: 0,
    conflicts: 0,
    failed: 0,
    valid: 0,
    reasons: {},
    ambiguousTimes: 0,
    datesWithoutTime: 0,
    leftOut: 0,
    fieldsLeftOut: {},
    problems: [],
  };
}

export function countOutcome(tally: Tally, row: Prepared, outcome: AnyOutcome): void {
  tally.records += 1;
  tally.ambiguousTimes += row.ambiguousTimes;
  tally.datesWithoutTime += row.datesWithoutTime;
  for (const { path } of row.leftOut) tally.fieldsLeftOut[path] = (tally.fieldsLeftOut[path] ?? 0) + 1;
  switch (outcome.outcome) {
    case "Created":
      tally.created += 1;
      break;
    case "Skipped":
      if (outcome.isConflict) tally.conflicts += 1;
      else tally.skipped += 1;
      break;
    case "LeftOut":
      tally.leftOut += 1;
      break;
    case "Valid":
      tally.valid += 1;
      break;
    case "Failed":
      tally.failed += 1;
      tally.reasons[outcome.reasonCode] = (tally.reasons[outcome.reasonCode] ?? 0) + 1;
      countProblems(tally.problems, row, outcome);
  }
}
