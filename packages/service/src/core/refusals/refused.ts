import { errors, type ErrorName } from "@gatehouse-parking/contract";
import { databaseTrouble, isPoolExhausted } from "../database/sqlstate.js";

export interface RefusalOptions {
  /** The lines of the envelope's `errors`. */
  details?: string[];
  headers?: Record<string, string>;
  batch?: BatchProblem;
}

/** Why a batch is refused before its records are read. The public interface answers in a shape of its own. */
export type BatchProblem =
  | { refusal: "batchEmpty"; says: string }
  | { refusal: "tooManyRecords"; says: string; submitted: number; max: number }
  | {
      refusal: "bodyMalformed" | "envelopeInvalid";
      says: string;
      /** The member that is wrong, or `$` for the body itself. */
      member: string;
      isMissing?: boolean;
    };

/**
 * A request to the public interface is refused as a whole; `refusal` names a row of the contract's table of errors.
 * render-error.ts makes the answer, so the code that throws it need not know about HTTP.
 */
export class Refused extends Error {
  override name = "Refused";
  readonly refusal: ErrorName;
  readonly details: string[];
  readonly headers: Record<string, string>;
  readonly batch: BatchProblem | undefined;

  constructor(refusal: ErrorName, { details, headers = {}, batch }: RefusalOptions = {}) {
    const { message } = errors[refusal];
    super(message);
    this.refusal = refusal;
    this.details = details ?? [message];
    this.headers = headers;
    this.batch = batch;
  }
}

export function refusedBatch(batch: BatchProblem): Refused {
  return new Refused(batch.refusal, { batch });
}

/** What passes by itself, so that whoever asks again may succeed; undefined: the error is of another kind. */
export function databaseRefusal(error: unknown): Refused | undefined {
  // Work that collided with other work was undone.
  if (isPoolExhausted(error) || databaseTrouble(error) === "conflict") return new Refused("overloaded");
  return databaseTrouble(error) === "unavailable" ? new Refused("databaseUnavailable") : undefined;
}
