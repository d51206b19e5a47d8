import type { ReadScheduler } from "@gatehouse-parking/record-files";
import { TimeSlice } from "../../../core/scheduling/time-slice.js";
import { UnreadableFile } from "./read-file.js";

/**
 * Limits the CPU time of reading one file. The time in which the reader waits or yields is not counted, because the process
 * then works for others.
 */
export class CpuBudget implements ReadScheduler {
  readonly #slice = new TimeSlice();
  readonly #maxMs: number;
  #spentMs = 0;
  /** Concurrent waits: unpacking a file waits for its bytes and for its text independently. */
  #waits = 1;
  #since = { clockMs: 0, cpuMs: 0 };

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** Counts the time of this work, except where it waits. */
  async measure<T>(work: () => Promise<T>): Promise<T> {
    this.#resume();
    try {
      return await work();
    } finally {
      this.#pause();
    }
  }

  get isSpent(): boolean {
    return this.#slice.isSpent;
  }

  giveWay(): Promise<void> {
    return this.wait(this.#slice.giveWay());
  }

  async wait<T>(work: Promise<T>): Promise<T> {
    this.#pause();
    const result = await work.finally(() => this.#resume());
    if (this.#spentMs > this.#maxMs)
      throw new UnreadableFile(
        `The file takes more than ${Math.round(this.#maxMs / 1000)} seconds of CPU time to read, which is far more than usual for its size. Save the file again, save a spreadsheet as CSV, or split it into several files`,
      );
    return result;
  }

  #resume(): void {
    this.#waits -= 1;
    if (this.#waits === 0) this.#since = times();
  }

  #pause(): void {
    this.#waits += 1;
    if (this.#waits > 1) return;
    const { clockMs, cpuMs } = times();
    // CPU time includes other threads. Clock time includes other processes.
    this.#spentMs += Math.min(clockMs - this.#since.clockMs, cpuMs - this.#since.cpuMs);
  }
}

function times(): { clockMs: number; cpuMs: number } {
  const { user, system } = process.cpuUsage();
  return { clockMs: performance.now(), cpuMs: (user + system) / 1000 };
}
