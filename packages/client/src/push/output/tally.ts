import type { OfflineOutcome } from "../offline-check.js";

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
  };
}

export function countOutcome(tally: Tally, outcome: OfflineOutcome): void {
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
  }
}
