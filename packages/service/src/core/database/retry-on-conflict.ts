import { databaseTrouble } from "./sqlstate.js";

const maxAttempts = 3;

/**
 * Retries `work` after a deadlock or a serialization failure. Our own statements take their locks in one order; an
 * operator's session may not.
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || databaseTrouble(error) !== "conflict") throw error;
    }
  }
}
