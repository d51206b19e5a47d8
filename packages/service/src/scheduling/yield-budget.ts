/** After this long the event loop gets a turn: a small request needs a dozen of them, and would wait each time. */
export const turnMs = 0.5;
/** The first time it waits for longer: much of an ordinary batch is through by then, and done sooner in one piece. */
export const firstTurnMs = 2;
/** Where nobody wants little, each turn would only cost time: an eighth of what a batch of 500 takes. */
export const unhurriedTurnMs = 4;
/** A small request is answered within this, or nearly. */
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
