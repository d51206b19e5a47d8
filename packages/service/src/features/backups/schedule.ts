import type { FastifyBaseLogger } from "fastify";
import type { KeptBackup } from "./kept-backup.js";
import type { MadeBackup } from "./make-backup.js";
import { dueAfter, isDue, isOverdue, retryDelayMs, type BackupTiming } from "./timing.js";

export interface ScheduleParts {
  timing: BackupTiming;
  /** Milliseconds since 1970. */
  now(): number;
  /** Undefined: there is no good backup, or it is unknown. */
  findLastGood(): Promise<KeptBackup | undefined>;
  make(signal: AbortSignal): Promise<MadeBackup>;
  /** Removes files of killed processes. */
  cleanUp(): Promise<void>;
  log: Pick<FastifyBaseLogger, "info" | "warn">;
}

export interface ScheduleState {
  lastGood: KeptBackup | undefined;
  isRunning: boolean;
  /** Milliseconds since 1970. In the past: as soon as possible. */
  nextMs: number;
  /** Why the attempts since the last good backup failed. */
  failure: BackupFailure | undefined;
  isOverdue: boolean;
}

export interface BackupFailure {
  atMs: number;
  message: string;
  /** In a row. */
  attempts: number;
}

/** How often to check whether a backup is due. Checking against the clock each time tolerates clocks that are set. */
const checkIntervalMs = 20_000;
const maxMessageLength = 500;

/** Makes backups when they are due. Failures are logged and retried without limit. */
export class BackupSchedule {
  readonly #parts: ScheduleParts;
  #startedMs: number;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #isRunning = false;
  #lastGood: KeptBackup | undefined;
  #failure: BackupFailure | undefined;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
    this.#startedMs = parts.now();
  }

  start(): void {
    this.#timer = setInterval(() => void this.check(), checkIntervalMs);
    this.#timer.unref();
    this.#checking = this.#cleanUp().finally(() => {
      this.#checking = undefined;
      void this.check();
    });
  }

  /** Makes a backup if one is due. Concurrent calls share the same check. */
  check(): Promise<void> {
    if (this.#ending.signal.aborted) return Promise.resolve();
    this.#checking ??= this.#makeIfDue().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  state(): ScheduleState {
    const nowMs = this.#parts.now();
    const lastMs = this.#lastGood && Date.parse(this.#lastGood.createdAt);
    return {
      lastGood: this.#lastGood,
      isRunning: this.#isRunning,
      nextMs: this.#nextMs(nowMs),
      failure: this.#failure,
      isOverdue: isOverdue({ lastMs, startedMs: this.#startedMs }, this.#parts.timing, nowMs),
    };
  }

  /** For the metrics. */
  figures(): { lastGoodMs: number | undefined; failedAttempts: number; isOverdue: boolean } {
    const { lastGood, failure, isOverdue: overdue } = this.state();
    const lastGoodMs = lastGood && Date.parse(lastGood.createdAt);
    return { lastGoodMs, failedAttempts: failure?.attempts ?? 0, isOverdue: overdue };
  }

  /** Stops a running backup, which removes its files. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#checking;
  }

  #nextMs(nowMs: number): number {
    if (this.#failure) return this.#failure.atMs + retryDelayMs(this.#failure.attempts);
    return dueAfter(this.#lastGood && Date.parse(this.#lastGood.createdAt), this.#parts.timing, nowMs);
  }

  /** Ignores failures, because the next backup fails for the same reason and reports it. */
  async #cleanUp(): Promise<void> {
    await this.#parts.cleanUp().catch(() => undefined);
  }

  async #makeIfDue(): Promise<void> {
    await this.#readLastGood();
    const nowMs = this.#parts.now();
    // The clock may have been set back.
    this.#startedMs = Math.min(this.#startedMs, nowMs);
    if (this.#ending.signal.aborted) return;
    if (!isDue(this.#nextMs(nowMs), this.#failure?.atMs ?? nowMs, nowMs)) return;
    this.#isRunning = true;
    try {
      const made = await this.#parts.make(this.#ending.signal);
      await this.#readLastGood();
      // Otherwise the next backup would be due at once and fill the disk.
      if (!this.#lastGood || this.#lastGood.createdAt < made.createdAt)
        throw new Error(`The backup ${made.file} was made, but it is not listed as a good backup`);
      this.#failure = undefined;
      this.#parts.log.info(
        { backup: made },
        made.triedAt ? "scheduled backup made and verified" : "scheduled backup made",
      );
    } catch (error) {
      if (!this.#ending.signal.aborted) this.#recordFailure(error as Error);
    } finally {
      this.#isRunning = false;
    }
  }

  /** Another process may have made one. */
  async #readLastGood(): Promise<void> {
    const found = await this.#parts.findLastGood().catch(() => undefined);
    const isNews = found !== undefined && found.number !== this.#lastGood?.number;
    if (isNews && this.#failure && Date.parse(found.createdAt) > this.#failure.atMs)
      this.#failure = undefined;
    this.#lastGood = found;
  }

  #recordFailure(error: Error): void {
    const attempts = (this.#failure?.attempts ?? 0) + 1;
    this.#failure = { atMs: this.#parts.now(), message: truncate(error.message), attempts };
    const retrySeconds = retryDelayMs(attempts) / 1_000;
    this.#parts.log.warn(
      { reason: error.message, attempts, retrySeconds },
      "scheduled backup failed and is retried",
    );
  }
}

function truncate(message: string): string {
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message;
}
