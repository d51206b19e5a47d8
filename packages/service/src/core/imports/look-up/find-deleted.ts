import type { Statement } from "../../database/pipeline.js";
import type { ResourceDefinition } from "../resources.js";
import type { StoredRecord } from "./world.js";

/**
 * Adds those of these keys to `found` whose records were deleted, unless something is stored under them. A key can have
 * been deleted more than once, if it was not to stay known in between: the last record counts. By lateral joins, for the
 * reason given in find-stored.ts.
 */
export function findDeletedStatements(
  organizationId: string,
  resource: ResourceDefinition,
  keys: ReadonlySet<string>,
  found: Map<string, StoredRecord>,
): Statement[] {
  if (keys.size === 0) return [];
  const wanted = [...keys].toSorted();
  const statement: Statement = {
    name: `find-deleted-${resource.name}`,
    rowMode: "array",
    text: `
      select wanted.ordinal, found.record_id
      from json_array_elements_text($2) with ordinality as wanted (key, ordinal)
      cross join lateral (
        select record_id from deleted_records
        where organization_id = $1 and kind = '${resource.name}' and reference = wanted.key
        order by deleted_at desc limit 1
      ) as found`,
    values: [organizationId, JSON.stringify(wanted)],
    take: ({ rows }) => {
      for (const [ordinal, id] of rows as unknown as [ordinal: number, id: string][]) {
        const key = wanted[ordinal - 1] as string;
        if (!found.has(key)) found.set(key, { id, fingerprint: null, isDeleted: true, madeBy: undefined });
      }
    },
  };
  return [statement];
}
