/** How fast an upload is processed, its rests included: rows, or imports that are undone, per second. */
export class Speedometer {
  readonly #first: number;
  readonly #sinceMs = performance.now();

  constructor(first: number) {
    this.#first = first;
  }

  perSecond(done: number): number {
    return ((done - this.#first) * 1_000) / Math.max(1, performance.now() - this.#sinceMs);
  }
}
