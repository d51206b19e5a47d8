import {
  ReasonCode,
  RecordStatus,
  RunStatus,
  maxKeptFailures,
  storedWithOtherValues,
  type CreatedEntities,
  type ImportRun,
  type RecordResult,
} from "@gatehouse-parking/contract";
import type { Outcome, Skipped } from "./judge/decision.js";
import type { Submitted } from "./read/read-records.js";
import type { ResourceDefinition } from "./resources.js";

export interface RunTimes {
  startedAt: Date;
  completedAt: Date;
  /** From a monotonic clock, so that it is never negative. */
  durationMs: number;
}

/** The answer of an import. The history renders stored runs with the same functions. */
export function report(
  runId: string,
  resource: ResourceDefinition,
  times: RunTimes,
  records: readonly Submitted[],
  outcomes: readonly Outcome[],
): ImportRun {
  const results = records.map(({ reference }, index) =>
    toResult(resource, reference, outcomes[index] as Outcome),
  );
  const count = (status: RecordStatus) => outcomes.filter((outcome) => outcome.status === status).length;
  const counts = {
    successCount: count(RecordStatus.Created),
    failedCount: count(RecordStatus.Failed),
    skippedCount: count(RecordStatus.Skipped),
  };
  return {
    referenceUuid: runId,
    resource: resource.number,
    status: runStatus(results.length, counts.failedCount),
    startedAt: times.startedAt.toISOString(),
    completedAt: times.completedAt.toISOString(),
    durationMs: times.durationMs,
    totalSubmitted: results.length,
    ...counts,
    createdEntities: countCreated(outcomes),
    results,
  };
}

/** The number of failed records by reason code. */
export type FailedByReason = Partial<Record<ReasonCode, number>>;

export function countFailures(outcomes: readonly Outcome[]): FailedByReason {
  const failed: FailedByReason = {};
  for (const outcome of outcomes)
    if (outcome.status === RecordStatus.Failed)
      failed[outcome.reasonCode] = (failed[outcome.reasonCode] ?? 0) + 1;
  return failed;
}

/** Counts the related entities that were created, not the records themselves. */
function countCreated(outcomes: readonly Outcome[]): CreatedEntities {
  const created: CreatedEntities = { accounts: 0, contacts: 0, vehicles: 0, subscriptions: 0 };
  for (const outcome of outcomes) {
    if (outcome.status !== RecordStatus.Created) continue;
    for (const entity of outcome.related) created[entity as keyof CreatedEntities] += 1;
  }
  return created;
}

function runStatus(total: number, failed: number): ImportRun["status"] {
  if (failed === 0) return RunStatus.Completed;
  return failed === total ? RunStatus.Failed : RunStatus.PartialSuccess;
}

function toResult(resource: ResourceDefinition, reference: string, outcome: Outcome): RecordResult {
  switch (outcome.status) {
    case RecordStatus.Created:
      return createdResult(reference, outcome.uuid);
    case RecordStatus.Skipped:
      return skippedResult(resource, reference, outcome.stored.id, skippedDetail(resource, outcome));
    case RecordStatus.Failed:
      return failedResult(reference, outcome.reasonCode, outcome.detail);
  }
}

export function createdResult(reference: string, uuid: string): RecordResult {
  return { reference, status: RecordStatus.Created, uuid };
}

/** `detail`: see skippedDetail. */
export function skippedResult(
  resource: ResourceDefinition,
  reference: string,
  uuid: string,
  detail: string | null,
): RecordResult {
  const { noun, keyField } = resource;
  const errorDetail = detail ?? `${noun} with this ${keyField} is already stored; nothing was changed`;
  return {
    reference,
    status: RecordStatus.Skipped,
    uuid,
    reasonCode: ReasonCode.DuplicateTransactionId,
    errorDetail,
  };
}

/** The message of a skipped record. Null for the usual one: the record is already stored. */
export function skippedDetail(
  { noun, keyField }: ResourceDefinition,
  { stored, differences }: Pick<Skipped, "stored" | "differences">,
): string | null {
  if (stored.isDeleted)
    return `${noun} with this ${keyField} was stored before and has been deleted since; nothing was stored`;
  if (!differences) return null;
  const fields = differences.map(({ field }) => field).join(", ");
  return `${noun} with this ${keyField} is ${storedWithOtherValues}: ${fields}; nothing was changed`;
}

export function failedResult(reference: string, reasonCode: ReasonCode, errorDetail: string): RecordResult {
  return { reference, status: RecordStatus.Failed, reasonCode, errorDetail };
}

/** The first failures in input order are stored; the others are only in the immediate answer. */
export function isStoredOutcome(outcome: Outcome, failuresBefore: number): boolean {
  return (
    outcome.status === RecordStatus.Skipped ||
    (outcome.status === RecordStatus.Failed && failuresBefore < maxKeptFailures)
  );
}
