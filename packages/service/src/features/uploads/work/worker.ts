import type { UploadWait } from "@gatehouse-parking/contract/console";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { databaseTrouble, isCancelled } from "../../../core/database/sqlstate.js";
import { transaction } from "../../../core/database/transaction.js";
import type { Log } from "../../../core/logger.js";
import { CommitOutcomeUnknown } from "../../../core/imports/commit-outcome.js";
import { Refused } from "../../../core/refusals/refused.js";
import { maxProblemLength } from "../limits.js";
import {
  claim,
  countWaiting,
  dequeue,
  dequeueClaimed,
  extendLease,
  leaseSeconds,
  releaseClaim,
  type Claim,
} from "../queue.js";
import { cleanUp } from "../cleanup.js";
import { type UploadResult, processUpload, type ProcessingParts } from "./process-upload.js";
import { LeaseLost } from "./progress.js";
import { restMs } from "./rest.js";

export interface WorkerParts extends Omit<ProcessingParts, "rest" | "signal" | "undoDays"> {
  log: Log;
}

/** Each upload in progress uses a connection and holds a batch and, for spreadsheets, the packed file in memory. */
const maxActive = 2;
const pollMs = 2_000;
const cleanupMs = 60_000;
const extendMs = (leaseSeconds * 1_000) / 3;
const retrySeconds = 5;

/** Processes uploads of all organizations. Every instance has a worker, and they share the queue in the database. */
export class UploadWorker {
  readonly #parts: WorkerParts;
  readonly #stopping = new AbortController();
  readonly #working = new Set<Promise<void>>();
  #active = 0;
  #isSlowUploadActive = false;
  #waiting = 0;
  #timers: NodeJS.Timeout[] = [];

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  /** Uploads in progress on this instance. */
  get taken(): number {
    return this.#active;
  }

  /** Uploads in the queue of all instances, counted at the last cleanup. */
  get waiting(): number {
    return this.#waiting;
  }

  start(): void {
    this.#timers = [
      setInterval(() => void this.#poll(), pollMs),
      setInterval(() => void this.cleanUp(), cleanupMs),
    ];
    for (const timer of this.#timers) timer.unref();
    void this.#poll();
  }

  /** Looks for work now instead of at the next poll. */
  wake(): void {
    if (this.#timers.length > 0) void this.#poll();
  }

  async runUntilIdle(): Promise<void> {
    while (await this.#processNext());
  }

  async cleanUp(): Promise<void> {
    const { pool, settings, log } = this.#parts;
    try {
      await cleanUp(pool, settings);
      this.#waiting = await countWaiting(pool);
    } catch (error) {
      log.warn({ err: error }, "upload cleanup failed");
    }
  }

  /** Finishes the current batches and returns the uploads to the queue. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#stopping.abort(new LeaseLost());
    await Promise.all(this.#working);
  }

  async #poll(): Promise<void> {
    if (this.#working.size >= maxActive || this.#stopping.signal.aborted) return;
    const working = this.runUntilIdle()
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, "looking for uploads failed"))
      .finally(() => this.#working.delete(working));
    this.#working.add(working);
    await working;
  }

  /** Returns false if no upload waits. */
  async #processNext(): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false;
    const claimed = await this.#claim();
    if (!claimed) return false;
    const lost = new AbortController();
    const stopExtending = this.#keepExtending(claimed, lost);
    this.#active += 1;
    try {
      await this.#process(claimed, AbortSignal.any([this.#stopping.signal, lost.signal]));
    } finally {
      this.#active -= 1;
      if (isSlow(claimed)) this.#isSlowUploadActive = false;
      stopExtending();
    }
    return true;
  }

  /** At most one upload whose last attempt made no progress is active, so that others always have a slot. */
  async #claim(): Promise<Claim | undefined> {
    const mayBeSlow = !this.#isSlowUploadActive;
    if (mayBeSlow) this.#isSlowUploadActive = true;
    let claimed: Claim | undefined;
    try {
      claimed = await claim(this.#parts.pool, randomUUID(), { mayBeSlow });
      return claimed;
    } finally {
      if (mayBeSlow && !(claimed && isSlow(claimed))) this.#isSlowUploadActive = false;
    }
  }

  async #process(claimed: Claim, signal: AbortSignal): Promise<void> {
    const { pool, log, settings } = this.#parts;
    const about = { uploadId: claimed.uploadId, organizationId: claimed.organizationId };
    try {
      const rest = (workedMs: number) => delayUnless(signal, restMs(workedMs, this.#active));
      const parts = { ...this.#parts, undoDays: settings.undoDays, rest, signal };
      await this.#end(claimed, await processUpload(parts, claimed));
    } catch (error) {
      const isLost = error instanceof LeaseLost;
      if (!isLost) log.warn({ ...about, err: error }, "upload processing failed");
      // The statement changes nothing if another instance has the lease.
      await releaseClaim(pool, claimed, {
        afterSeconds: isLost ? 0 : retrySeconds,
        isCounted: !isLost && !isServiceError(error),
        waitsFor: isLost ? null : waitReason(error),
      }).catch((other: unknown) =>
        log.warn({ ...about, err: other }, "returning an upload to the queue failed"),
      );
    }
  }

  async #end(claimed: Claim, ended: UploadResult): Promise<void> {
    const { pool, settings } = this.#parts;
    if (ended.end === "released")
      return releaseClaim(pool, claimed, { afterSeconds: 0, isCounted: ended.isCounted });
    if (ended.end === "dropped") return dequeueClaimed(pool, claimed);
    await transaction(pool, async (client) => {
      const isOurs = await (ended.end === "finished"
        ? finish(client, claimed)
        : stop(client, claimed, ended.problem));
      if (!isOurs) throw new LeaseLost();
      await dequeue(client, claimed, settings.uploadKeptDays);
    });
  }

  /** Aborts `lost` when the lease cannot be extended. */
  #keepExtending(claimed: Claim, lost: AbortController): () => void {
    const timer = setInterval(() => {
      extendLease(this.#parts.pool, claimed).then(
        (isOurs) => isOurs || lost.abort(new LeaseLost()),
        (error: unknown) => this.#parts.log.warn({ err: error }, "extending an upload lease failed"),
      );
    }, extendMs);
    timer.unref();
    return () => clearInterval(timer);
  }
}

/** Whether an earlier attempt made no progress. */
function isSlow({ claims }: Claim): boolean {
  return claims > 1;
}

/**
 * The service is busy or its database unavailable, which does not depend on the upload. A statement that takes too long may be due
 * to the upload.
 */
function isServiceError(error: unknown): boolean {
  if (isCancelled(error)) return false;
  if (error instanceof Refused || error instanceof CommitOutcomeUnknown) return true;
  const trouble = databaseTrouble(error);
  return trouble === "unavailable" || trouble === "conflict";
}

/** Why an upload has to wait after this error. Null: the file caused it. */
function waitReason(error: unknown): UploadWait | null {
  if (!isServiceError(error)) return null;
  return error instanceof Refused && error.refusal === "overloaded" ? "partners" : "database";
}

/** An import no longer needs the file. A check may be followed by an import, so its file is kept. */
async function finish(client: pg.PoolClient, { organizationId, uploadId, holder }: Claim): Promise<boolean> {
  const { rowCount } = await client.query(
    `update uploads set state = 'finished', holder = null, is_file_kept = pass = 'check', changed_at = now()
     where organization_id = $1 and id = $2 and holder = $3 and state = 'working'`,
    [organizationId, uploadId, holder],
  );
  return rowCount === 1;
}

async function stop(
  client: pg.PoolClient,
  { organizationId, uploadId, holder }: Claim,
  problem: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update uploads set state = 'stopped', holder = null, problem = $4, changed_at = now()
     where organization_id = $1 and id = $2 and holder = $3 and state = 'working'`,
    // The message may quote any character of the file.
    [organizationId, uploadId, holder, problem.slice(0, maxProblemLength).replaceAll("\0", "\ufffd")],
  );
  return rowCount === 1;
}

function delayUnless(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    }
  });
}
