import { ReasonCode, maxKeptFailures, type ImportRun } from "@gatehouse-parking/contract";
import type pg from "pg";
import { setLockTimeout, transaction } from "../database/transaction.js";
import { databaseTrouble, isLockTimeout } from "../database/sqlstate.js";
import { PipelineQueue } from "../database/pipeline-queue.js";
import type { Log } from "../logger.js";
import type { ImportMetrics } from "../telemetry/metrics.js";
import { unstored } from "./judge/decision.js";
import type { Submitted } from "./read/read-records.js";
import { resourceOf } from "./resources.js";
import type { RunOrigin } from "./run.js";
import { exceptionStatements, listExceptions } from "./write/exceptions.js";
import { nothingTaken } from "./write/lock-organization.js";
import { runStatement } from "./write/write-run.js";

/**
 * A run that failed as a whole is recorded as soon as the database answers: at once if it does, otherwise from a queue in
 * memory that is tried again until it does. The queue is bounded in entries and in bytes, and what the database refuses,
 * rather than being away, is given up after so many tries.
 */
export interface FailedRuns {
  record(origin: RunOrigin, run: ImportRun, submitted: readonly Submitted[]): Promise<void>;
  close(): Promise<void>;
}

interface Entry {
  origin: RunOrigin;
  run: ImportRun;
  /** What the exceptions need of the candidates; bodies and results must not be held until the database is back. */
  candidates: Pick<Submitted, "position" | "reference" | "key">[];
  /** How much text it holds. */
  characters: number;
  refusals: number;
  /** One that was refused is not tried again before this. */
  againAtMs: number;
}

export const maxQueued = 1_000;
export const maxQueuedCharacters = 16 * 1024 * 1024;
/** How often the database refuses an entry before it is given up: half a minute. */
export const maxRefusals = 30;
export const retryMs = 1_000;
/** How long a failed run may wait for its organization's lock, because the other failed runs wait behind it. */
const lockTimeout = "1s";
/** The caller waits no longer than this for the first try. */
const firstTryMs = 2_000;

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

  /** Entries that are added meanwhile are written too: iterating over a set also visits them. */
  async function writeAll(): Promise<void> {
    for (const entry of waiting) {
      if (performance.now() < entry.againAtMs) continue;
      try {
        await write(pool, entry);
        remove(entry);
      } catch (error) {
        log.warn({ err: error, waiting: waiting.size }, "failed runs are not recorded yet");
        // A database that is away takes none; one that refuses this run may take the next, and so may one in which an
        // import holds the lock of this run's organization.
        const isBusy = isLockTimeout(error);
        if (databaseTrouble(error) === "unavailable" && !isBusy) return;
        entry.againAtMs = performance.now() + retryMs;
        if (isBusy) continue;
        entry.refusals += 1;
        if (entry.refusals >= maxRefusals) giveUp(entry, "the database refuses it");
      }
    }
  }

  function remove(entry: Entry): void {
    if (waiting.delete(entry)) characters -= entry.characters;
  }

  function giveUp(entry: Entry, reason: string): void {
    remove(entry);
    metrics.recordUnrecordedRun();
    log.error({ referenceUuid: entry.run.referenceUuid, reason }, "a failed run was not recorded");
  }

  return {
    async record(origin, run, submitted) {
      const entry = toEntry(origin, run, submitted);
      waiting.add(entry);
      characters += entry.characters;
      for (const oldest of waiting) {
        if (waiting.size <= maxQueued && characters <= maxQueuedCharacters) break;
        giveUp(oldest, "too many wait for the database");
      }
      const patience = new Promise<void>((resolve) => setTimeout(resolve, firstTryMs).unref());
      await Promise.race([flush(), patience]);
    },
    async close() {
      clearInterval(timer);
      await flush();
      waiting.clear();
    },
  };
}

function toEntry(origin: RunOrigin, run: ImportRun, submitted: readonly Submitted[]): Entry {
  const metadata = origin.metadata === undefined ? undefined : ownText(origin.metadata);
  const candidates = submitted.slice(0, maxKeptFailures).map(({ position, reference, key }) => ({
    position,
    reference: ownText(reference),
    key: key === undefined ? undefined : ownText(key),
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
    refusals: 0,
    againAtMs: 0,
  };
}

/** A part of a text keeps all of it in memory, which is the body of the request; a copy does not. */
function ownText(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

async function write(pool: pg.Pool, { origin, run, candidates }: Entry): Promise<void> {
  await transaction(pool, async (client) => {
    const queue = new PipelineQueue(client);
    queue.add(...setLockTimeout(lockTimeout));
    let isNew = false;
    await queue.send({
      ...runStatement(origin, run, { [ReasonCode.InternalError]: run.failedCount }, nothingTaken),
      take: ({ rowCount }) => (isNew = rowCount === 1),
    });
    // If the run turns out to have been committed after all, it stays as it is.
    if (!isNew) return;
    const { organizationId } = origin;
    const outcomes = candidates.map(unstored);
    await queue.send(
      ...exceptionStatements(
        { organizationId, runId: run.referenceUuid },
        listExceptions(candidates, outcomes, resourceOf(run.resource)),
      ),
    );
  });
}
