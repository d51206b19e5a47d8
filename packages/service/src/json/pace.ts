/** After this long the event loop gets a turn, so that a large body delays nobody else for longer. */
const turnMs = 5;

/** Keeps a long loop from holding the event loop: it rests whenever that is due. */
export class Pace {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since > turnMs;
  }

  async rest(): Promise<void> {
    await turnOfTheLoop();
    this.#since = performance.now();
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
