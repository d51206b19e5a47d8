import {
  ReasonCode,
  reasonPrecedence,
  RecordStatus,
  type ImportResourceName,
  type Problem,
} from "@gatehouse-parking/contract";
import { checkRecord, problemsText, type Prepared } from "@gatehouse-parking/record-files";
import { outcomeOf, type RecordOutcome } from "../outcomes.js";
import { commandLineRows } from "./messages.js";

/** What can be said of a record without the service. Whether it is stored already, and its references, cannot. */
export type OfflineOutcome = RecordOutcome | { outcome: "Valid"; reference: string };

/** Judges a record by the checker that the service uses itself. */
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

function firstReason(problems: readonly Problem[]): 4 | 5 {
  const codes: readonly number[] = problems.map((problem) => problem.reasonCode);
  return reasonPrecedence.find((code) => codes.includes(code)) as 4 | 5;
}

/** A record that was not sent failed as well; its outcome looks like the service's. */
export function refusedOutcome({ refusal }: Prepared): RecordOutcome {
  return outcomeOf({
    reference: refusal?.reference ?? "",
    status: RecordStatus.Failed,
    reasonCode: ReasonCode.ValidationFailed,
    errorDetail: problemsText(refusal?.problems ?? [], commandLineRows),
  });
}
