import { isObject, RecordStatus } from "@gatehouse-parking/contract";
import type { SentValue } from "@gatehouse-parking/contract/console";
import { copyInto } from "../../core/database/copy-rows.js";
import { CopyLine, TextRows, copyText } from "../../core/database/copy-text.js";
import type { Statement } from "../../core/database/pipeline.js";
import type { Outcome } from "../../core/imports/judge/decision.js";
import { isCandidate, type Candidate, type Submitted } from "../../core/imports/read/read-records.js";
import { isStoredOutcome } from "../../core/imports/report.js";
import type { Run } from "../../core/imports/run.js";
import type { RunDetails } from "../../core/imports/history/run-details-sweep.js";
import { firstIdAt } from "../../core/paging/pages.js";

/** Longer than the longest valid email address, so that addresses are stored whole and can be found for erasure. */
const maxValueLength = 400;
const maxValuesOfRecord = 10;

export const rejectedValues: Omit<RunDetails, "days"> = {
  table: "import_sent_values",
  key: ["run_id", "position"],
  age: "run_id",
  lowestAt: firstIdAt,
};
const columns = ["organization_id", ...rejectedValues.key, "sent"];
const valuesLine = new CopyLine(columns.length);

/** Only the console shows these values, so an error must never fail the import. */
export function storeRejectedValues(
  run: Run,
  records: readonly Submitted[],
  outcomes: readonly Outcome[],
): Statement[] {
  if (!run.rules.keepsSentValues) return [];
  try {
    const rows = rowsOf(run, records, outcomes);
    return rows.count === 0 ? [] : [copyInto(rejectedValues.table, columns, rows)];
  } catch (error) {
    run.log.warn({ err: error }, "storing rejected values failed");
    return [];
  }
}

function rowsOf(run: Run, records: readonly Submitted[], outcomes: readonly Outcome[]): TextRows {
  const { organizationId, runId } = run.identity;
  const rows = new TextRows();
  let failures = 0;
  for (const [index, record] of records.entries()) {
    const outcome = outcomes[index] as Outcome;
    if (outcome.status !== RecordStatus.Failed) continue;
    if (!isStoredOutcome(outcome, failures)) break;
    failures += 1;
    const values = isCandidate(record) ? valuesOf(record, outcome.paths ?? []) : [];
    if (values.length === 0) continue;
    const line = valuesLine.begin();
    line.add(organizationId);
    line.add(runId);
    line.add(String(record.position));
    line.add(copyText(JSON.stringify(values)));
    rows.add(line.end());
  }
  return rows;
}

function valuesOf(candidate: Candidate, paths: readonly string[]): SentValue[] {
  const values: SentValue[] = [];
  for (const field of paths) {
    const path = field.split(".");
    const given = valueAt(candidate.record, path);
    if (given === undefined) continue;
    const shown = shownValue(given, candidate, path);
    const isCut = shown.length > maxValueLength;
    values.push({ field, value: isCut ? shown.slice(0, maxValueLength) : shown, isCut });
    if (values.length === maxValuesOfRecord) break;
  }
  return values;
}

/** Undefined if the record has no such field. */
function valueAt(record: Record<string, unknown>, path: readonly string[]): unknown {
  let value: unknown = record;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function shownValue(given: unknown, { source }: Candidate, path: readonly string[]): string {
  if (typeof given === "string") return given;
  if (typeof given === "number") return source.numberSpelling(path) ?? String(given);
  if (Array.isArray(given)) return "(a list)";
  return isObject(given) ? "(an object)" : String(given);
}
