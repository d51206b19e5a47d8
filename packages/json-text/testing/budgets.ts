import type { Budget } from "../src/pacing.js";

/** Never yields, for tests without concurrency. */
export const endlessBudget: Budget = { isSpent: false, giveWay: async () => {} };

/** Counts how often it is checked. */
export class CountingBudget implements Budget {
  looks = 0;

  get isSpent(): boolean {
    this.looks += 1;
    return false;
  }

  async giveWay(): Promise<void> {}
}
