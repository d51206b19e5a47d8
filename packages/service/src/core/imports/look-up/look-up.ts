import type { Statement } from "../../database/pipeline.js";
import { isCandidate, type Submitted } from "../read/read-records.js";
import type { ResourceDefinition } from "../resources.js";
import type { Run } from "../run.js";
import { collectKeys, emptyKeySets, indexes, type Index, type KeySets } from "./indexes.js";
import { LookupResult, type StoredRecord } from "./lookup-result.js";

/**
 * Loads everything that judging needs, in at most three statements and one round trip for any number of records. `lookup`
 * is filled when the statements are answered. A batch of replays needs no statement.
 */
export function lookUp(
  { identity, resource, rules }: Run,
  records: readonly Submitted[],
): { statements: Statement[]; lookup: LookupResult } {
  const { organizationId } = identity;
  const lookup = new LookupResult();
  const keys = new Set<string>();
  const related = emptyKeySets();
  for (const record of records) {
    if (!isCandidate(record)) continue;
    if (record.key !== undefined) keys.add(record.key);
    collectKeys(related, resource.entity, record.record);
  }
  const statements = [
    ...findStoredStatements(organizationId, resource, keys, lookup.records),
    ...(rules.keepsDeletedKeys ? findDeletedStatements(organizationId, resource, keys, lookup.records) : []),
    ...findRelatedStatements(organizationId, related, lookup),
  ];
  return { statements, lookup };
}

/**
 * Adds the records with these keys to `found`. A lateral join looks up each key through its index; with `= any(keys)`, the
 * planner scanned whole tables in a new database without statistics. Keys are sorted, so that index pages are read in
 * order. `provided`: looks for nothing unless this key is stored.
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
 * Adds keys of deleted records to `found`, unless a record with the key is stored. If several records with a key were
 * deleted, the last one counts. Lateral for the reason above.
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

/** Lateral for the reason above. */
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

function findRelatedStatements(organizationId: string, sets: KeySets, lookup: LookupResult): Statement[] {
  const keys = sets.map((set) => [...set].toSorted());
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
