import { Refused } from "../refusals/refused.js";

export interface SemaphoreLimits {
  /** Permits of one key, such as an organization. */
  perKey: number;
  overall: number;
  /** How many of the overall permits are reserved for keys that hold none. */
  forNewcomers?: number;
  maxWaiting: number;
  maxWaitMs: number;
}

interface Waiting {
  key: string;
  start(): void;
}

/**
 * Limits concurrent work per key and overall. Callers wait in the order of their arrival, but not behind a key that has
 * reached its limit. A caller that would exceed the waiting limits is rejected as overloaded. A key may take at most half
 * of the free places in the queue.
 */
export class KeyedSemaphore {
  readonly #limits: SemaphoreLimits;
  readonly #busy = new Map<string, number>();
  #waiting: Waiting[] = [];
  #running = 0;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(key, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Resolves with the function that releases the permit. `signal` ends the wait. */
  async acquire(key: string, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw new Refused("overloaded");
    if (this.#mayStart(key)) this.#start(key);
    else await this.#wait(key, signal);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#release(key);
    };
  }

  #wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    const free = this.#limits.maxWaiting - this.#waiting.length;
    const taken = this.#waiting.filter((other) => other.key === key).length;
    if (taken >= free) throw new Refused("overloaded");
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting = this.#waiting.filter((other) => other !== entry);
        reject(new Refused("overloaded"));
      };
      const timer = setTimeout(giveUp, this.#limits.maxWaitMs);
      signal?.addEventListener("abort", giveUp, { once: true });
      const entry: Waiting = {
        key,
        start: () => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", giveUp);
          this.#start(key);
          resolve();
        },
      };
      this.#waiting.push(entry);
    });
  }

  #mayStart(key: string): boolean {
    const { perKey, overall, forNewcomers = 0 } = this.#limits;
    const busy = this.#busy.get(key) ?? 0;
    return busy < perKey && this.#running < (busy === 0 ? overall : overall - forNewcomers);
  }

  #start(key: string): void {
    this.#running += 1;
    this.#busy.set(key, (this.#busy.get(key) ?? 0) + 1);
  }

  #release(key: string): void {
    this.#running -= 1;
    const others = (this.#busy.get(key) ?? 1) - 1;
    if (others > 0) this.#busy.set(key, others);
    else this.#busy.delete(key);
    const next = this.#waiting.findIndex((entry) => this.#mayStart(entry.key));
    if (next !== -1) this.#waiting.splice(next, 1)[0]?.start();
  }
}
