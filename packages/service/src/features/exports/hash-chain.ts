import { createHash } from "node:crypto";

/**
 * What an export proves to be whole by: SHA-256 over the value at the previous mark, as hex, and the lines since, each
 * with its newline. A chain, and not one hash over all, so that whoever continues an export needs nothing but the last
 * value.
 */
export class HashChain {
  #value: string;
  #hash = createHash("sha256");

  constructor(value = "") {
    this.#value = value;
    this.#hash.update(value);
  }

  add(lines: string | Buffer): void {
    this.#hash.update(lines);
  }

  /** The value up to here, from which the next one begins. */
  mark(): string {
    this.#value = this.#hash.digest("hex");
    this.#hash = createHash("sha256").update(this.#value);
    return this.#value;
  }
}
