import type { Statement } from "../database/pipeline.js";

const dayMs = 86_400_000;

/** A local date as the number of days since 1970, which works for the years 0 and 10000 too. */
export function dayNumber(localTime: number): number {
  return Math.floor(localTime / dayMs);
}

export const dayNumberOf = (column: string): string => `${column} - date '1970-01-01'`;

const changed = "json_array_elements_text($2) as changed (day)";
const date = "date '1970-01-01' + changed.day::integer";

/** Citus cannot route an insert that also updates to a shard. */
const openDays = `
  insert into local_days (organization_id, local_date, changed_in)
  select $1::uuid, ${date}, 0 from ${changed}
  on conflict do nothing`;

const noteChange = `
  update local_days as local_day set changed_in = turn.change_count + 1
  from ${changed}, import_turns as turn
  where local_day.organization_id = $1 and local_day.local_date = ${date} and turn.organization_id = $1`;

/**
 * Notes that transactions of these days are added or removed, so that their totals are stale. The caller holds the
 * organization's lock and increments its change_count at the end of the transaction.
 */
export function noteChangedDays(organizationId: string, days: Iterable<number>): Statement[] {
  const distinct = [...new Set(days)];
  if (distinct.length === 0) return [];
  const values = [organizationId, JSON.stringify(distinct)];
  return [
    { name: "open-local-days", text: openDays, values },
    { name: "note-changed-days", text: noteChange, values },
  ];
}
