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
  dismiss,
  extendLease,
  giveBack,
  leaseSeconds,
  withdraw,
  type Claim,
} from "../queue.js";
import { cleanUp } from "../cleanup.js";
import { type UploadResult, processUpload, type ProcessingParts } from "./process-upload.js";
import { UploadLost } from "./progress.js";

export interface WorkerParts extends Omit<ProcessingParts, "pause" | "signal" | "undoDays"> {
  log: Log;
}

/** Each holds a connection, a batch and, of a spreadsheet, the packed file. */
const atOnce = 2;
const pollMs = 2_000;
const tidyMs = 60_000;
const extendMs = (leaseSeconds * 1_000) / 3;
/** After trouble that may pass. */
const againAfterSeconds = 5;

/**
 * Works on uploads, those of all organizations in turn, for as long as there are any. Every instance has one; they find
 * each other's work in the database.
 */
export class UploadWorker {
  readonly #parts: WorkerParts;
  readonly #stopping = new AbortController();
  readonly #working = new Set<Promise<void>>();
  #taken = 0;
  #isSlowPlaceTaken = false;
  #waiting = 0;
  #timers: NodeJS.Timeout[] = [];

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  /** Uploads that this instance works on. */
  get taken(): number {
    return this.#taken;
  }

  /** Uploads that wait for any instance, as they were counted when it was last tidied up. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Looks for work from now on, until it is closed. */
  start(): void {
    this.#timers = [
      setInterval(() => void this.#lookForWork(), pollMs),
      setInterval(() => void this.tidy(), tidyMs),
    ];
    for (const timer of this.#timers) timer.unref();
    void this.#lookForWork();
  }

  /** There may be something to do on this instance. */
  wake(): void {
    if (this.#timers.length > 0) void this.#lookForWork();
  }

  /** Works until nothing is to be done at this moment. */
  async workThrough(): Promise<void> {
    while (await this.#workOnce());
  }

  /** Deletes what is no longer kept. */
  async tidy(): Promise<void> {
    const { pool, settings, log } = this.#parts;
    try {
      await cleanUp(pool, settings);
      this.#waiting = await countWaiting(pool);
    } catch (error) {
      log.warn({ err: error }, "uploads were not tidied up");
    }
  }

  /** Batches at hand are finished, and the uploads given back. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#stopping.abort(new UploadLost());
    await Promise.all(this.#working);
  }

  async #lookForWork(): Promise<void> {
    if (this.#working.size >= atOnce || this.#stopping.signal.aborted) return;
    const working = this.workThrough()
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, "no uploads could be looked for"))
      .finally(() => this.#working.delete(working));
    this.#working.add(working);
    await working;
  }

  /** False: there was nothing to do. */
  async #workOnce(): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false;
    const claimed = await this.#claim();
    if (!claimed) return false;
    const lost = new AbortController();
    const stopExtending = this.#keepExtending(claimed, lost);
    this.#taken += 1;
    try {
      await this.#workOn(claimed, AbortSignal.any([this.#stopping.signal, lost.signal]));
    } finally {
      this.#taken -= 1;
      if (isSlow(claimed)) this.#isSlowPlaceTaken = false;
      stopExtending();
    }
    return true;
  }

  /** Uploads that got no further the last time share one place, so that others never wait for several of them. */
  async #claim(): Promise<Claim | undefined> {
    const mayBeSlow = !this.#isSlowPlaceTaken;
    if (mayBeSlow) this.#isSlowPlaceTaken = true;
    let claimed: Claim | undefined;
    try {
      claimed = await claim(this.#parts.pool, randomUUID(), { mayBeSlow });
      return claimed;
    } finally {
      if (mayBeSlow && !(claimed && isSlow(claimed))) this.#isSlowPlaceTaken = false;
    }
  }

  async #workOn(claimed: Claim, signal: AbortSignal): Promise<void> {
    const { pool, log, settings } = this.#parts;
    const about = { uploadId: claimed.uploadId, organizationId: claimed.organizationId };
    try {
      const pause = (ms: number) => pauseUnless(signal, ms);
      const parts = { ...this.#parts, undoDays: settings.undoDays, pause, signal };
      await this.#end(claimed, await processUpload(parts, claimed));
    } catch (error) {
      const isLost = error instanceof UploadLost;
      if (!isLost) log.warn({ ...about, err: error }, "the work on an upload was broken off");
      // Whose lease it is by now is looked at by the statement itself.
      await giveBack(pool, claimed, {
        afterSeconds: isLost ? 0 : againAfterSeconds,
        isCounted: !isLost && !isTroubleOfOurs(error),
      }).catch((other: unknown) => log.warn({ ...about, err: other }, "an upload was not given back"));
    }
  }

  async #end(claimed: Claim, ended: UploadResult): Promise<void> {
    const { pool, settings } = this.#parts;
    if (ended.end === "given back")
      return giveBack(pool, claimed, { afterSeconds: 0, isCounted: ended.isCounted });
    if (ended.end === "withdrawn") return withdraw(pool, claimed);
    await transaction(pool, async (client) => {
      const isOurs = await (ended.end === "finished"
        ? finish(client, claimed)
        : stop(client, claimed, ended.problem));
      if (!isOurs) throw new UploadLost();
      await dismiss(client, claimed, settings.uploadKeptDays);
    });
  }

  /** For as long as work goes on, so that nobody else begins with it. What is not to be extended any more is lost. */
  #keepExtending(claimed: Claim, lost: AbortController): () => void {
    const timer = setInterval(() => {
      extendLease(this.#parts.pool, claimed).then(
        (isOurs) => isOurs || lost.abort(new UploadLost()),
        (error: unknown) => this.#parts.log.warn({ err: error }, "the lease of an upload was not extended"),
      );
    }, extendMs);
    timer.unref();
    return () => clearInterval(timer);
  }
}

/** Whether it was begun before without getting any further. */
function isSlow({ claims }: Claim): boolean {
  return claims > 1;
}

/**
 * The service is busy, or its database away: that would happen to any upload, and passes by itself. What takes the database
 * too long may be due to this upload.
 */
function isTroubleOfOurs(error: unknown): boolean {
  if (isCancelled(error)) return false;
  if (error instanceof Refused || error instanceof CommitOutcomeUnknown) return true;
  const trouble = databaseTrouble(error);
  return trouble === "unavailable" || trouble === "conflict";
}

/** An import needs its file no more; a check is followed by one. An undo says nothing new about the file. */
async function finish(client: pg.PoolClient, { organizationId, uploadId, holder }: Claim): Promise<boolean> {
  const { rowCount } = await client.query(
    `update uploads set state = 'finished', holder = null, is_file_kept = pass = 'check', changed_at = now(),
       total_rows = case when pass = 'undo' then total_rows else decided_rows end,
       read_bytes = case when pass = 'undo' then read_bytes else size_bytes end
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
    // Whatever the file holds may be quoted in it.
    [organizationId, uploadId, holder, problem.slice(0, maxProblemLength).replaceAll("\0", "\ufffd")],
  );
  return rowCount === 1;
}

function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
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
