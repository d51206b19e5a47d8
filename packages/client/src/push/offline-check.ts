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
  prepareRows,
  problemsText,
  type FilterMatch,
  type Prepared,
  type RepeatedIds,
  type Table,
} from "@gatehouse-parking/record-files";
import { resources } from "../contract.js";
import { outcomeOf, type RecordOutcome, type SkippedRecord } from "../outcomes.js";
import { commandLineRows } from "./messages.js";
import { countProblems, problemLines, type ProblemGroup } from "./output/problems.js";
import { count } from "./output/progress.js";
import type { PushRequest } from "./push-file.js";
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
  references: RepeatedIds,
): OfflineOutcome {
  if (outcome.outcome !== "Valid") return outcome;
  const { reference } = outcome;
  const repeat = references.add(reference, text, line);
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

/** The result of checking a file before sending. */
interface FileCheck {
  records: number;
  valid: number;
  leftOut: number;
  problems: ProblemGroup[];
}

/**
 * Converts and checks every row offline. A dry run does this while pushing, so here its rows are only
 * counted.
 */
export async function checkTable(request: PushRequest, table: Table): Promise<FileCheck> {
  const prepare = prepareRows(table.columns, request.resource, request.prepare);
  const check: FileCheck = { records: 0, valid: 0, leftOut: 0, problems: [] };
  for await (const row of table.rows) {
    check.records += 1;
    if (request.stop.aborted) break;
    if (request.sender.mode === "dry-run") continue;
    const prepared = prepare(row);
    const outcome =
      prepared.text === undefined ? unsentOutcome(prepared) : checkOffline(request.resource, prepared.text);
    if (outcome.outcome === "LeftOut") check.leftOut += 1;
    else if (outcome.outcome === "Failed") countProblems(check.problems, prepared, outcome);
    else check.valid += 1;
  }
  return check;
}

/** If a file spans several batches and no record is valid, the file was misread. Send nothing. */
export function rejectIfNothingIsValid(
  { records, valid, leftOut, problems }: FileCheck,
  resource: ImportResourceName,
  mode: PushRequest["sender"]["mode"],
): void {
  if (mode === "dry-run" || valid > 0 || records - leftOut <= resources[resource].maxRecords) return;
  const lines = [
    `all ${count(records - leftOut)} ${resource} would fail, so nothing was sent`,
    ...problemLines(problems, resource),
    "  --dry-run checks the file without the service",
  ];
  throw new Error(lines.join("\n"));
}
