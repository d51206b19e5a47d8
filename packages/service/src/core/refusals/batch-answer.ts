import type { ProblemDetails } from "@gatehouse-parking/contract";
import type { BatchProblem } from "./batch-refused.js";

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
