import type { ImportRun } from "@gatehouse-parking/contract";
import { MalformedJson } from "@gatehouse-parking/json-text";
import type pg from "pg";
import { nowMs } from "../clock.js";
import type { Statement } from "../database/pipeline.js";
import type { PipelineQueue } from "../database/pipeline-queue.js";
import type { Log } from "../logger.js";
import { Refused } from "../refusals/refused.js";
import type { KeyedSemaphore } from "../scheduling/keyed-semaphore.js";
import type { ImportMetrics } from "../telemetry/metrics.js";
import type { OpenSpan, Tracer } from "../telemetry/tracer.js";
import { uuidv7 } from "../uuidv7.js";
import { bisectBatch, type Savepoint } from "./bisect-batch.js";
import { CommitOutcomeUnknown } from "./commit-outcome.js";
import type { FailedRuns } from "./failed-runs.js";
import { outcomeOf, maybeStored, notStored } from "./judge/decision.js";
import { judge } from "./judge/judge.js";
import { lookUp } from "./look-up/look-up.js";
import { observe, withDifferences, type ImportObserver } from "./observe.js";
import { malformed, type UnreadBatch } from "./read/envelope.js";
import { isCandidate, readRecords, type Submitted } from "./read/read-records.js";
import { expectReplaysStored, nothingRecognized, recognize } from "./read/recognize.js";
import { countFailures, report } from "./report.js";
import type { ResourceDefinition } from "./resources.js";
import { retryTransaction, type Attempt } from "./retry-transaction.js";
import {
  timesOf,
  type OrganizationRules,
  type Run,
  type StoredPart,
  type TransactionParticipant,
} from "./run.js";
import { encode, rowStatements } from "./write/encode.js";
import { QuotaCheck } from "./write/lock-organization.js";
import { localDayStatements, runStatement } from "./write/write-run.js";

/**
 * Imports a batch: reads it, then looks up, judges, encodes and writes its records in one transaction. The transaction
 * holds the row lock of the organization, so imports of one organization run one after the other on all instances. They
 * cannot race for a key or deadlock.
 */
export function importBatch(service: ImportService, request: ImportRequest): Promise<ImportAnswer> {
  const { resource, validateOnly } = request;
  const attributes = { "gatehouse.resource": resource.name, "gatehouse.validate_only": validateOnly };
  return service.tracer.span("import", attributes, (span) => runImport(service, request, span));
}

async function runImport(
  service: ImportService,
  request: ImportRequest,
  span: OpenSpan,
): Promise<ImportAnswer> {
  const prepared = await prepareBatch(service, request, span);
  const { run } = prepared;
  try {
    const release = await service.semaphore.acquire(request.organizationId);
    const answer = await retryTransaction(service.pool, run, (attempt) =>
      storeBatch(attempt, prepared),
    ).finally(release);
    return recordMetrics(service, run, { run: answer, fatal: false });
  } catch (error) {
    return recordMetrics(service, run, await failRun(service, prepared, error));
  }
}

interface Prepared {
  run: Run;
  batch: UnreadBatch;
  records: readonly Submitted[];
}

/** Reads the batch before the transaction. Records that are resent byte for byte are recognized and not parsed. */
export async function prepareBatch(
  service: ImportService,
  request: ImportRequest,
  span: OpenSpan,
): Promise<Prepared> {
  try {
    const batch = await service.tracer.step("read envelope", request.findRecords);
    span.set({ "gatehouse.records": batch.items.length });
    const run = beginRun(service, request, batch);
    const recognized = await run.tracer.step("recognize", () => recognize(service.pool, run, batch));
    const records = await run.tracer.step("read", () => readRecords(batch, run.resource, recognized));
    return { run, batch, records };
  } catch (error) {
    throw error instanceof MalformedJson ? malformed(error) : error;
  }
}

/** One attempt. Statements are queued until an answer is needed, and are then sent in one round trip. */
async function storeBatch(attempt: Attempt, { run, batch, records: prepared }: Prepared): Promise<ImportRun> {
  const records = attempt.areReplaysStale
    ? await readRecords(batch, run.resource, nothingRecognized)
    : prepared;
  const queue = await attempt.begin();

  // The lock checks again that recognized replays are stored, so that they cannot be undone before the run is stored.
  const quota = new QuotaCheck(run);
  const lock = [
    quota.lockStatement(),
    ...(run.confirmation ? [run.confirmation] : []),
    ...expectReplaysStored(run, records),
  ];
  // A batch of replays has nothing to judge, so it takes the lock only at its end and delays no other import.
  // A participant locks other rows, and every transaction locks the organization first.
  const isLockedFirst = run.participant !== undefined || records.some(isCandidate);
  if (isLockedFirst) queue.add(...lock);
  if (run.participant) queue.add(run.participant.guard);

  const stored = attempt.isBisecting
    ? await bisectBatch(queue, run, records, storePart)
    : await storePart(queue, run, records);
  quota.check(stored);

  const outcomes = await withDifferences(queue, run, records, stored.outcomes);
  const observed = observe(run, records, outcomes);
  queue.add(...observed.withRecords);
  // wasCommittedAfterAll waits for this lock, so it comes before the commit is sent.
  if (!isLockedFirst) queue.add(...lock);
  await run.tracer.step("write", () => queue.send());

  const answer = report(run.identity.runId, run.resource, timesOf(run), records, outcomes);
  queue.add(
    ...observed.withRun,
    ...localDayStatements(run, outcomes),
    runStatement(run.origin, answer, countFailures(outcomes), quota.amountOf(stored)),
    ...observed.afterRun,
  );
  if (run.participant && !run.validateOnly) {
    queue.add(...run.participant.record(answer));
    if (run.participant.check) await queue.finishWith(run.participant.check);
  }
  return attempt.commit(answer);
}

/** Looks up, judges, encodes and writes records. With a savepoint, these rows are sent at once and can be rolled back alone. */
async function storePart(
  queue: PipelineQueue,
  run: Run,
  records: readonly Submitted[],
  savepoint?: Savepoint,
): Promise<StoredPart> {
  const { statements, lookup } = lookUp(run, records);
  if (statements.length > 0) {
    queue.add(...statements);
    await queue.flush("look up");
  }
  const decisions = await run.tracer.step("judge", () => judge(run, records, lookup));
  savepoint?.set();
  const rows = await run.tracer.step("encode", () => encode(run.identity, records, decisions));
  queue.add(...rowStatements(rows));
  await savepoint?.release();
  const bytes = Object.values(rows).reduce((sum, table) => sum + table.bytes, 0);
  return { outcomes: decisions.map(outcomeOf), bytes };
}

/** The service or its database failed. Every record is Failed 99, and the run is recorded as soon as the database answers. */
async function failRun(
  service: ImportService,
  { run, records }: Prepared,
  error: unknown,
): Promise<ImportAnswer> {
  if (error instanceof Refused) throw error;
  const isUnknown = error instanceof CommitOutcomeUnknown;
  if (isUnknown) service.metrics.recordUnknownCommit();
  run.log.error({ err: error }, isUnknown ? "import commit outcome unknown" : "import failed");
  const outcomes = records.map(isUnknown ? maybeStored : notStored);
  const failed = report(run.identity.runId, run.resource, timesOf(run), records, outcomes);
  // If the run was committed after all, record changes nothing. The caller of a run with a participant retries.
  if (!run.validateOnly && !run.participant) await service.failedRuns.record(run.origin, failed, records);
  return { run: failed, fatal: true, error };
}

function recordMetrics(
  { metrics }: ImportService,
  { resource: { name }, validateOnly }: Run,
  answer: ImportAnswer,
): ImportAnswer {
  if (validateOnly) return answer;
  metrics.recordOutcome(name, "created", answer.run.successCount);
  metrics.recordOutcome(name, "skipped", answer.run.skippedCount);
  metrics.recordOutcome(name, "failed", answer.run.failedCount);
  return answer;
}

export interface ImportService {
  pool: pg.Pool;
  /** Allows one import of an organization at a time. The others wait without a connection. */
  semaphore: KeyedSemaphore;
  failedRuns: FailedRuns;
  metrics: Pick<ImportMetrics, "recordOutcome" | "recordUnknownCommit">;
  /** How long to poll for the outcome of a commit that got no answer. */
  commitCheckTimeoutMs: number;
  /** How long to wait for the organization's lock. */
  maxLockWaitMs: number;
  observers: readonly ImportObserver[];
  log: Log;
  tracer: Tracer;
}

export interface ImportRequest {
  resource: ResourceDefinition;
  organizationId: string;
  apiKeyId: string | undefined;
  requestId: string;
  /** Locates the records in the request body or in a file. Called once. */
  findRecords: () => Promise<UnreadBatch>;
  participant?: TransactionParticipant | undefined;
  confirmation?: Statement | undefined;
  /** Runs the import and rolls it back. */
  validateOnly: boolean;
  rules: OrganizationRules;
  /** For a batch of a file: the first run of the file, or "this" for the first one. The file's name is in the metadata. */
  fileRunId?: string | undefined;
  /** For the history of the demo organization. */
  backdated?: { runId: string; startedAt: Date } | undefined;
}

/** `fatal`: the whole run failed, and every record is Failed 99. */
export interface ImportAnswer {
  run: ImportRun;
  fatal: boolean;
  /** The cause of a fatal answer. */
  error?: unknown;
}

function beginRun(service: ImportService, request: ImportRequest, { metadata }: UnreadBatch): Run {
  const { resource, organizationId, apiKeyId, requestId } = request;
  const { participant, confirmation, validateOnly, rules, backdated } = request;
  const startedAt = backdated?.startedAt ?? new Date(nowMs());
  const runId = backdated?.runId ?? uuidv7();
  return {
    log: service.log.child({ referenceUuid: runId }),
    tracer: service.tracer,
    resource,
    validateOnly,
    participant,
    observers: service.observers,
    confirmation,
    rules,
    identity: { organizationId, runId, createdAt: startedAt.toISOString() },
    origin: {
      ...{ organizationId, apiKeyId, requestId, metadata },
      fileRunId: request.fileRunId === "this" ? runId : request.fileRunId,
    },
    startedAt,
    startedMs: performance.now(),
    commitCheckTimeoutMs: service.commitCheckTimeoutMs,
    maxLockWaitMs: service.maxLockWaitMs,
  };
}
