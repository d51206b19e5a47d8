import {
  RunStatus,
  maxKeptFailures,
  type CreatedEntities,
  type ImportRun,
  type ReasonCode,
  type RecordResult,
} from "@gatehouse-parking/contract";
import type { Outcome } from "./judge/decision.js";
import type { StoredRecord } from "./look-up/world.js";
import type { Submitted } from "./read/submitted.js";
import type { ResourceDefinition } from "./resources.js";

/** The outcomes as the answer shows them. The history renders stored runs through the same functions. */
export interface RunTimes {
  startedAt: Date;
  completedAt: Date;
  /** From a monotonic clock, so that it is never negative. */
  durationMs: number;
}

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
  const count = (status: number) => outcomes.filter((outcome) => outcome.status === status).length;
  const counts = { successCount: count(1), failedCount: count(4), skippedCount: count(3) };
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

/** How many records failed, by the code of the reason. */
export type FailedByReason = Partial<Record<ReasonCode, number>>;

export function countFailures(outcomes: readonly Outcome[]): FailedByReason {
  const failed: FailedByReason = {};
  for (const outcome of outcomes)
    if (outcome.status === 4) failed[outcome.reasonCode] = (failed[outcome.reasonCode] ?? 0) + 1;
  return failed;
}

/** What the records brought with them: the records themselves are not among the created entities. */
function countCreated(outcomes: readonly Outcome[]): CreatedEntities {
  const created: CreatedEntities = { accounts: 0, contacts: 0, vehicles: 0, subscriptions: 0 };
  for (const outcome of outcomes) {
    if (outcome.status !== 1) continue;
    for (const entity of outcome.brought) created[entity as keyof CreatedEntities] += 1;
  }
  return created;
}

function runStatus(total: number, failed: number): ImportRun["status"] {
  if (failed === 0) return RunStatus.Completed;
  return failed === total ? RunStatus.Failed : RunStatus.PartialSuccess;
}

function toResult(resource: ResourceDefinition, reference: string, outcome: Outcome): RecordResult {
  switch (outcome.status) {
    case 1:
      return createdResult(reference, outcome.uuid);
    case 3:
      return skippedResult(resource, reference, outcome.stored.id, skippedDetail(resource, outcome.stored));
    case 4:
      return failedResult(reference, outcome.reasonCode, outcome.detail);
  }
}

export function createdResult(reference: string, uuid: string): RecordResult {
  return { reference, status: 1, uuid };
}

/** `detail`: null, what is said of a record that is stored. */
export function skippedResult(
  resource: ResourceDefinition,
  reference: string,
  uuid: string,
  detail: string | null,
): RecordResult {
  const { noun, keyField } = resource;
  const errorDetail = detail ?? `${noun} with this ${keyField} is already stored; nothing was changed`;
  return { reference, status: 3, uuid, reasonCode: 1, errorDetail };
}

/** Null: the usual. */
export function skippedDetail(
  { noun, keyField }: ResourceDefinition,
  stored: Pick<StoredRecord, "isDeleted">,
): string | null {
  if (!stored.isDeleted) return null;
  return `${noun} with this ${keyField} was stored before and has been deleted since; nothing was stored`;
}

export function failedResult(reference: string, reasonCode: ReasonCode, errorDetail: string): RecordResult {
  return { reference, status: 4, reasonCode, errorDetail };
}

/** The first failures in input order are kept for later retrieval; the others exist only in the immediate answer. */
export function isKept(outcome: Outcome, failuresBefore: number): boolean {
  return outcome.status === 3 || (outcome.status === 4 && failuresBefore < maxKeptFailures);
}
