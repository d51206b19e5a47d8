import type { Caller } from "./gate.js";

/** A raised limit takes this long to apply to a caller whose bucket is full. */
const recallMs = 1_000;
const maxCallers = 10_000;

/**
 * The callers of recently rejected requests, so that a flood is rejected without a query. Requests are never accepted
 * from this cache.
 */
export class RejectedCallerCache {
  readonly #callers = new Map<string, { caller: Caller; untilMs: number }>();

  remember(keyHash: Buffer, caller: Caller): void {
    if (this.#callers.size >= maxCallers) this.#callers.delete(this.#callers.keys().next().value as string);
    this.#callers.set(keyHash.toString("hex"), { caller, untilMs: performance.now() + recallMs });
  }

  /** Undefined once a second: that request checks the key in the database, while the others use the cache. */
  recall(keyHash: Buffer): Caller | undefined {
    const entry = this.#callers.get(keyHash.toString("hex"));
    if (!entry) return undefined;
    if (performance.now() < entry.untilMs) return entry.caller;
    entry.untilMs = performance.now() + recallMs;
    return undefined;
  }

  /** True even when the next request of the key has to query the database again. */
  knows(keyHash: Buffer): boolean {
    return this.#callers.has(keyHash.toString("hex"));
  }

  forget(keyHash: Buffer): void {
    this.#callers.delete(keyHash.toString("hex"));
  }
}

const maxUnknownKeysPerSecond = 50;

/**
 * A key that is not in the cache may have its own limit, so it is looked up even where its address is full. Invented
 * keys cost nothing to make, so each instance looks up a limited number per second.
 */
export class UnknownKeyLimiter {
  #left = maxUnknownKeysPerSecond;
  #untilMs = 0;

  mayLookUp(): boolean {
    const now = performance.now();
    if (now >= this.#untilMs) {
      this.#left = maxUnknownKeysPerSecond;
      this.#untilMs = now + 1_000;
    }
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}
