import { CreatedEntities, entities, maxKeptFailures, type Entity } from "@gatehouse-parking/contract";
import { statementCheck, summary, type Check } from "./check.js";

/** How many rows of an entity's table an import must have created, by its counters. */
function expectedRows({ plural, imported }: Entity): string {
  const alongside = plural in CreatedEntities.properties ? `run.created_${plural}` : "0";
  if (!imported) return alongside;
  return `case run.resource when ${imported.resource} then run.success_count else ${alongside} end`;
}

export const counterChecks: Check[] = [
  statementCheck(
    "counters: the counts of a run add up and match its status",
    summary(`
      select run.id, 1 as read, (
        run.total_submitted <> run.success_count + run.failed_count + run.skipped_count
        or run.total_submitted < 1
        or least(run.success_count, run.failed_count, run.skipped_count, run.duration_ms) < 0
        or run.completed_at < run.started_at
        or run.failed_by_reason is not null and run.failed_count <> (
          select sum(count::int) from jsonb_each_text(run.failed_by_reason) as failed (reason, count)
        )
        or run.status <> case run.failed_count when 0 then 1 when run.total_submitted then 2 else 3 end
        or (run.resource <> 1
            and run.created_accounts + run.created_contacts + run.created_vehicles + run.created_subscriptions <> 0)
      ) as is_wrong
      from import_runs as run where run.organization_id = $1`),
    "import_runs",
  ),
  ...entities.map((entity) =>
    statementCheck(
      `counters: runs created as many ${entity.plural} as they report`,
      summary(`
        select run.id, coalesce(made.rows, 0) as read,
               coalesce(made.rows, 0) + coalesce(undone.rows, 0)
                 + coalesce((run.deleted_records ->> '${entity.plural}')::int, 0) <> ${expectedRows(entity)} as is_wrong
        from import_runs as run
        left join (
          select import_run_id, count(*) as rows from ${entity.plural} where organization_id = $1 group by 1
        ) as made on made.import_run_id = run.id
        left join (
          select run_id, count(*) as rows from undo_records
          where organization_id = $1 and is_removed and kind = '${entity.plural}' group by 1
        ) as undone on undone.run_id = run.id
        where run.organization_id = $1`),
      "import_runs",
    ),
  ),
  statementCheck(
    `counters: runs store every Skipped record and the first ${maxKeptFailures} Failed ones until they expire`,
    summary(`
      select run.id, coalesce(kept.skipped, 0) + coalesce(kept.failed, 0) as read,
             case when run.exceptions_deleted_at is null
               then coalesce(kept.skipped, 0) <> run.skipped_count
                 or coalesce(kept.failed, 0) <> least(run.failed_count, ${maxKeptFailures})
               else kept.run_id is not null end as is_wrong
      from import_runs as run
      left join repeated_runs as repeated on repeated.organization_id = $1 and repeated.run_id = run.id
      left join (
        select run_id, count(*) filter (where status = 3) as skipped, count(*) filter (where status = 4) as failed
        from import_exceptions where organization_id = $1 group by 1
      ) as kept on kept.run_id = coalesce(repeated.same_as, run.id)
      where run.organization_id = $1`),
    "import_runs",
  ),
  statementCheck(
    "counters: organizations have a row in import_turns that counts their runs",
    summary(`
      select $1::uuid as id, counted.runs as read, counted.runs is distinct from (
               select run_count from import_turns where organization_id = $1
             ) as is_wrong
      from (select count(*) as runs from import_runs where organization_id = $1) as counted`),
  ),
];
