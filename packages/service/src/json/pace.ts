/** After this long the event loop gets a turn: a small import needs a dozen of them, and would wait each time. */
const turnMs = 0.5;
/** The first time it waits for longer: much of an ordinary batch is through by then, and done sooner in one piece. */
const firstTurnMs = 2;

/** Keeps a long loop from holding the event loop: it rests whenever that is due. */
export class Pace {
  #since = performance.now();
  #turnMs = firstTurnMs;

  get isDue(): boolean {
    return performance.now() - this.#since > this.#turnMs;
  }

  async rest(): Promise<void> {
    await turnOfTheLoop();
    this.#since = performance.now();
    this.#turnMs = turnMs;
  }
}

/**
 * The loops that rest now. Only one of them goes on in each turn of the event loop: if all did, ten large bodies would
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
