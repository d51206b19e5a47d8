import type pg from "pg";
import { byteOrderMark, csvLine } from "../csv.js";
import { explainReason } from "../reasons.js";
import { readExceptions, sentReference, type ExceptionRow } from "./run-results.js";
import { findRun } from "./show-run.js";

export const failureFormats = ["csv", "ndjson"] as const;
export type FailureFormat = (typeof failureFormats)[number];

/** The kept failures of a run as a file, one line a record, to be worked through or fed to a program. */
export async function downloadFailures(
  pool: pg.Pool,
  input: { organizationId: string; runId: string; format: FailureFormat },
): Promise<string> {
  await findRun(pool, input.organizationId, input.runId);
  const exceptions = await readExceptions(pool, input.organizationId, input.runId);
  const failures = exceptions.filter((row) => row.status === 4).map(describe);
  if (input.format === "ndjson") return failures.map((failure) => `${JSON.stringify(failure)}\n`).join("");
  const heading = csvLine(["position", "reference", "reasonCode", "reason", "errorDetail", "advice"]);
  const lines = failures.map(({ position, reference, reasonCode, reason, errorDetail, advice }) =>
    csvLine([position, reference, reasonCode, reason, errorDetail, advice]),
  );
  return byteOrderMark + heading + lines.join("");
}

function describe(row: ExceptionRow) {
  const { name, advice } = explainReason(row.reason_code);
  return {
    position: row.position,
    reference: sentReference(row),
    reasonCode: row.reason_code,
    reason: name,
    errorDetail: row.error_detail ?? "",
    advice,
  };
}
