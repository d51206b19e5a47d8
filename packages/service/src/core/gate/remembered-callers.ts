import type { Caller } from "./gate.js";

/**
 * How long a caller whose bucket is full is recognized without the database. A limit that was raised meanwhile takes
 * this long to be noticed.
 */
const rememberedMs = 1_000;
const maxRemembered = 10_000;

/**
 * Who sent the requests that were refused a moment ago, so that the next ones of a flood are recognised, and refused,
 * without asking the database. Nothing is ever accepted from this memory.
 */
export class RememberedCallers {
  readonly #callers = new Map<string, { caller: Caller; untilMs: number }>();

  remember(keyHash: Buffer, caller: Caller): void {
    if (this.#callers.size >= maxRemembered)
      this.#callers.delete(this.#callers.keys().next().value as string);
    this.#callers.set(keyHash.toString("hex"), { caller, untilMs: performance.now() + rememberedMs });
  }

  /** Undefined once a second: that request asks whether the key still counts, while the others of the flood go on. */
  recall(keyHash: Buffer): Caller | undefined {
    const entry = this.#callers.get(keyHash.toString("hex"));
    if (!entry) return undefined;
    if (performance.now() < entry.untilMs) return entry.caller;
    entry.untilMs = performance.now() + rememberedMs;
    return undefined;
  }

  /** True even when the next request of the key has to ask the database again. */
  knows(keyHash: Buffer): boolean {
    return this.#callers.has(keyHash.toString("hex"));
  }

  forget(keyHash: Buffer): void {
    this.#callers.delete(keyHash.toString("hex"));
  }
}
