/** Memory for all bodies that are being received without a place, of all connections together. */
export const maxUnplacedBytes = 64 * 1024 * 1024;

export interface UnplacedBody {
  /** Ends the reception, so that its memory is free. */
  giveUp(): void;
}

/**
 * Bounds the memory of bodies that are being received. If it is full, the body that began first is given up: one that
 * arrives at an ordinary speed is complete long before it is the oldest, however many slow ones there are.
 */
export class UnplacedBodies {
  readonly #maxBytes: number;
  /** Oldest first. */
  readonly #sizes = new Map<UnplacedBody, number>();
  #bytes = 0;

  constructor(maxBytes = maxUnplacedBytes) {
    this.#maxBytes = maxBytes;
  }

  resize(body: UnplacedBody, bytes: number): void {
    this.#bytes += bytes - (this.#sizes.get(body) ?? 0);
    this.#sizes.set(body, bytes);
    for (const oldest of this.#sizes.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.remove(oldest);
      oldest.giveUp();
    }
  }

  remove(body: UnplacedBody): void {
    this.#bytes -= this.#sizes.get(body) ?? 0;
    this.#sizes.delete(body);
  }
}
