import {
  compileRecordCheck,
  entities,
  importResources,
  isObject,
  maxMetadataDepth,
  reasonPrecedence,
  type ImportResourceName,
  type Problem,
  type RecordCheck,
} from "@gatehouse-parking/contract";
import { readRecord, scanValue } from "@gatehouse-parking/json-text";
import { outcomeOf, type RecordOutcome } from "../outcomes.js";

const nested = Object.fromEntries(entities.map(({ schema }) => [schema.$id, schema]));
const checks = Object.fromEntries(
  Object.entries(importResources).map(([name, { entity }]) => [
    name,
    compileRecordCheck(entity.schema, { uuidFormat: "looked up", nested }),
  ]),
) as Readonly<Record<ImportResourceName, RecordCheck>>;
const failed = 4;

/** What can be said of a record without the service. Whether it is stored already, and its references, cannot. */
export type OfflineOutcome = RecordOutcome | { outcome: "Valid"; reference: string };

/** Judges a record by the checker that the service uses itself. */
export function checkOffline(resource: ImportResourceName, text: string): OfflineOutcome {
  // Together with its text, which knows how a number was spelled and how deep metadata nests.
  const record = text.trim();
  const source = readRecord(record, scanValue(record, 0), maxMetadataDepth);
  const { value } = source;
  if (!isObject(value)) {
    return outcomeOf({
      reference: "",
      status: failed,
      reasonCode: 5,
      errorDetail: "The record must be an object",
    });
  }
  const key = value[importResources[resource].keyField];
  const reference = typeof key === "string" ? key : "";
  const problems = checks[resource](value, source);
  if (problems.length === 0) return { outcome: "Valid", reference };
  return outcomeOf({
    reference,
    status: failed,
    reasonCode: firstReason(problems),
    errorDetail: problems.map((problem) => problem.message).join("; "),
  });
}

function firstReason(problems: readonly Problem[]): 4 | 5 {
  const codes: readonly number[] = problems.map((problem) => problem.reasonCode);
  return reasonPrecedence.find((code) => codes.includes(code)) as 4 | 5;
}
