import type { Prepared } from "@gatehouse-parking/record-files";
import { outcomeOf, type RecordOutcome } from "../outcomes.js";

/** A record that was not sent failed as well; its outcome looks like the service's. */
export function refusedOutcome({ refusal }: Prepared): RecordOutcome {
  return outcomeOf({
    reference: refusal?.reference ?? "",
    status: 4,
    reasonCode: 5,
    errorDetail: refusal?.detail ?? "",
  });
}
