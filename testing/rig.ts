import { appendFileSync } from "node:fs";
import { isLong, newSeed } from "./seed.js";

export { isLong } from "./seed.js";

/**
 * Shared parts of the long-running tests: a seed that is printed and can be passed in again, a short and a long form, and
 * a line on the results page. Only the tests read these variables: RIGS=long, RIG_SEED=number, RIG_RESULTS=file.
 */
export interface Rig {
  seed: number;
  random: Random;
  /** Records what was done, after it passed. The key describes the number, as in "requests answered". */
  held(facts: Record<string, number | string>): void;
}

/** `npm run rigs` uses the larger number. */
export function amount(short: number, long: number): number {
  return isLong ? long : short;
}

export function startRig(name: string): Rig {
  const seed = newSeed();
  const begunMs = performance.now();
  console.log(`rig ${name}: RIG_SEED=${seed}`);
  return {
    seed,
    random: new Random(seed),
    held(facts) {
      const seconds = Math.round((performance.now() - begunMs) / 1000);
      const told = Object.entries(facts).map(([what, value]) => `${what} ${value}`);
      console.log(`rig ${name}: held in ${seconds} s with RIG_SEED=${seed}: ${told.join(", ")}`);
      const file = process.env["RIG_RESULTS"];
      if (file) appendFileSync(file, `${JSON.stringify({ rig: name, seed, seconds, facts })}\n`);
    },
  };
}

/** The same seed gives the same choices. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** mulberry32: a number from 0 up to, but not including, 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer, including both bounds. */
  between(lowest: number, highest: number): number {
    return lowest + Math.floor(this.fraction() * (highest - lowest + 1));
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)] as T;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const rest = [...items];
    const result: T[] = [];
    while (rest.length > 0) result.push(...rest.splice(this.between(0, rest.length - 1), 1));
    return result;
  }
}
