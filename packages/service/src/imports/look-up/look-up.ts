import type pg from "pg";
import { isCandidate, type Submitted } from "../read/submitted.js";
import type { Run } from "../run.js";
import { findStored } from "./find-stored.js";
import { indexes, type Index } from "./indexes.js";
import { nothingWanted, want, type Wanted } from "./wanted.js";
import { World } from "./world.js";

/**
 * Everything that judging needs, in two statements, however many records there are. A batch whose keys are all stored
 * finds them in the first statement and needs no second; one that was recognized as a replay needs neither.
 */
export async function lookUp(
  client: pg.ClientBase,
  { identity, resource }: Run,
  records: readonly Submitted[],
): Promise<World> {
  const { organizationId } = identity;
  const world = new World();
  const candidates = records.filter(isCandidate);
  const keys = new Set(candidates.flatMap((candidate) => candidate.key ?? []));
  for (const [key, record] of await findStored(client, organizationId, resource, keys))
    world.records.set(key, record);

  const wanted = nothingWanted();
  for (const { key, record } of candidates) {
    const isStored = key !== undefined && world.records.has(key);
    if (!isStored) want(wanted, resource.entity, record);
  }
  await findRelated(client, organizationId, wanted, world);
  return world;
}

/** By lateral joins, for the reason given in find-stored.ts. */
const findRelatedStatement = indexes
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

async function findRelated(
  client: pg.ClientBase,
  organizationId: string,
  wanted: Wanted,
  world: World,
): Promise<void> {
  const keys = wanted.map((set) => [...set].toSorted());
  if (keys.every((list) => list.length === 0)) return;
  const { rows } = await client.query<[number: number, ordinal: number, value: string]>({
    name: "find-related",
    rowMode: "array",
    text: findRelatedStatement,
    values: [organizationId, ...keys.map((list) => JSON.stringify(list))],
  });
  for (const [number, ordinal, value] of rows)
    world.add(indexes[number] as Index, (keys[number] as string[])[ordinal - 1] as string, value);
}
