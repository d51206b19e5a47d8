import { Refused, Unreachable } from "./failure.js";

/**
 * The same change once. A button shows that it is busy only when the page is drawn again, so a second click without a
 * gap would send a second request, and its answer would take the place of the first, which may have held a key that is
 * shown only once.
 */
export class OneChange {
  readonly #underWay = new Set<string>();
  #sent: string | undefined;
  #token: string | undefined;

  /** False while the very same is under way. */
  begin(change: unknown): boolean {
    const meant = JSON.stringify(change);
    if (this.#underWay.has(meant)) return false;
    this.#underWay.add(meant);
    return true;
  }

  /** The server makes nothing twice for one token. It stays for the same change until it is known what became of it. */
  tokenFor(change: unknown): string | undefined {
    const meant = JSON.stringify(change);
    if (meant !== this.#sent) {
      this.#sent = meant;
      // Absent where the page came over plain HTTP from another machine.
      this.#token = (crypto as Partial<Crypto>).randomUUID?.();
    }
    return this.#token;
  }

  end(change: unknown, error: unknown): void {
    const meant = JSON.stringify(change);
    this.#underWay.delete(meant);
    if (meant === this.#sent && !mayBeDone(error)) this.#sent = undefined;
  }
}

/** Without an answer, or with one that tells of trouble, the change may have been made all the same. */
function mayBeDone(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refused && error.status >= 500);
}
