import { RecordStatus } from "@gatehouse-parking/contract";
import type { FieldDifference } from "@gatehouse-parking/contract/console";
import type { Statement } from "../database/pipeline.js";
import type { PipelineQueue } from "../database/pipeline-queue.js";
import type { Outcome } from "./judge/decision.js";
import type { Submitted } from "./read/read-records.js";
import type { Run } from "./run.js";
import { exceptionStatements, listExceptions, type Exception } from "./write/exceptions.js";

/**
 * Adds to the transaction of every import once its outcomes are known. Each function is called again for each attempt. The
 * organization is locked, unless all records are replays.
 */
export interface ImportObserver {
  /** How skipped records differ from the stored ones, by position. It may query the database through the queue. */
  compareSkipped?: (
    queue: PipelineQueue,
    run: Run,
    records: readonly Submitted[],
    outcomes: readonly Outcome[],
  ) => Promise<ReadonlyMap<number, readonly FieldDifference[]>>;
  /** Statements that store the exceptions in another way, sent after the run. Undefined: the core stores them. */
  storeExceptions?: (
    run: Run,
    outcomes: readonly Outcome[],
    exceptions: readonly Exception[],
  ) => Statement[] | undefined;
  /** Statements that are sent together with the rows of the records. */
  withRecords?: (run: Run, records: readonly Submitted[], outcomes: readonly Outcome[]) => Statement[];
  /** Statements that are sent together with the run. */
  withRun?: (run: Run, outcomes: readonly Outcome[]) => Statement[];
}

/** The statements that store the exceptions, and those of the observers, by when they are sent. */
interface Observed {
  withRecords: Statement[];
  withRun: Statement[];
  afterRun: Statement[];
}

/** Adds to skipped records how they differ from the stored ones. */
export async function withDifferences(
  queue: PipelineQueue,
  run: Run,
  records: readonly Submitted[],
  outcomes: readonly Outcome[],
): Promise<readonly Outcome[]> {
  const differences = new Map<number, readonly FieldDifference[]>();
  for (const { compareSkipped } of run.observers)
    for (const [position, found] of (await compareSkipped?.(queue, run, records, outcomes)) ?? [])
      differences.set(position, found);
  if (differences.size === 0) return outcomes;
  return outcomes.map((outcome, index) => {
    const found = differences.get((records[index] as Submitted).position);
    return found && outcome.status === RecordStatus.Skipped ? { ...outcome, differences: found } : outcome;
  });
}

export function observe(run: Run, records: readonly Submitted[], outcomes: readonly Outcome[]): Observed {
  const { observers, resource, identity } = run;
  const exceptions = listExceptions(records, outcomes, resource);
  const [instead] = observers.flatMap(({ storeExceptions }) => {
    const statements = storeExceptions?.(run, outcomes, exceptions);
    return statements ? [statements] : [];
  });
  return {
    withRecords: [
      ...(instead ? [] : exceptionStatements(identity, exceptions)),
      ...observers.flatMap(({ withRecords }) => withRecords?.(run, records, outcomes) ?? []),
    ],
    withRun: observers.flatMap(({ withRun }) => withRun?.(run, outcomes) ?? []),
    afterRun: instead ?? [],
  };
}
