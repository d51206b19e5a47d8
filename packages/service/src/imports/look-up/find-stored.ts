import type pg from "pg";
import type { ResourceDefinition } from "../resources.js";
import type { StoredRecord } from "./world.js";

/**
 * The records that are stored under these keys. Each key is looked up through its index by a lateral join: a plain
 * `= any(keys)` made the planner scan whole tables while a young database had no statistics. Keys are asked for in their
 * order, so that neighbours in the index are read one after the other.
 */
export async function findStored(
  client: pg.ClientBase | pg.Pool,
  organizationId: string,
  resource: ResourceDefinition,
  keys: ReadonlySet<string>,
): Promise<Map<string, StoredRecord>> {
  if (keys.size === 0) return new Map();
  const wanted = [...keys].toSorted();
  const { rows } = await client.query<[ordinal: number, id: string, fingerprint: string | null]>({
    name: `find-${resource.name}`,
    rowMode: "array",
    text: `
      select wanted.ordinal, found.id, found.fingerprint
      from json_array_elements_text($2) with ordinality as wanted (key, ordinal)
      cross join lateral (
        select id, encode(fingerprint, 'hex') as fingerprint from ${resource.name}
        where organization_id = $1 and ${resource.keyColumn} = wanted.key
        limit 1
      ) as found`,
    values: [organizationId, JSON.stringify(wanted)],
  });
  return new Map(
    rows.map(([ordinal, id, fingerprint]) => [
      wanted[ordinal - 1] as string,
      { id, fingerprint, madeBy: undefined },
    ]),
  );
}
