import { maxKeptFailures, type ImportRun } from "@gatehouse/contract";
import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { transaction } from "../database/transaction.js";
import type { Candidate } from "./candidate.js";
import { unstored } from "./report.js";
import { writeExceptions, writeRun, type RunOrigin } from "./write.js";

/**
 * A run that failed as a whole is recorded as soon as the database answers: at once if it does, otherwise from a
 * bounded queue in memory that is tried again until it does.
 */
export interface FailedRuns {
  record(origin: RunOrigin, run: ImportRun, candidates: readonly Candidate[]): Promise<void>;
  close(): Promise<void>;
}

interface Entry {
  origin: RunOrigin;
  run: ImportRun;
  /** What the exceptions need of the candidates; their bodies must not be held until the database is back. */
  candidates: Pick<Candidate, "position" | "reference" | "key">[];
}

const maxQueued = 1_000;
const retryMs = 1_000;
/** The caller waits no longer than this for the first try. */
const firstTryMs = 2_000;

export function recordFailedRuns(pool: pg.Pool, log: FastifyBaseLogger): FailedRuns {
  let queue: Entry[] = [];
  let isFlushing = false;
  const timer = setInterval(() => void flush(), retryMs);
  timer.unref();

  async function flush(): Promise<void> {
    if (isFlushing) return;
    isFlushing = true;
    try {
      for (let entry = queue[0]; entry; entry = queue[0]) {
        await write(pool, entry);
        queue.shift();
      }
    } catch (error) {
      log.warn({ err: error, waiting: queue.length }, "failed runs are not recorded yet");
    } finally {
      isFlushing = false;
    }
  }

  return {
    async record(origin, run, candidates) {
      if (queue.length >= maxQueued) {
        queue.shift();
        log.error("too many failed runs wait to be recorded; the oldest was given up");
      }
      queue.push({
        origin,
        run,
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
      queue = [];
    },
  };
}

async function write(pool: pg.Pool, { origin, run, candidates }: Entry): Promise<void> {
  await transaction(pool, async (client) => {
    // If the run turns out to have been committed after all, it stands as it is.
    if (!(await writeRun(client, origin, run))) return;
    const outcomes = candidates.map(unstored);
    await writeExceptions(client, origin.organizationId, run.referenceUuid, candidates, outcomes, new Map());
  });
}
