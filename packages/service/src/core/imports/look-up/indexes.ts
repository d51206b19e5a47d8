import { entities, type Entity, type Match } from "@gatehouse-parking/contract";
import { storedEntity } from "../../entities/entities.js";

/** What can be looked up: in which table and column, and what the finding is. */
export interface Index {
  /** Its place among the indexes, in the statement and in the world. */
  number: number;
  table: string;
  column: string;
  yields: string;
}

const locations: Index = { number: 0, table: "locations", column: "id", yields: "time_zone" };
export const indexes: Index[] = [locations];
const byUuid = new Map<Entity, Index>();
const byMatch = new Map<Match, Index>();

function define(table: string, column: string): Index {
  const index = { number: indexes.length, table, column, yields: "id::text" };
  indexes.push(index);
  return index;
}

for (const entity of entities) {
  // No record refers to such an entity.
  if (entity.notFound === undefined) continue;
  byUuid.set(entity, define(entity.plural, "id"));
  for (const { match, column } of storedEntity(entity).matches)
    byMatch.set(match, define(entity.plural, column));
}

/** The organization's locations by uuid, with their time zones. */
export const locationIndex = locations;

export function uuidIndex(entity: Entity): Index {
  return byUuid.get(entity) as Index;
}

export function matchIndex(match: Match): Index | undefined {
  return byMatch.get(match);
}

/** By the key that partners know the entity by. */
export function referenceIndex(entity: Entity): Index {
  const match = entity.matchedBy.find(({ via }) => via === "reference") as Match;
  return byMatch.get(match) as Index;
}
