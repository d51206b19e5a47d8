import type { ImportRun } from "@gatehouse-parking/contract";
import type pg from "pg";
import { nowMs } from "../clock.js";
import type { Statement } from "../database/pipeline.js";
import type { PipelineQueue } from "../database/pipeline-queue.js";
import type { Log } from "../logger.js";
import type { Batch } from "../json/read-body.js";
import { Refused } from "../refusals/refused.js";
import type { KeyedSemaphore } from "../scheduling/keyed-semaphore.js";
import type { ImportMetrics } from "../telemetry/metrics/imports.js";
import { noAttributes, type Tracer } from "../telemetry/tracer.js";
import { uuidv7 } from "../uuidv7.js";
import { storeWithRetries, type StoreParts } from "./attempts.js";
import { findDifferences } from "./compare/find-differences.js";
import type { FailedRuns } from "./failed-runs.js";
import { perhapsStored, unstored } from "./judge/decision.js";
import { judge } from "./judge/judge.js";
import { lookUp } from "./look-up/look-up.js";
import { readRecords } from "./read/read-records.js";
import { nothingRecognized, recognize } from "./read/recognize.js";
import { expectStored } from "./read/replays-gone.js";
import { isCandidate, type Submitted } from "./read/submitted.js";
import { countFailures, report } from "./report.js";
import type { ResourceDefinition } from "./resources.js";
import { endOf, type Companion, type ImportObserver, type OrganizationRules, type Run } from "./run.js";
import { UnknownEnd } from "./unknown-end.js";
import { encode } from "./write/encode.js";
import { exceptionsOf, exceptionStatements } from "./write/write-exceptions.js";
import { localDayStatements } from "./write/note-days.js";
import { mayBeRepetition, repetitionOf } from "./write/write-repetition.js";
import { Room } from "./write/room.js";
import { rowStatements } from "./write/write-rows.js";
import { sentValueStatements } from "./write/write-sent-values.js";
import { runStatement } from "./write/write-run.js";

/**
 * The story of an import: recognize, read, look up, judge, encode, compare, write, report. From looking up to writing
 * it is one transaction, under the row lock of its organization: imports of one organization are judged one after the
 * other, on whatever instance they arrive, so no two of them can race for a key, and none can deadlock.
 */
export async function importBatch(service: ImportService, request: ImportRequest): Promise<ImportAnswer> {
  const { batch, resource, organizationId } = request;
  const run = begin(service, request);
  const recognized = await run.step("recognize", () => recognize(service.pool, run, batch));
  const records = await run.step("read", () => readRecords(batch, resource, recognized));
  try {
    const answer = await service.turns.run(organizationId, () =>
      storeWithRetries(service.pool, run, {
        records,
        readAll: () => readRecords(batch, resource, nothingRecognized),
        store: (queue, submitted, storeParts) => storeBatch(queue, run, submitted, storeParts),
      }),
    );
    return { run: answer, fatal: false };
  } catch (error) {
    return failAsAWhole(service, run, records, error);
  }
}

/** One attempt, within a transaction. Statements wait until an answer is needed, and are then sent together. */
async function storeBatch(
  queue: PipelineQueue,
  run: Run,
  records: readonly Submitted[],
  storeParts: StoreParts,
): Promise<ImportRun> {
  const { organizationId, runId } = run.identity;
  // Recognized replays are looked for again behind the lock, so that they cannot be taken back before the run is
  // stored.
  const room = new Room(run);
  const confirmation = run.confirmation ? [run.confirmation] : [];
  const behindLock = [room.lockStatement(), ...confirmation, ...expectStored(run, records)];
  // A batch of replays leaves nothing to judge, so it takes the lock only at its end and keeps nobody waiting. A
  // companion locks rows of its own, and everybody takes the organization's lock first.
  const isLockedFirst = run.companion !== undefined || records.some(isCandidate);
  if (isLockedFirst) queue.add(...behindLock);
  queue.add(...(run.companion ? [run.companion.guard] : []));
  const outcomes = await storeParts(queue, run, records, {
    judge: async (part) => {
      const world = await run.step("look up", () => lookUp(queue, run, part));
      return run.step("judge", () => judge(run, part, world));
    },
    write: async (part, judged) => {
      const rows = await run.step("encode", () => encode(run.identity, part, judged));
      room.measure(part, rows);
      return rowStatements(rows);
    },
    count: (part) => room.note(part),
  });
  room.require(outcomes);
  const differences = await run.step("compare", () => findDifferences(queue, run, records, outcomes));
  const exceptions = exceptionsOf(records, outcomes, differences, run.resource);
  const repetition = mayBeRepetition(run, outcomes) ? repetitionOf(run, [...exceptions]) : undefined;
  if (!repetition) queue.add(...exceptionStatements(organizationId, runId, exceptions));
  queue.add(...sentValueStatements(run, records, outcomes));
  // Whoever asks whether a commit has arrived (unknown-end.ts) waits for this lock, so it comes before the commit is sent.
  if (!isLockedFirst) queue.add(...behindLock);
  if (repetition) queue.add(repetition.exceptions);
  await run.step("write", () => queue.send());
  const answer = report(runId, run.resource, endOf(run), records, outcomes);
  queue.add(
    ...run.observers.flatMap((observe) => observe(run, outcomes)),
    ...localDayStatements(run, outcomes),
    runStatement(run.origin, answer, countFailures(outcomes), room.taken(outcomes)),
    ...(repetition ? [repetition.note] : []),
    ...(run.companion && !run.validateOnly ? run.companion.record(answer) : []),
  );
  return answer;
}

/** The service or its database failed: every record is told so, and the run is recorded when that is possible again. */
async function failAsAWhole(
  service: ImportService,
  run: Run,
  records: readonly Submitted[],
  error: unknown,
): Promise<ImportAnswer> {
  if (error instanceof Refused) throw error;
  const isUnknown = error instanceof UnknownEnd;
  if (isUnknown) service.metrics.recordUnknownEnd();
  run.log.error(
    { err: error },
    isUnknown ? "the end of an import is not known: it may be stored" : "import failed as a whole",
  );
  const outcomes = records.map(isUnknown ? perhapsStored : unstored);
  const failed = report(run.identity.runId, run.resource, endOf(run), records, outcomes);
  // A run that was stored after all stays as it is. Whoever gave the run a companion tries again by itself.
  if (!run.validateOnly && !run.companion) await service.failedRuns.record(run.origin, failed, records);
  return { run: failed, fatal: true, error };
}

export interface ImportService {
  pool: pg.Pool;
  /** On one instance, only one import of an organization at a time holds a connection; the others wait without one. */
  turns: KeyedSemaphore;
  failedRuns: FailedRuns;
  metrics: Pick<ImportMetrics, "recordUnknownEnd">;
  /** How long to ask whether a run was committed when its commit got no answer. */
  maxAskingMs: number;
  /** How long to wait for the organization's lock, which an instance that hangs may hold. */
  maxLockWaitMs: number;
  /**
   * Whether runs may keep the values in the wrong fields of failed records at all; an organization may forbid it for
   * itself.
   */
  keepsSentValues: boolean;
  /** What features add to the transaction of every import. */
  observers: readonly ImportObserver[];
  log: Log;
  tracer: Tracer;
}

export interface ImportRequest {
  resource: ResourceDefinition;
  organizationId: string;
  apiKeyId: string | undefined;
  requestId: string;
  batch: Batch;
  companion?: Companion | undefined;
  confirmation?: Statement | undefined;
  /** Everything is done as for an import, and rolled back. */
  validateOnly: boolean;
  rules: OrganizationRules;
  /** When the run is said to have happened, if not now: for the history of the demo organization. */
  past?: { runId: string; startedAt: Date } | undefined;
}

/** `fatal`: every record is Failed 99, and says whether nothing was stored or nobody knows. */
export interface ImportAnswer {
  run: ImportRun;
  fatal: boolean;
  /** What made it fatal. */
  error?: unknown;
}

function begin(service: ImportService, request: ImportRequest): Run {
  const { resource, organizationId, apiKeyId, requestId, batch } = request;
  const { companion, confirmation, validateOnly, rules, past } = request;
  const startedAt = past?.startedAt ?? new Date(nowMs());
  const runId = past?.runId ?? uuidv7();
  return {
    log: service.log.child({ referenceUuid: runId }),
    step: (name, work) => service.tracer.span(name, noAttributes, work),
    resource,
    validateOnly,
    companion,
    observers: service.observers,
    confirmation,
    keepsSentValues: rules.keepsSentValues && service.keepsSentValues,
    rules,
    identity: { organizationId, runId, createdAt: startedAt.toISOString() },
    origin: { organizationId, apiKeyId, requestId, metadata: batch.metadata },
    startedAt,
    startedMs: performance.now(),
    maxAskingMs: service.maxAskingMs,
    maxLockWaitMs: service.maxLockWaitMs,
  };
}
