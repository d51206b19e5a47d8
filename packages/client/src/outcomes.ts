import type { RecordResult } from "@gatehouse-parking/contract";
import { ReasonCode, reasonNames, RecordStatus, type ReasonName } from "./constants.js";

/** What became of one record, told apart by `outcome`; a failure is told apart further by `reason`. */
export type RecordOutcome = CreatedRecord | SkippedRecord | FailedRecord;

export interface CreatedRecord {
  outcome: "Created";
  reference: string;
  uuid: string;
}

/** The record is stored already. It counts as a success. */
export interface SkippedRecord {
  outcome: "Skipped";
  reference: string;
  /** The stored record's. */
  uuid: string;
  reasonCode: ReasonCode;
  reason: ReasonName | typeof unknownReason;
  errorDetail: string;
}

/** The record was not stored. Correct it and send it again; InternalError may be sent again as it is. */
export interface FailedRecord {
  outcome: "Failed";
  reference: string;
  reasonCode: ReasonCode;
  reason: ReasonName | typeof unknownReason;
  errorDetail: string;
}

/** The reason of a code that a later version of the service has added. */
const unknownReason = "UnknownReason";

export function outcomeOf(result: RecordResult): RecordOutcome {
  const { reference, status, uuid = "" } = result;
  if (status === RecordStatus.Created) return { outcome: "Created", reference, uuid };
  const reasonCode = result.reasonCode ?? ReasonCode.InternalError;
  const names: Partial<Record<number, FailedRecord["reason"]>> = reasonNames;
  const reason = names[reasonCode] ?? unknownReason;
  const why = { reasonCode, reason, errorDetail: result.errorDetail ?? "" };
  if (status === RecordStatus.Skipped) return { outcome: "Skipped", reference, uuid, ...why };
  return { outcome: "Failed", reference, ...why };
}
