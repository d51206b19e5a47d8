import { importResources, type EntityPlural, type ImportResourceName } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { CreatedRecord } from "./created-records.js";

/** A record that a later run has called stored: it was sent again, and Skipped with this uuid. */
export interface Acknowledged {
  kind: EntityPlural;
  id: string;
  reference: string;
  /** One of the runs that said so. */
  runId: string;
}

/**
 * Which of these records somebody was told are stored, by others than these runs. One run for each is enough, so a
 * record that is sent again every minute costs no more than any other.
 */
export async function findAcknowledged(
  client: pg.ClientBase,
  organizationId: string,
  runIds: readonly string[],
  records: readonly CreatedRecord[],
): Promise<Acknowledged[]> {
  const found: Acknowledged[] = [];
  for (const kind of Object.keys(importResources) as ImportResourceName[]) {
    const own = records.filter((record) => record.kind === kind);
    if (own.length === 0) continue;
    const wanted = own.map(({ id, reference }) => ({ id, reference }));
    const { rows } = await client.query<{ id: string; reference: string; run_id: string }>(statement, [
      organizationId,
      runIds,
      JSON.stringify(wanted),
    ]);
    for (const { id, reference, run_id } of rows) found.push({ kind, id, reference, runId: run_id });
  }
  return found;
}

/** Lateral, for the reason given in find-referrers.ts. */
const statement = `
  select wanted.id, wanted.reference, found.run_id
  from json_to_recordset($3) as wanted (id uuid, reference text)
  cross join lateral (
    select run_id from import_exceptions
    where organization_id = $1 and reference = wanted.reference and record_id = wanted.id and run_id <> all ($2::uuid[])
    limit 1
  ) as found`;
