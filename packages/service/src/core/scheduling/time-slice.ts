/** While small requests are in flight: each needs about a dozen turns of the event loop, and waits in every one. */
export const busySliceMs = 0.5;
/** The first slice of a loop. It is longer, because most of an ordinary batch fits into it. */
export const firstSliceMs = 2;
/** While no small request is in flight. Shorter slices would cost an eighth of the time of a batch of 500. */
export const idleSliceMs = 4;
/** How long a small request counts as in flight. Most are answered within this time. */
export const smallRequestMs = 100;

let smallRequestAtMs = Number.NEGATIVE_INFINITY;

/** Shortens the slices of all loops because a small request has arrived. */
export function shortenSlices(nowMs = performance.now()): void {
  smallRequestAtMs = nowMs;
}

/** Keeps a long loop from blocking the event loop: `if (slice.isSpent) await slice.giveWay()`. */
export class TimeSlice {
  readonly #nowMs: () => number;
  #sinceMs: number;
  #sliceMs = firstSliceMs;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  get isSpent(): boolean {
    const nowMs = this.#nowMs();
    const workedMs = nowMs - this.#sinceMs;
    if (workedMs <= this.#sliceMs) return false;
    return workedMs > idleSliceMs || nowMs - smallRequestAtMs < smallRequestMs;
  }

  async giveWay(): Promise<void> {
    await nextEventLoopTurn();
    this.#sinceMs = this.#nowMs();
    this.#sliceMs = busySliceMs;
  }
}

/**
 * The loops that have yielded. One of them continues per turn of the event loop: if all did, ten large bodies would block
 * it ten times as long as one.
 */
const resting: (() => void)[] = [];

function nextEventLoopTurn(): Promise<void> {
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
