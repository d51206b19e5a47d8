import { ReasonCode, maxKeptFailures, type ImportRun } from "@gatehouse-parking/contract";
import type pg from "pg";
import { setLockTimeout, transaction } from "../database/transaction.js";
import { databaseTrouble, isLockTimeout } from "../database/sqlstate.js";
import { PipelineQueue } from "../database/pipeline-queue.js";
import type { Log } from "../logger.js";
import type { ImportMetrics } from "../telemetry/metrics.js";
import { notStored } from "./judge/decision.js";
import type { Submitted } from "./read/read-records.js";
import { resourceOf } from "./resources.js";
import type { RunOrigin } from "./run.js";
import { exceptionStatements, listExceptions } from "./write/exceptions.js";
import { noStorage } from "./write/lock-organization.js";
import { runStatement } from "./write/write-run.js";

/**
 * Records failed runs as soon as the database answers: immediately, or from a retry queue in memory. The queue is bounded
 * in entries and in bytes. A run that the database keeps rejecting is discarded.
 */
export interface FailedRuns {
  record(origin: RunOrigin, run: ImportRun, submitted: readonly Submitted[]): Promise<void>;
  close(): Promise<void>;
}

interface Entry {
  origin: RunOrigin;
  run: ImportRun;
  /** Only what the exceptions need, so that bodies and results do not stay in memory. */
  candidates: Pick<Submitted, "position" | "reference" | "key">[];
  characters: number;
  rejections: number;
  retryAtMs: number;
}

export const maxQueued = 1_000;
export const maxQueuedCharacters = 16 * 1024 * 1024;
/** How often the database rejects a run before it is discarded: after half a minute. */
export const maxRejections = 30;
export const retryMs = 1_000;
/** Short, because the other failed runs wait for this one. */
const lockTimeout = "1s";
/** How long the caller waits for the first attempt. */
const firstAttemptMs = 2_000;

export function recordFailedRuns(
  pool: pg.Pool,
  log: Log,
  metrics: Pick<ImportMetrics, "recordUnrecordedRun">,
): FailedRuns {
  const waiting = new Set<Entry>();
  let characters = 0;
  let flushing: Promise<void> | undefined;
  const timer = setInterval(() => void flush(), retryMs);
  timer.unref();

  function flush(): Promise<void> {
    flushing ??= writeAll().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  /** Iterating over a set also visits entries that are added meanwhile. */
  async function writeAll(): Promise<void> {
    for (const entry of waiting) {
      if (performance.now() < entry.retryAtMs) continue;
      try {
        await write(pool, entry);
        remove(entry);
      } catch (error) {
        log.warn({ err: error, waiting: waiting.size }, "recording a failed run failed");
        // If the database is unavailable, the other runs would fail too.
        const isBusy = isLockTimeout(error);
        if (databaseTrouble(error) === "unavailable" && !isBusy) return;
        entry.retryAtMs = performance.now() + retryMs;
        if (isBusy) continue;
        entry.rejections += 1;
        if (entry.rejections >= maxRejections) discard(entry, "rejected by the database");
      }
    }
  }

  function remove(entry: Entry): void {
    if (waiting.delete(entry)) characters -= entry.characters;
  }

  function discard(entry: Entry, reason: string): void {
    remove(entry);
    metrics.recordUnrecordedRun();
    log.error({ referenceUuid: entry.run.referenceUuid, reason }, "failed run discarded");
  }

  return {
    async record(origin, run, submitted) {
      const entry = toEntry(origin, run, submitted);
      waiting.add(entry);
      characters += entry.characters;
      for (const oldest of waiting) {
        if (waiting.size <= maxQueued && characters <= maxQueuedCharacters) break;
        discard(oldest, "queue full");
      }
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, firstAttemptMs).unref());
      await Promise.race([flush(), timeout]);
    },
    async close() {
      clearInterval(timer);
      await flush();
      waiting.clear();
    },
  };
}

function toEntry(origin: RunOrigin, run: ImportRun, submitted: readonly Submitted[]): Entry {
  const metadata = origin.metadata === undefined ? undefined : copyText(origin.metadata);
  const candidates = submitted.slice(0, maxKeptFailures).map(({ position, reference, key }) => ({
    position,
    reference: copyText(reference),
    key: key === undefined ? undefined : copyText(key),
  }));
  const characters = candidates.reduce(
    (sum, { reference, key = "" }) => sum + reference.length + key.length,
    metadata?.length ?? 0,
  );
  return {
    origin: { ...origin, metadata },
    run: { ...run, results: [] },
    candidates,
    characters,
    rejections: 0,
    retryAtMs: 0,
  };
}

/** Copies the text. A slice of a string would keep the whole request body in memory. */
function copyText(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

async function write(pool: pg.Pool, { origin, run, candidates }: Entry): Promise<void> {
  await transaction(pool, async (client) => {
    const queue = new PipelineQueue(client);
    queue.add(...setLockTimeout(lockTimeout));
    let isNew = false;
    await queue.send({
      ...runStatement(origin, run, { [ReasonCode.InternalError]: run.failedCount }, noStorage),
      take: ({ rowCount }) => (isNew = rowCount === 1),
    });
    // The run was committed after all.
    if (!isNew) return;
    const { organizationId } = origin;
    const outcomes = candidates.map(notStored);
    await queue.send(
      ...exceptionStatements(
        { organizationId, runId: run.referenceUuid },
        listExceptions(candidates, outcomes, resourceOf(run.resource)),
      ),
    );
  });
}
