/** Of keys that nobody knows, on one instance. */
const maxQuestionsPerSecond = 50;

/**
 * Whether a key that was never met may have a limit of its own is looked up, also at an address that is refused already;
 * but invented keys cost nothing to make, so only so many of them are looked up.
 */
export class StrangersQuestions {
  #left = maxQuestionsPerSecond;
  #untilMs = 0;

  mayAsk(): boolean {
    const now = performance.now();
    if (now >= this.#untilMs) {
      this.#left = maxQuestionsPerSecond;
      this.#untilMs = now + 1_000;
    }
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}
