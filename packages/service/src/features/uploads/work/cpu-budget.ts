import type { ReadScheduler } from "@gatehouse-parking/record-files";
import { TimeSlice } from "../../../core/scheduling/time-slice.js";
import { UnreadableFile } from "./open-file.js";

/**
 * Counts the processor time that one file takes, and ends the reading of a file that takes too much. The time in which the reader
 * waits or gives way is not counted: the process then works for others.
 */
export class ReadingPace implements ReadScheduler {
  readonly #budget = new TimeSlice();
  readonly #maxMs: number;
  #spentMs = 0;
  /** How many wait at the moment: a file that is unpacked waits for its bytes and for its text independently. */
  #waits = 1;
  #since = { clockMs: 0, processorMs: 0 };

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** Does work that counts, except where it waits. */
  async count<T>(work: () => Promise<T>): Promise<T> {
    this.#goOn();
    try {
      return await work();
    } finally {
      this.#pause();
    }
  }

  get isSpent(): boolean {
    return this.#budget.isSpent;
  }

  giveWay(): Promise<void> {
    return this.wait(this.#budget.giveWay());
  }

  async wait<T>(work: Promise<T>): Promise<T> {
    this.#pause();
    const result = await work.finally(() => this.#goOn());
    if (this.#spentMs > this.#maxMs)
      throw new UnreadableFile(
        `The file takes more than ${Math.round(this.#maxMs / 1000)} seconds of processor time to read, which is far more than a file of its size should. Save it again, save a spreadsheet as CSV, or cut it into several files`,
      );
    return result;
  }

  #goOn(): void {
    this.#waits -= 1;
    if (this.#waits === 0) this.#since = times();
  }

  #pause(): void {
    this.#waits += 1;
    if (this.#waits > 1) return;
    const { clockMs, processorMs } = times();
    // Other threads add to the processor's time, and other processes to the clock's.
    this.#spentMs += Math.min(clockMs - this.#since.clockMs, processorMs - this.#since.processorMs);
  }
}

function times(): { clockMs: number; processorMs: number } {
  const { user, system } = process.cpuUsage();
  return { clockMs: performance.now(), processorMs: (user + system) / 1000 };
}
