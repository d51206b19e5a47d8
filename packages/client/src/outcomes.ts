import type { RecordResult } from "@gatehouse-parking/contract";
import { ReasonCode, reasonNames, RecordStatus, type ReasonName } from "./constants.js";
import { storedWithOtherValues } from "./contract.js";

/** The outcome of one record, discriminated by `outcome`. `reason` tells failures apart. */
export type RecordOutcome = CreatedRecord | SkippedRecord | FailedRecord;

export interface CreatedRecord {
  outcome: "Created";
  reference: string;
  uuid: string;
}

/** A record with this reference already exists. Without a conflict, this counts as a success. */
export interface SkippedRecord {
  outcome: "Skipped";
  reference: string;
  /** The UUID of the existing record. */
  uuid: string;
  /**
   * Whether the existing record has other values than the sent one; `errorDetail` names the fields. Two records may have the
   * same reference by mistake.
   */
  isConflict: boolean;
  reasonCode: ReasonCode;
  reason: ReasonName | typeof unknownReason;
  errorDetail: string;
}

/**
 * The record was not stored. Correct it and resend it. A record with InternalError can be resent unchanged.
 */
export interface FailedRecord {
  outcome: "Failed";
  reference: string;
  reasonCode: ReasonCode;
  reason: ReasonName | typeof unknownReason;
  errorDetail: string;
}

/** The reason of a code that a later release added. */
const unknownReason = "UnknownReason";

export function outcomeOf(result: RecordResult): RecordOutcome {
  const { reference, status, uuid = "" } = result;
  if (status === RecordStatus.Created) return { outcome: "Created", reference, uuid };
  const reasonCode = result.reasonCode ?? ReasonCode.InternalError;
  const names: Partial<Record<number, FailedRecord["reason"]>> = reasonNames;
  const reason = names[reasonCode] ?? unknownReason;
  const why = { reasonCode, reason, errorDetail: result.errorDetail ?? "" };
  if (status === RecordStatus.Skipped) {
    const isConflict = why.errorDetail.includes(storedWithOtherValues);
    return { outcome: "Skipped", reference, uuid, isConflict, ...why };
  }
  return { outcome: "Failed", reference, ...why };
}
