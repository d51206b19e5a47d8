import type { Prepared } from "@gatehouse-parking/record-files";
import type { OfflineOutcome } from "../offline-check.js";
import { countProblems, type ProblemGroup } from "./problem-groups.js";

/** What became of the records so far. */
export interface Tally {
  records: number;
  requests: number;
  created: number;
  skipped: number;
  failed: number;
  /** Records that --dry-run found nothing wrong with. */
  valid: number;
  /** Failures by reason code. */
  reasons: Record<string, number>;
  /** Times that came twice because the clocks were put back; the earlier was taken. */
  ambiguousTimes: number;
  /** Failures by field and message. */
  problems: ProblemGroup[];
}

export function emptyTally(): Tally {
  return {
    records: 0,
    requests: 0,
    created: 0,
    skipped: 0,
    failed: 0,
    valid: 0,
    reasons: {},
    ambiguousTimes: 0,
    problems: [],
  };
}

export function countOutcome(tally: Tally, row: Prepared, outcome: OfflineOutcome): void {
  tally.records += 1;
  switch (outcome.outcome) {
    case "Created":
      tally.created += 1;
      break;
    case "Skipped":
      tally.skipped += 1;
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
