import { Refused } from "./refused.js";
import type { ProblemDetails } from "@gatehouse-parking/contract";

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

/** The published interface answers batches that it refuses in shapes of their own, and not with the usual envelope. */
export function batchAnswer(why: BatchProblem): { contentType: string; value: unknown } {
  const { says } = why;
  switch (why.refusal) {
    case "batchEmpty":
      return { contentType: "application/json; charset=utf-8", value: { error: says } };
    case "tooManyRecords": {
      const { submitted, max } = why;
      return { contentType: "application/json; charset=utf-8", value: { error: says, submitted, max } };
    }
    default:
      break;
  }
  const value: ProblemDetails = {
    type: "about:blank",
    title: "The request is not valid",
    status: 400,
    errors: { [why.member]: [says] },
    ...(why.isMissing ? { error: says } : {}),
  };
  return { contentType: "application/problem+json; charset=utf-8", value };
}
