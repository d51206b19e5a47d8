import type { FastifyBaseLogger } from "fastify";
import type { KeptBackup } from "./kept-backup.js";
import type { MadeBackup } from "./make-backup.js";
import { dueAfter, hasCome, isOverdue, retryDelayMs, type BackupTiming } from "./timing.js";

export interface ScheduleParts {
  timing: BackupTiming;
  /** Milliseconds since 1970. */
  now(): number;
  /** The last good backup that is there. Undefined: there is none, or nobody can say. */
  findLastGood(): Promise<KeptBackup | undefined>;
  make(signal: AbortSignal): Promise<MadeBackup>;
  /** Removes what a process that was killed has left. */
  clearUp(): Promise<void>;
  log: Pick<FastifyBaseLogger, "info" | "warn">;
}

export interface ScheduleState {
  lastGood: KeptBackup | undefined;
  isRunning: boolean;
  /** Milliseconds since 1970; the past: as soon as possible. */
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

/** How often to look whether it is time. Looking anew each time, and counting nothing, withstands clocks that are set. */
const lookIntervalMs = 20_000;
const maxMessageLength = 500;

/** Makes backups when it is time, one after the other, and never gives up. What goes wrong is told, and ends nothing. */
export class BackupSchedule {
  readonly #parts: ScheduleParts;
  #startedMs: number;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isRunning = false;
  #lastGood: KeptBackup | undefined;
  #failure: BackupFailure | undefined;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
    this.#startedMs = parts.now();
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), lookIntervalMs);
    this.#timer.unref();
    this.#looking = this.#clearUp().finally(() => {
      this.#looking = undefined;
      void this.look();
    });
  }

  /** Looks whether it is time, and if so makes a backup. Whoever looks meanwhile waits for the same. */
  look(): Promise<void> {
    if (this.#ending.signal.aborted) return Promise.resolve();
    this.#looking ??= this.#makeIfDue().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
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

  /** Ends a backup that is being made, which then leaves nothing behind. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#looking;
  }

  #nextMs(nowMs: number): number {
    if (this.#failure) return this.#failure.atMs + retryDelayMs(this.#failure.attempts);
    return dueAfter(this.#lastGood && Date.parse(this.#lastGood.createdAt), this.#parts.timing, nowMs);
  }

  /** Whatever is in its way is in the way of the next backup too, which tells. */
  async #clearUp(): Promise<void> {
    await this.#parts.clearUp().catch(() => undefined);
  }

  async #makeIfDue(): Promise<void> {
    await this.#lookForNews();
    const nowMs = this.#parts.now();
    // After a clock that was set back, it counts from there.
    this.#startedMs = Math.min(this.#startedMs, nowMs);
    if (this.#ending.signal.aborted) return;
    if (!hasCome(this.#nextMs(nowMs), this.#failure?.atMs ?? nowMs, nowMs)) return;
    this.#isRunning = true;
    try {
      const made = await this.#parts.make(this.#ending.signal);
      await this.#lookForNews();
      // Otherwise it would be time again at once, and the disk be filled with backups that nobody sees.
      if (!this.#lastGood || this.#lastGood.createdAt < made.createdAt)
        throw new Error(`The backup ${made.file} was made, but is not found among the good ones`);
      this.#failure = undefined;
      this.#parts.log.info(
        { backup: made },
        made.triedAt ? "a backup was made and restored once" : "a backup was made",
      );
    } catch (error) {
      if (!this.#ending.signal.aborted) this.#note(error as Error);
    } finally {
      this.#isRunning = false;
    }
  }

  /** Another process may have made one. */
  async #lookForNews(): Promise<void> {
    const found = await this.#parts.findLastGood().catch(() => undefined);
    const isNews = found !== undefined && found.number !== this.#lastGood?.number;
    if (isNews && this.#failure && Date.parse(found.createdAt) > this.#failure.atMs)
      this.#failure = undefined;
    this.#lastGood = found;
  }

  #note(error: Error): void {
    const attempts = (this.#failure?.attempts ?? 0) + 1;
    this.#failure = { atMs: this.#parts.now(), message: inBounds(error.message), attempts };
    const retrySeconds = retryDelayMs(attempts) / 1_000;
    this.#parts.log.warn(
      { reason: error.message, attempts, retrySeconds },
      "a backup failed and is tried again",
    );
  }
}

function inBounds(message: string): string {
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message;
}
