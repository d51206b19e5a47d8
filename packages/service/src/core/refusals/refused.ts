import { errors, type ErrorName } from "@gatehouse-parking/contract";
import { databaseTrouble, isPoolExhausted } from "../database/sqlstate.js";

export interface RefusalOptions {
  /** The lines of the envelope's `errors`. */
  details?: string[];
  headers?: Record<string, string>;
  batch?: BatchProblem;
}

/** Why a batch is rejected before its records are read. The API answers these with a special body. */
export type BatchProblem =
  | { refusal: "batchEmpty"; says: string }
  | { refusal: "tooManyRecords"; says: string; submitted: number; max: number }
  | {
      refusal: "bodyMalformed" | "envelopeInvalid";
      says: string;
      /** The invalid member, or `$` for the body itself. */
      member: string;
      isMissing?: boolean;
    };

/**
 * Rejects a whole API request. `refusal` names a row of the contract's error table. render-error.ts creates the
 * answer, so the code that throws does not depend on HTTP.
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

/** Temporary errors, after which a retry may succeed. Undefined: the error is not temporary. */
export function databaseRefusal(error: unknown): Refused | undefined {
  // Work that conflicted with other work was rolled back.
  if (isPoolExhausted(error) || databaseTrouble(error) === "conflict") return new Refused("overloaded");
  return databaseTrouble(error) === "unavailable" ? new Refused("databaseUnavailable") : undefined;
}
