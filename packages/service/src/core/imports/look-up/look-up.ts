import type { Statement } from "../../database/pipeline.js";
import { isCandidate, type Submitted } from "../read/read-records.js";
import type { ResourceDefinition } from "../resources.js";
import type { Run } from "../run.js";
import { indexes, nothingWanted, want, type Index, type Wanted } from "./indexes.js";
import { LookupResult, type StoredRecord } from "./lookup-result.js";

/**
 * Everything that judging needs, in two or three statements and one round trip, however many records there are. `lookup` is
 * filled when they are answered. A batch that was recognized as a replay needs none.
 */
export function lookUp(
  { identity, resource, rules }: Run,
  records: readonly Submitted[],
): { statements: Statement[]; lookup: LookupResult } {
  const { organizationId } = identity;
  const lookup = new LookupResult();
  const keys = new Set<string>();
  const wanted = nothingWanted();
  for (const record of records) {
    if (!isCandidate(record)) continue;
    if (record.key !== undefined) keys.add(record.key);
    want(wanted, resource.entity, record.record);
  }
  const statements = [
    ...findStoredStatements(organizationId, resource, keys, lookup.records),
    ...(rules.keepsDeletedKeys ? findDeletedStatements(organizationId, resource, keys, lookup.records) : []),
    ...findRelatedStatements(organizationId, wanted, lookup),
  ];
  return { statements, lookup };
}

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

/**
 * Adds those of these keys to `found` whose records were deleted, unless something is stored under them. A key can have
 * been deleted more than once, if it was not to stay known in between: the last record counts. By lateral joins, for the
 * reason given above.
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

/** By lateral joins, for the reason given above. */
const findRelated = indexes
  .map(
    ({ number, table, column, yields }) => `
      select ${number}, wanted.ordinal, found.value
      from json_array_elements_text($${number + 2}) with ordinality as wanted (key, ordinal)
      cross join lateral (
        select ${yields} as value from ${table}
        where organization_id = $1 and ${column} = wanted.key${column === "id" ? "::uuid" : ""}
        limit 1
      ) as found`,
  )
  .join(" union all ");

type RelatedRow = [number: number, ordinal: number, value: string];

function findRelatedStatements(organizationId: string, wanted: Wanted, lookup: LookupResult): Statement[] {
  const keys = wanted.map((set) => [...set].toSorted());
  if (keys.every((list) => list.length === 0)) return [];
  const statement: Statement = {
    name: "find-related",
    rowMode: "array",
    text: findRelated,
    values: [organizationId, ...keys.map((list) => JSON.stringify(list))],
    take: ({ rows }) => {
      for (const [number, ordinal, value] of rows as unknown as RelatedRow[])
        lookup.add(indexes[number] as Index, (keys[number] as string[])[ordinal - 1] as string, value);
    },
  };
  return [statement];
}
