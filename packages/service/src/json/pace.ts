import { setImmediate } from "node:timers/promises";

/** After this long the event loop gets a turn, so that a large body delays nobody else for longer. */
const turnMs = 10;

/** Keeps a long loop from holding the event loop: it rests whenever that is due. */
export class Pace {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since > turnMs;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
