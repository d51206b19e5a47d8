import { randomBytes } from "node:crypto";
import { firstIdAt } from "../../../core/paging/pages.js";

/** Returns the same numbers in every run, so that all demos are identical. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return this.#state / 4_294_967_296;
  }

  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)] as T;
  }
}

/** A UUIDv7 with this timestamp. */
export function idMadeAt(ms: number): string {
  const random = randomBytes(10).toString("hex");
  return `${firstIdAt(new Date(ms)).slice(0, 14)}7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}
