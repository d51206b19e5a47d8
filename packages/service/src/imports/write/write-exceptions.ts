import { CopyLine, CopyRows, copyInto, copyNull, copyText } from "../../database/copy-text.js";
import type { Statement } from "../../database/exchange.js";
import type { DifferencesByPosition } from "../compare/find-differences.js";
import type { Outcome } from "../judge/decision.js";
import type { Submitted } from "../read/submitted.js";
import { isKept } from "../report.js";

const exceptionColumns = [
  "organization_id",
  "run_id",
  "position",
  "reference",
  "unusable_reference",
  "status",
  "reason_code",
  "record_id",
  "error_detail",
  "differences",
];

const exceptionLine = new CopyLine(exceptionColumns.length);

/** The records that were not created, as far as they are kept. */
export function exceptionStatements(
  organizationId: string,
  runId: string,
  candidates: readonly Pick<Submitted, "position" | "reference" | "key">[],
  outcomes: readonly Outcome[],
  differences: DifferencesByPosition,
): Statement[] {
  const rows = new CopyRows();
  let failures = 0;
  for (const [index, candidate] of candidates.entries()) {
    const outcome = outcomes[index] as Outcome;
    if (isKept(outcome, failures)) {
      const line = exceptionLine.begin();
      line.add(organizationId);
      line.add(runId);
      line.add(String(candidate.position));
      addReference(line, candidate);
      addOutcome(line, outcome);
      const difference = differences.get(candidate.position);
      line.add(difference === undefined ? copyNull : copyText(JSON.stringify(difference)));
      rows.add(line.end());
    }
    if (outcome.status === 4) failures += 1;
  }
  return rows.count === 0 ? [] : [copyInto("import_exceptions", exceptionColumns, rows)];
}

function addReference(line: CopyLine, { key, reference }: Pick<Submitted, "key" | "reference">): void {
  line.add(key === undefined ? copyNull : copyText(key));
  const isUnusable = key === undefined && reference !== "";
  line.add(isUnusable ? copyText(JSON.stringify(reference)) : copyNull);
}

function addOutcome(line: CopyLine, outcome: Outcome): void {
  if (outcome.status === 1) throw new Error("A created record is no exception");
  const isSkipped = outcome.status === 3;
  line.add(String(outcome.status));
  line.add(isSkipped ? "1" : String(outcome.reasonCode));
  line.add(isSkipped ? outcome.stored.id : copyNull);
  line.add(isSkipped ? copyNull : copyText(outcome.detail));
}
