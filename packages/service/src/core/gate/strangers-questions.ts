/** How many unknown keys one instance looks up in a second. */
const maxQuestionsPerSecond = 50;

/**
 * A key that this instance does not know may have a limit of its own, so it is looked up even where its address is
 * full. Invented keys cost nothing to make, so only so many are looked up in a second.
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
