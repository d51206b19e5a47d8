import { Unreachable } from "./failure.js";

/**
 * One change at a time, and once. A button shows that it is busy only when the page is drawn again, so a second click
 * without a gap would send a second request, and its answer would take the place of the first, which may have held a
 * key that is shown only once.
 */
export class OneChange {
  #isUnderWay = false;
  #meant: string | undefined;
  #token: string | undefined;

  /** False while the one before is under way. */
  begin(): boolean {
    if (this.#isUnderWay) return false;
    this.#isUnderWay = true;
    return true;
  }

  /** The server makes nothing twice for one token. It stays for the same request until an answer has come. */
  tokenFor(change: unknown): string | undefined {
    const meant = JSON.stringify(change);
    if (meant !== this.#meant) {
      this.#meant = meant;
      // Absent where the page came over plain HTTP from another machine.
      this.#token = (crypto as Partial<Crypto>).randomUUID?.();
    }
    return this.#token;
  }

  end(error: unknown): void {
    this.#isUnderWay = false;
    if (!(error instanceof Unreachable)) this.#meant = undefined;
  }
}
