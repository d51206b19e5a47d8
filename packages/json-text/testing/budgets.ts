import type { Budget } from "../src/pacing.js";

/** For tests that nobody waits for. */
export const endlessBudget: Budget = { isSpent: false, giveWay: async () => {} };

/** Counts how often it is looked at. */
export class CountingBudget implements Budget {
  looks = 0;

  get isSpent(): boolean {
    this.looks += 1;
    return false;
  }

  async giveWay(): Promise<void> {}
}
