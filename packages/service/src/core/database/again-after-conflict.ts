import { databaseTrouble } from "./sqlstate.js";

const maxAttempts = 3;

/**
 * Does `work` again if it collided with other work and was undone for it, as in a deadlock. Our own statements take their
 * locks in one order; those of an operator's session need not.
 */
export async function againAfterConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || databaseTrouble(error) !== "conflict") throw error;
    }
  }
}
