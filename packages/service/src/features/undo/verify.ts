import { entities, importResourceNames, importResources } from "@gatehouse-parking/contract";
import { batchCheck } from "../../core/verify/batches.js";
import { statementCheck, summary, type Check } from "../../core/verify/check.js";

const undoRecords = { table: "undo_records", key: [{ name: "record_id", type: "uuid" as const }] };

export const undoneChecks: Check[] = [
  batchCheck(
    "undone: undo_records.run_id names an undone run",
    { ...undoRecords, columns: ["run_id"] },
    `left join lateral (
       select true as found from import_runs as run
       where run.organization_id = $1 and run.id = batch.run_id and run.undone_at is not null limit 1
     ) as run on true
     where run.found is null`,
  ),
  batchCheck(
    "undone: removed records are not stored, and kept records are",
    { ...undoRecords, columns: ["kind", "is_removed"] },
    `where case batch.kind ${entities.map(({ plural }) => isWrong(plural)).join(" ")} else true end`,
  ),
  statementCheck(
    "undone: runs count their removed records",
    summary(`
      select run.id, run.undone_count as read,
             run.undone_count <> coalesce(removed.rows, 0)
               or (run.undone_at is null) <> (run.undone_by is null)
               or (run.undone_at is null) <> (run.undone_version is null) as is_wrong
      from import_runs as run
      left join (
        select run_id, kind, count(*) as rows from undo_records
        where organization_id = $1 and is_removed group by 1, 2
      ) as removed on removed.run_id = run.id and removed.kind = case run.resource ${ownKinds()} end
      where run.organization_id = $1`),
    "import_runs",
  ),
];

/** Whether a record of this kind is both removed and stored, or neither. */
function isWrong(kind: string): string {
  return `when '${kind}' then batch.is_removed = exists (
    select from ${kind} as record where record.organization_id = $1 and record.id = batch.record_id)`;
}

function ownKinds(): string {
  return importResourceNames.map((name) => `when ${importResources[name].resource} then '${name}'`).join(" ");
}
