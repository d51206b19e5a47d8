import type { FastifyReply } from "fastify";
import { untilAnswered } from "../operations/answer-lifetime.js";
import { UserError } from "../refusals/user-error.js";

/**
 * Rate limits of the console per address and per user, on one instance: far above what a browser with several
 * open pages sends, and low enough that one user cannot block the others. They are counted in memory per
 * whole minute, because they only protect the service. The published limits are exact.
 */
export interface ConsoleLimits {
  /** An office may share an address. Counted before any lookup. */
  address: CallerLimits;
  person: CallerLimits;
}

export interface CallerLimits {
  perMinute: number;
  /** Requests that wait at the same time. */
  atOnce: number;
}

export const publishedConsoleLimits: ConsoleLimits = {
  address: { perMinute: 3_000, atOnce: 100 },
  person: { perMinute: 600, atOnce: 20 },
};

const minuteMs = 60_000;
const maxCallers = 10_000;
const nextMomentSeconds = 1;

interface Caller {
  sinceMs: number;
  requests: number;
  atOnce: number;
}

export class CallerBudget {
  readonly #limits: CallerLimits;
  readonly #callers = new Map<string, Caller>();

  constructor(limits: CallerLimits) {
    this.#limits = limits;
  }

  /** Counts a request until it is answered, or rejects it with 429. */
  enter(name: string, reply: FastifyReply): void {
    const caller = this.#find(name);
    const leftMs = caller.sinceMs + minuteMs - performance.now();
    if (caller.requests >= this.#limits.perMinute) refuse(Math.ceil(leftMs / 1_000));
    if (caller.atOnce >= this.#limits.atOnce) refuse(nextMomentSeconds);
    caller.requests += 1;
    caller.atOnce += 1;
    const over = untilAnswered(reply);
    const leave = (): void => void (caller.atOnce -= 1);
    if (over.aborted) leave();
    else over.addEventListener("abort", leave, { once: true });
  }

  #find(name: string): Caller {
    const nowMs = performance.now();
    const known = this.#callers.get(name);
    const caller = known ?? { sinceMs: nowMs, requests: 0, atOnce: 0 };
    if (nowMs >= caller.sinceMs + minuteMs) Object.assign(caller, { sinceMs: nowMs, requests: 0 });
    if (known) return known;
    if (this.#callers.size >= maxCallers) this.#callers.delete(this.#callers.keys().next().value as string);
    this.#callers.set(name, caller);
    return caller;
  }
}

function refuse(retryAfter: number): never {
  throw new UserError("rateLimited", ["Too many requests at once. Wait a moment and try again"], {
    retryAfter: Math.max(1, retryAfter),
  });
}
