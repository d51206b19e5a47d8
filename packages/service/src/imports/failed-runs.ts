import { ReasonCode, maxKeptFailures, type ImportRun } from "@gatehouse-parking/contract";
import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { databaseTrouble, describeError } from "../database/sqlstate.js";
import { transaction } from "../database/transaction.js";
import type { Submitted } from "./candidate.js";
import { unstored } from "./report.js";
import { writeExceptions, writeRun, type RunOrigin } from "./write.js";

/**
 * A run that failed as a whole is recorded as soon as the database answers: at once if it does, otherwise from a
 * bounded queue in memory that is tried again until it does.
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
}

const maxQueued = 1_000;
const retryMs = 1_000;
/** The caller waits no longer than this for the first try. */
const firstTryMs = 2_000;

export function recordFailedRuns(pool: pg.Pool, log: FastifyBaseLogger): FailedRuns {
  const waiting = new Set<Entry>();
  let flushing: Promise<void> | undefined;
  const timer = setInterval(() => void flush(), retryMs);
  timer.unref();

  function flush(): Promise<void> {
    flushing ??= writeAll().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  /** Entries that come meanwhile are written too, because a set shows them to those who go through it. */
  async function writeAll(): Promise<void> {
    for (const entry of waiting) {
      try {
        await write(pool, entry);
        waiting.delete(entry);
      } catch (error) {
        log.warn({ ...describeError(error), waiting: waiting.size }, "failed runs are not recorded yet");
        // A database that does not answer takes none; one that refuses this run may take the next.
        if (databaseTrouble(error) !== "refused") return;
      }
    }
  }

  return {
    async record(origin, run, candidates) {
      const [oldest] = waiting;
      if (oldest && waiting.size >= maxQueued) {
        waiting.delete(oldest);
        log.error("too many failed runs wait to be recorded; the oldest was given up");
      }
      waiting.add({
        origin,
        run: { ...run, results: [] },
        candidates: candidates
          .slice(0, maxKeptFailures)
          .map(({ position, reference, key }) => ({ position, reference, key })),
      });
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

async function write(pool: pg.Pool, { origin, run, candidates }: Entry): Promise<void> {
  await transaction(pool, async (client) => {
    // If the run turns out to have been committed after all, it stands as it is.
    if (!(await writeRun(client, origin, run, { [ReasonCode.InternalError]: run.failedCount }))) return;
    const outcomes = candidates.map(unstored);
    await writeExceptions(client, origin.organizationId, run.referenceUuid, candidates, outcomes, new Map());
  });
}
