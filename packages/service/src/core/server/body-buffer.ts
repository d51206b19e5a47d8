const leastCapacity = 512;

/**
 * The bytes of a body in one piece of memory, however small the pieces are in which they arrive: kept on its own, a piece
 * of one byte takes more than 300.
 */
export class BodyBuffer {
  readonly #maxBytes: number;
  #memory: Buffer = Buffer.alloc(0);
  #length = 0;

  /** No more than `maxBytes` are ever appended. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** How much memory it takes. */
  get capacity(): number {
    return this.#memory.length;
  }

  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  append(piece: Buffer): void {
    const length = this.#length + piece.length;
    // Most bodies arrive in one piece, which need not be copied.
    if (this.#length === 0) this.#memory = piece;
    else {
      if (length > this.#memory.length) this.#grow(length);
      piece.copy(this.#memory, this.#length);
    }
    this.#length = length;
  }

  #grow(length: number): void {
    const doubled = Math.min(Math.max(leastCapacity, 2 * this.#memory.length), this.#maxBytes);
    const grown = Buffer.allocUnsafeSlow(Math.max(doubled, length));
    this.bytes.copy(grown);
    this.#memory = grown;
  }
}
