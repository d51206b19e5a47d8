import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { InjectOptions } from "fastify";
import type { TestApp } from "../harness.js";
import { longestHold } from "../longest-hold.js";
import type { Attack, Target } from "./attacks.js";

/** The worst results of many requests. */
export interface Worst {
  requests: number;
  statuses: Record<number, number>;
  holdMs: number;
  heldBy: string;
  /** Including garbage. */
  heapMegabytes: number;
}

export interface HostileLimits {
  maxHoldMs: number;
  /** Compared to before the first request. */
  maxHeapMegabytes: number;
}

/** The best of these counts, because the garbage collector may pause any of them. */
const tries = 3;
const shownCharacters = 300;
const megabyte = 1024 ** 2;
/** The number of pino's error level. */
const errorLevel = 50;

/** Sends attacks one after the other and records problems: a 5xx, a logged error, a blocked event loop. */
export class Judge {
  readonly #gatehouse: TestApp;
  readonly #limits: HostileLimits;
  #heapBefore: number;
  readonly #findings: string[] = [];
  readonly worst: Worst = {
    requests: 0,
    statuses: {},
    holdMs: 0,
    heldBy: "nothing",
    heapMegabytes: 0,
  };

  constructor(gatehouse: TestApp, limits: HostileLimits) {
    this.#gatehouse = gatehouse;
    this.#limits = limits;
    collectGarbage();
    this.#heapBefore = heapMegabytes();
  }

  async send(target: Target, attack: Attack, headers: Record<string, string>): Promise<number> {
    const request = requestOf(target, attack, headers);
    let status = 0;
    let holdMs = Number.POSITIVE_INFINITY;
    for (let attempt = 1; attempt <= tries && holdMs > this.#limits.maxHoldMs; attempt += 1) {
      const held = await longestHold(async () => {
        status = await this.#sendOnce(attack, request);
      });
      holdMs = Math.min(holdMs, held);
    }
    if (holdMs > this.#limits.maxHoldMs)
      this.#find(attack, `held the event loop for ${Math.round(holdMs)} ms`);
    if (holdMs > this.worst.holdMs) Object.assign(this.worst, { holdMs, heldBy: attack.what });
    await this.#lookAtHeap(attack);
    return status;
  }

  async #sendOnce(attack: Attack, request: InjectOptions): Promise<number> {
    const { app, logged } = this.#gatehouse;
    logged.length = 0;
    const answer = await app.inject(request);
    const { statusCode } = answer;
    this.worst.requests += 1;
    this.worst.statuses[statusCode] = (this.worst.statuses[statusCode] ?? 0) + 1;
    const error = logged.find(({ level }) => Number(level) >= errorLevel);
    if (statusCode >= 500 || error)
      this.#find(attack, `${statusCode} ${JSON.stringify(error?.["err"] ?? answer.payload)}`);
    if (answer.headers["x-request-id"] === undefined)
      this.#find(attack, `${statusCode} without an X-Request-Id`);
    return statusCode;
  }

  /** The problems since the previous call. */
  findings(): string[] {
    return this.#findings.splice(0);
  }

  /** A value over the limit is measured again without garbage, which is not a problem. */
  async #lookAtHeap(attack: Attack): Promise<void> {
    const grown = (): number => heapMegabytes() - this.#heapBefore;
    this.worst.heapMegabytes = Math.max(this.worst.heapMegabytes, Math.round(grown()));
    if (grown() <= this.#limits.maxHeapMegabytes) return;
    await collectAllGarbage();
    if (grown() <= this.#limits.maxHeapMegabytes) return;
    this.#find(attack, `left ${Math.round(grown())} MB`);
    // So that it does not count for the next request.
    this.#heapBefore = heapMegabytes();
  }

  #find(attack: Attack, what: string): void {
    this.#findings.push(`${attack.what}: ${what.slice(0, shownCharacters)}`);
  }
}

function requestOf(target: Target, attack: Attack, headers: Record<string, string>): InjectOptions {
  const made = attack.payload?.();
  // As bytes, because encoding a text would count as the service's time.
  const payload = typeof made === "string" ? Buffer.from(made) : made;
  return {
    method: target.method,
    url: attack.url,
    headers: {
      "x-forwarded-proto": "https",
      ...(payload === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
      ...attack.headers,
    },
    ...(payload === undefined ? {} : { payload }),
  };
}

function heapMegabytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / megabyte;
}

/** Memory of buffers counts as free one turn after their collection. */
async function collectAllGarbage(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
