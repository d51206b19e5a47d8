/**
 * How long a loop may run while small requests are on their way. Each of these needs about a dozen turns of the event
 * loop, and would wait for every one.
 */
export const turnMs = 0.5;
/** How long it may run at first: much of an ordinary batch is done by then, and sooner in one piece. */
export const firstTurnMs = 2;
/**
 * How long it may run while no small request is on its way. More turns would only cost time, an eighth of what a batch
 * of 500 takes.
 */
export const unhurriedTurnMs = 4;
/** How long a small request counts as being on its way. Most are answered within this time. */
export const hurryMs = 100;

let hurriedAtMs = Number.NEGATIVE_INFINITY;

/** A small request has come. While it is on its way, whatever takes long gives way often. */
export function noteSmallRequest(nowMs = performance.now()): void {
  hurriedAtMs = nowMs;
}

/** Keeps a long loop from holding the event loop: it gives way whenever its budget is spent. */
export class YieldBudget {
  readonly #nowMs: () => number;
  #sinceMs: number;
  #turnMs = firstTurnMs;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  get isSpent(): boolean {
    const nowMs = this.#nowMs();
    const workedMs = nowMs - this.#sinceMs;
    if (workedMs <= this.#turnMs) return false;
    return workedMs > unhurriedTurnMs || nowMs - hurriedAtMs < hurryMs;
  }

  async giveWay(): Promise<void> {
    await turnOfTheLoop();
    this.#sinceMs = this.#nowMs();
    this.#turnMs = turnMs;
  }
}

/**
 * The loops that have given way. Only one of them goes on in each turn of the event loop: if all did, ten large bodies would
 * hold it ten times as long as one.
 */
const resting: (() => void)[] = [];

function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => {
    resting.push(resolve);
    if (resting.length === 1) setImmediate(goOn);
  });
}

function goOn(): void {
  const [next] = resting.splice(0, 1);
  if (resting.length > 0) setImmediate(goOn);
  next?.();
}
