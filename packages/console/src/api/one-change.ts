import { Unreachable } from "./failure.js";

/**
 * The same change once. A button shows that it is busy only when the page is drawn again, so a second click without a
 * gap would send a second request, and its answer would take the place of the first, which may have held a key that is
 * shown only once.
 */
export class OneChange {
  #underWay: string | undefined;
  #sent: string | undefined;
  #token: string | undefined;

  /** False while the very same is under way. */
  begin(change: unknown): boolean {
    const meant = JSON.stringify(change);
    if (meant === this.#underWay) return false;
    this.#underWay = meant;
    return true;
  }

  /** The server makes nothing twice for one token. It stays for the same change until an answer has come. */
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
    if (meant === this.#underWay) this.#underWay = undefined;
    if (meant === this.#sent && !(error instanceof Unreachable)) this.#sent = undefined;
  }
}
