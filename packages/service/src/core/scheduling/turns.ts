import { Refused } from "../refusals/refused.js";

/**
 * Who may work at the same time: at most `perKey` of one organization and `overall` in total. The others wait in the
 * order of their arrival, but nobody waits behind an organization that is busy with itself. Waiting is bounded in
 * number and in time; beyond it a request is refused as overloaded, with nothing done. An organization has as many of
 * the places to wait as it leaves free: half of them if it is alone, and however many are busy, another finds one.
 */
export interface TurnLimits {
  perKey: number;
  overall: number;
  /** How many of the overall number are kept for organizations that have no turn yet. */
  forNewcomers?: number;
  maxWaiting: number;
  maxWaitMs: number;
}

interface Waiting {
  key: string;
  start(): void;
}

export class Turns {
  readonly #limits: TurnLimits;
  readonly #busy = new Map<string, number>();
  #waiting: Waiting[] = [];
  #running = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async take<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leave = await this.enter(key, signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Resolves when it is this caller's turn, with the function that ends it. `signal` gives up waiting. */
  async enter(key: string, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw new Refused("overloaded");
    if (this.#mayStart(key)) this.#start(key);
    else await this.#wait(key, signal);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave(key);
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

  #leave(key: string): void {
    this.#running -= 1;
    const others = (this.#busy.get(key) ?? 1) - 1;
    if (others > 0) this.#busy.set(key, others);
    else this.#busy.delete(key);
    const next = this.#waiting.findIndex((entry) => this.#mayStart(entry.key));
    if (next !== -1) this.#waiting.splice(next, 1)[0]?.start();
  }
}
