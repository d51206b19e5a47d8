import { RecordStatus } from "@gatehouse-parking/contract";
import type { RunResult } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { byteOrderMark, csvLine } from "../../downloads/row-format.js";
import { explainReason, explainResults } from "./run-results.js";
import { findRun } from "./show-run.js";

/** The stored failures of a run as a file with one line per record. */
export async function downloadFailures(
  pool: pg.Pool,
  input: { organizationId: string; runId: string; format: "csv" | "ndjson" },
): Promise<string> {
  const { resource } = await findRun(pool, input.organizationId, input.runId);
  const results = await explainResults(pool, { ...input, resource });
  const failures = results.filter(({ status }) => status === RecordStatus.Failed).map(describe);
  if (input.format === "ndjson") return failures.map((failure) => `${JSON.stringify(failure)}\n`).join("");
  const heading = csvLine(["position", "reference", "reasonCode", "reason", "errorDetail", "advice"]);
  const lines = failures.map(({ position, reference, reasonCode, reason, errorDetail, advice }) =>
    csvLine([position, reference, reasonCode, reason, errorDetail, advice]),
  );
  return byteOrderMark + heading + lines.join("");
}

function describe({ position, reference, reasonCode = 0, errorDetail = "" }: RunResult) {
  const { name, advice } = explainReason(reasonCode);
  return { position, reference, reasonCode, reason: name, errorDetail, advice };
}
