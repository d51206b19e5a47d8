import type { ImportResourceName } from "@gatehouse-parking/contract";
import { prepareRows, type Table } from "@gatehouse-parking/record-files";
import { resources } from "../contract.js";
import { checkOffline, refusedOutcome } from "./offline-check.js";
import { countProblems, problemLines, type ProblemGroup } from "./output/problems.js";
import { count } from "./output/progress.js";
import type { FileOrder } from "./push-file.js";

/** What a file is like before anything of it is sent. */
interface FileCheck {
  records: number;
  valid: number;
  problems: ProblemGroup[];
}

/**
 * Takes every row the way that it will take when it is sent, up to the service's own checker. A dry run does that
 * anyway, so its rows are only counted.
 */
export async function checkTable(order: FileOrder, table: Table): Promise<FileCheck> {
  const prepare = prepareRows(table.columns, order.resource, order.prepare);
  const check: FileCheck = { records: 0, valid: 0, problems: [] };
  for await (const row of table.rows) {
    check.records += 1;
    if (order.stop.aborted) break;
    if (order.sender.mode === "dry-run") continue;
    const prepared = prepare(row);
    const outcome =
      prepared.text === undefined ? refusedOutcome(prepared) : checkOffline(order.resource, prepared.text);
    if (outcome.outcome === "Failed") countProblems(check.problems, prepared, outcome);
    else check.valid += 1;
  }
  return check;
}

/** A file of several batches in which nothing is right was not understood: it is not worth a single request. */
export function refuseHopeless(
  { records, valid, problems }: FileCheck,
  resource: ImportResourceName,
  mode: FileOrder["sender"]["mode"],
): void {
  if (mode === "dry-run" || valid > 0 || records <= resources[resource].maxRecords) return;
  const lines = [
    `all of the ${count(records)} ${resource} would fail, so nothing was sent`,
    ...problemLines(problems, resource),
    "  --dry-run checks the file without the service",
  ];
  throw new Error(lines.join("\n"));
}
