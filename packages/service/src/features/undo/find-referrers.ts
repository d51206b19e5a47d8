import type { EntityPlural } from "@gatehouse-parking/contract";
import type pg from "pg";
import { storedEntities } from "../../core/entities/entities.js";

/** A record that refers to another one. */
export interface Referrer {
  kind: EntityPlural;
  id: string;
  reference: string;
  /** The run that created it. */
  runId: string;
}

/** How many of the records that refer to a record are named, of each kind; the newest. */
const shownReferrers = 3;

/**
 * What others than these runs have created that refers to these records, by the record. An index leads to it, newest
 * first, and the runs' own records, which do not count, are passed over and no more than the runs have.
 */
export async function findReferrers(
  client: pg.ClientBase,
  organizationId: string,
  runIds: readonly string[],
  { kind, ids }: { kind: EntityPlural; ids: readonly string[] },
): Promise<Map<string, Referrer[]>> {
  const found = new Map<string, Referrer[]>();
  if (ids.length === 0) return found;
  for (const { kind: from, statement } of referrersOf(kind)) {
    const { rows } = await client.query<{ target: string; id: string; reference: string; run_id: string }>(
      statement,
      [organizationId, runIds, JSON.stringify(ids)],
    );
    for (const { target, id, reference, run_id } of rows)
      found.set(target, [...(found.get(target) ?? []), { kind: from, id, reference, runId: run_id }]);
  }
  return found;
}

/** Lateral, as all look-ups: plain joins made the planner read all that the organization has. */
function referrersOf(target: EntityPlural): { kind: EntityPlural; statement: string }[] {
  return storedEntities.flatMap(({ table, links, page }) =>
    links
      .filter(({ relation }) => relation.to.plural === target)
      .map(({ id }) => ({
        kind: table,
        statement: `
          select wanted.id as target, found.id, found.reference, found.import_run_id as run_id
          from json_array_elements_text($3) as wanted (id)
          cross join lateral (
            select record.id, ${page.reference} as reference, record.import_run_id from ${table} as record
            where record.organization_id = $1 and record.${id} = wanted.id::uuid and record.import_run_id <> all ($2::uuid[])
            order by record.id desc limit ${shownReferrers}
          ) as found`,
      })),
  );
}
