import type { Statement } from "../../database/pipeline.js";
import type { ResourceDefinition } from "../resources.js";
import type { StoredRecord } from "./world.js";

/**
 * Adds the records that are stored under these keys to `found`. Each key is looked up through its index by a lateral
 * join: a plain `= any(keys)` made the planner scan whole tables while a young database had no statistics. Keys are asked
 * for in their order, so that neighbours in the index are read one after the other. `provided`: nothing is looked for
 * unless this key is stored.
 */
export function findStoredStatements(
  organizationId: string,
  resource: ResourceDefinition,
  keys: ReadonlySet<string>,
  found: Map<string, StoredRecord>,
  { provided }: { provided?: string } = {},
): Statement[] {
  if (keys.size === 0) return [];
  const wanted = [...keys].toSorted();
  const statement: Statement = {
    name: `find-${resource.name}${provided === undefined ? "" : "-provided"}`,
    rowMode: "array",
    text: `
      select wanted.ordinal, found.id, found.fingerprint
      from json_array_elements_text($2) with ordinality as wanted (key, ordinal)
      cross join lateral (
        select id, encode(fingerprint, 'hex') as fingerprint from ${resource.name}
        where organization_id = $1 and ${resource.keyColumn} = wanted.key
        limit 1
      ) as found${provided === undefined ? "" : isStored(resource)}`,
    values: [organizationId, JSON.stringify(wanted), ...(provided === undefined ? [] : [provided])],
    take: ({ rows }) => {
      for (const [ordinal, id, fingerprint] of rows as unknown as FoundRow[])
        found.set(wanted[ordinal - 1] as string, { id, fingerprint, madeBy: undefined });
    },
  };
  return [statement];
}

function isStored({ name, keyColumn }: ResourceDefinition): string {
  return ` where exists (select from ${name} where organization_id = $1 and ${keyColumn} = $3)`;
}

type FoundRow = [ordinal: number, id: string, fingerprint: string | null];
