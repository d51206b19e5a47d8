import {
  importResources,
  ReasonCode,
  reasonPrecedence,
  RecordStatus,
  type ImportResourceName,
  type Problem,
} from "@gatehouse-parking/contract";
import {
  checkRecord,
  problemsText,
  type FileCheck,
  type FileFindings,
  type FilterMatch,
  type Prepared,
} from "@gatehouse-parking/record-files";
import { resources } from "../contract.js";
import { outcomeOf, type RecordOutcome, type SkippedRecord } from "../outcomes.js";
import { commandLineRows } from "./messages.js";
import { problemLines } from "./output/problems.js";
import { count } from "./output/progress.js";
import type { SentRecord } from "./senders.js";

/**
 * The outcome as far as it can be known offline. Whether a record exists and whether its references resolve
 * is unknown. Skipped: an earlier record of the file has the same reference.
 */
export type OfflineOutcome =
  | RecordOutcome
  | { outcome: "Valid"; reference: string }
  | Omit<SkippedRecord, "uuid">;

/** The outcome of a row. LeftOut: a filter of the mapping matches it, so it is neither sent nor failed. */
export type AnyOutcome = OfflineOutcome | ({ outcome: "LeftOut" } & FilterMatch);

/** The outcome of a row that is not sent. */
export function unsentOutcome(row: Prepared): AnyOutcome {
  return row.filteredBy ? { outcome: "LeftOut", ...row.filteredBy } : rejectedOutcome(row);
}

/** Runs the service's own record check. */
export function checkOffline(resource: ImportResourceName, text: string): OfflineOutcome {
  const { reference, problems } = checkRecord(resource, text);
  if (problems.length === 0) return { outcome: "Valid", reference };
  return outcomeOf({
    reference,
    status: RecordStatus.Failed,
    reasonCode: firstReason(problems),
    errorDetail: problems.map((problem) => problem.message).join("; "),
  });
}

/** A valid record whose reference occurred before would be Skipped. */
export function checkRepetition(
  resource: ImportResourceName,
  { text, line }: SentRecord,
  outcome: OfflineOutcome,
  findings: FileFindings,
): OfflineOutcome {
  if (outcome.outcome !== "Valid") return outcome;
  const { reference } = outcome;
  const repeat = findings.addId(reference, text, line);
  if (!repeat) return outcome;
  const isConflict = !repeat.isEqual;
  const { keyField } = importResources[resource];
  return {
    outcome: "Skipped",
    reference,
    isConflict,
    reasonCode: ReasonCode.DuplicateTransactionId,
    reason: "DuplicateTransactionId",
    errorDetail: `${keyField} occurs in line ${repeat.firstLine}, with ${isConflict ? "other" : "the same"} values`,
  };
}

function firstReason(problems: readonly Problem[]): 4 | 5 {
  const codes: readonly number[] = problems.map((problem) => problem.reasonCode);
  return reasonPrecedence.find((code) => codes.includes(code)) as 4 | 5;
}

/** A record that cannot be sent counts as failed. Its outcome has the form of the service's outcomes. */
function rejectedOutcome({ refusal }: Prepared): RecordOutcome {
  return outcomeOf({
    reference: refusal?.reference ?? "",
    status: RecordStatus.Failed,
    reasonCode: ReasonCode.ValidationFailed,
    errorDetail: problemsText(refusal?.problems ?? [], commandLineRows),
  });
}

/** If a file spans several batches and no record is valid, the file was misread. Send nothing. */
export function rejectIfNothingIsValid(
  { rows, valid, leftOut, problems }: FileCheck,
  resource: ImportResourceName,
): void {
  if (valid > 0 || rows - leftOut <= resources[resource].maxRecords) return;
  const groups = problems.map(({ path, rows: records, ...group }) => ({ ...group, field: path, records }));
  const lines = [
    `all ${count(rows - leftOut)} ${resource} would fail, so nothing was sent`,
    ...problemLines(groups, resource),
    "  --dry-run checks the file without the service",
  ];
  throw new Error(lines.join("\n"));
}
