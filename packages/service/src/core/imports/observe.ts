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
  /** JSON to store with exceptions, by position. It may query the database through the queue. */
  annotateExceptions?: (
    queue: PipelineQueue,
    run: Run,
    records: readonly Submitted[],
    outcomes: readonly Outcome[],
  ) => Promise<ReadonlyMap<number, string>>;
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

export async function observe(
  queue: PipelineQueue,
  run: Run,
  records: readonly Submitted[],
  outcomes: readonly Outcome[],
): Promise<Observed> {
  const { observers, resource, identity } = run;
  const annotations = new Map<number, string>();
  for (const { annotateExceptions } of observers)
    for (const [position, json] of (await annotateExceptions?.(queue, run, records, outcomes)) ?? [])
      annotations.set(position, json);
  const exceptions = listExceptions(records, outcomes, resource, annotations);
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
