import type { Statement } from "../../database/pipeline.js";
import type { PipelineQueue } from "../../database/pipeline-queue.js";
import { isCandidate, type Submitted } from "../read/submitted.js";
import type { Run } from "../run.js";
import { findDeletedStatements } from "./find-deleted.js";
import { findStoredStatements } from "./find-stored.js";
import { indexes, type Index } from "./indexes.js";
import { nothingWanted, want, type Wanted } from "./wanted.js";
import { World } from "./world.js";

/**
 * Everything that judging needs, in two or three statements and one round trip, however many records there are. A batch that was
 * recognized as a replay needs neither.
 */
export async function lookUp(
  queue: PipelineQueue,
  { identity, resource, rules }: Run,
  records: readonly Submitted[],
): Promise<World> {
  const { organizationId } = identity;
  const world = new World();
  const keys = new Set<string>();
  const wanted = nothingWanted();
  for (const record of records) {
    if (!isCandidate(record)) continue;
    if (record.key !== undefined) keys.add(record.key);
    want(wanted, resource.entity, record.record);
  }
  const statements = [
    ...findStoredStatements(organizationId, resource, keys, world.records),
    ...(rules.keepsDeletedKeys ? findDeletedStatements(organizationId, resource, keys, world.records) : []),
    ...findRelatedStatements(organizationId, wanted, world),
  ];
  if (statements.length > 0) await queue.send(...statements);
  return world;
}

/** By lateral joins, for the reason given in find-stored.ts. */
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

function findRelatedStatements(organizationId: string, wanted: Wanted, world: World): Statement[] {
  const keys = wanted.map((set) => [...set].toSorted());
  if (keys.every((list) => list.length === 0)) return [];
  const statement: Statement = {
    name: "find-related",
    rowMode: "array",
    text: findRelated,
    values: [organizationId, ...keys.map((list) => JSON.stringify(list))],
    take: ({ rows }) => {
      for (const [number, ordinal, value] of rows as unknown as RelatedRow[])
        world.add(indexes[number] as Index, (keys[number] as string[])[ordinal - 1] as string, value);
    },
  };
  return [statement];
}
