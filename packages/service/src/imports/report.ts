import {
  RunStatus,
  maxKeptFailures,
  type CreatedEntities,
  type ImportRun,
  type ReasonCode,
  type RecordResult,
} from "@gatehouse-parking/contract";
import type { Submitted } from "./candidate.js";
import type { Outcome } from "./decide.js";
import type { ResourceDefinition } from "./resources.js";

/** Step 5: the outcomes as the answer shows them. The history renders stored runs through the same functions. */
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
  submitted: readonly Submitted[],
  outcomes: readonly Outcome[],
  createdEntities: CreatedEntities,
): ImportRun {
  const results = submitted.map(({ reference }, index) =>
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
    createdEntities,
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

/** The run that came to nothing because the service or its database failed, or whose end nobody knows. */
export function reportFatal(
  runId: string,
  resource: ResourceDefinition,
  times: RunTimes,
  submitted: readonly Submitted[],
  outcome: () => Outcome,
): ImportRun {
  return report(runId, resource, times, submitted, submitted.map(outcome), noEntities());
}

export function unstored(): Outcome {
  return {
    status: 4,
    reasonCode: 99,
    detail: "The record could not be stored; nothing of it was kept. Send it again.",
  };
}

/** Its commit was sent, and the database was lost before it could say whether it arrived. */
export function perhapsStored(): Outcome {
  return {
    status: 4,
    reasonCode: 99,
    detail:
      "It is not known whether the record was stored: the database was lost at the last moment. Send it again; what is stored is skipped, never stored twice.",
  };
}

export function noEntities(): CreatedEntities {
  return { accounts: 0, contacts: 0, vehicles: 0, subscriptions: 0 };
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
      return skippedResult(resource, reference, outcome.stored.id);
    case 4:
      return failedResult(reference, outcome.reasonCode, outcome.detail);
  }
}

export function createdResult(reference: string, uuid: string): RecordResult {
  return { reference, status: 1, uuid };
}

export function skippedResult(resource: ResourceDefinition, reference: string, uuid: string): RecordResult {
  const errorDetail = `${resource.noun} with this ${resource.keyField} is already stored; nothing was changed`;
  return { reference, status: 3, uuid, reasonCode: 1, errorDetail };
}

export function failedResult(reference: string, reasonCode: ReasonCode, errorDetail: string): RecordResult {
  return { reference, status: 4, reasonCode, errorDetail };
}

/** The first failures in input order are kept for later retrieval; the others exist only in the immediate answer. */
export function isKept(outcome: Outcome, failuresBefore: number): boolean {
  return outcome.status === 3 || (outcome.status === 4 && failuresBefore < maxKeptFailures);
}
