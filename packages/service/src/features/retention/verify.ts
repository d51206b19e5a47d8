import { entities, importResourceNames, type ImportResourceName } from "@gatehouse-parking/contract";
import { batchCheck } from "../../core/verify/batches.js";
import { statementCheck, summary, type Check } from "../../core/verify/check.js";

const deletedRecords = { table: "deleted_records", key: [{ name: "record_id", type: "uuid" as const }] };

/** Checks of records that retention has deleted. */
export const deletedChecks: Check[] = [
  batchCheck(
    "deleted: deleted_records.run_id names a run with deleted records of this kind",
    { ...deletedRecords, columns: ["run_id", "kind"] },
    `left join lateral (
       select true as found from import_runs as run
       where run.organization_id = $1 and run.id = batch.run_id and run.deleted_records ? batch.kind limit 1
     ) as run on true
     where run.found is null`,
  ),
  batchCheck(
    "deleted: deleted records are not stored and are older than the retention period",
    { ...deletedRecords, columns: ["kind"] },
    `where case batch.kind
       ${importResourceNames.map(isStored).join(" ")}
       else true
     end or not exists (
       select from import_turns as turn where turn.organization_id = $1 and batch.record_id < turn.deleted_before
     )`,
  ),
  statementCheck(
    "deleted: runs count their deleted records and have no more of them than they created",
    summary(`
      select run.id, coalesce(known.rows, 0) as read,
             coalesce(known.rows, 0) > coalesce((
               select sum(deleted.count::int) from jsonb_each_text(run.deleted_records) as deleted (kind, count)
               where deleted.kind in (${importResourceNames.map((name) => `'${name}'`).join(", ")})
             ), 0)
             or exists (
               select from jsonb_each_text(run.deleted_records) as deleted (kind, count)
               where deleted.count::int < 1 or deleted.kind not in (${entities.map(({ plural }) => `'${plural}'`).join(", ")})
             ) as is_wrong
      from import_runs as run
      left join (
        select run_id, count(*) as rows from deleted_records where organization_id = $1 group by 1
      ) as known on known.run_id = run.id
      where run.organization_id = $1`),
    "import_runs",
  ),
];

function isStored(name: ImportResourceName): string {
  return `when '${name}' then exists (
    select from ${name} as record where record.organization_id = $1 and record.id = batch.record_id)`;
}
