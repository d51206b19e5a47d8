import { Refused } from "./refused.js";

/** A batch is refused before any of its records is looked at. */
export class BatchRefused extends Refused {
  override name = "BatchRefused";
  readonly why: BatchProblem;

  constructor(why: BatchProblem) {
    super(why.refusal);
    this.why = why;
  }
}

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
