import { errors, type ErrorName } from "@gatehouse-parking/contract";
import { databaseTrouble, isPoolExhausted } from "../database/sqlstate.js";

/**
 * A request is refused as a whole, and why: by the name of a row in the contract's table of errors. Whoever throws it
 * need not know that the request came over HTTP; render-error.ts makes the answer.
 */
export class Refused extends Error {
  override name = "Refused";
  readonly refusal: ErrorName;
  /** The lines of the envelope's `errors`. */
  readonly details: string[];

  constructor(refusal: ErrorName, details: string[] = [errors[refusal].message]) {
    super(errors[refusal].message);
    this.refusal = refusal;
    this.details = details;
  }
}

/** What passes by itself, so that whoever asks again may succeed; undefined: the error is of another kind. */
export function databaseRefusal(error: unknown): Refused | undefined {
  // Work that collided with other work was undone.
  if (isPoolExhausted(error) || databaseTrouble(error) === "conflict") return new Refused("overloaded");
  return databaseTrouble(error) === "unavailable" ? new Refused("databaseUnavailable") : undefined;
}
