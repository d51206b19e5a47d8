import { Refused, Unreachable } from "./errors.js";

/**
 * Sends the same change only once. A button is disabled only after the next render, so a double click would send two
 * requests. The second answer would replace the first, which may contain an API key that is shown only once.
 */
export class IdempotentChange {
  readonly #underWay = new Set<string>();
  #sent: string | undefined;
  #token: string | undefined;

  /** False while the same change is in flight. */
  begin(change: unknown): boolean {
    const meant = JSON.stringify(change);
    if (this.#underWay.has(meant)) return false;
    this.#underWay.add(meant);
    return true;
  }

  /** The idempotency key. The same change keeps it until its outcome is known. */
  tokenFor(change: unknown): string | undefined {
    const meant = JSON.stringify(change);
    if (meant !== this.#sent) {
      this.#sent = meant;
      // Undefined on pages that were loaded over plain HTTP from another machine.
      this.#token = (crypto as Partial<Crypto>).randomUUID?.();
    }
    return this.#token;
  }

  end(change: unknown, error: unknown): void {
    const meant = JSON.stringify(change);
    this.#underWay.delete(meant);
    if (meant === this.#sent && !isOutcomeUnknown(error)) this.#sent = undefined;
  }
}

/** Without an answer, or after a 5xx, the change may have been made. */
function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refused && error.status >= 500);
}
