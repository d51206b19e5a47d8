import {
  entities,
  isObject,
  isStorableText,
  isUuid,
  type Entity,
  type Match,
} from "@gatehouse-parking/contract";
import { storedEntity } from "../../entities/entities.js";
import { isUsableKey } from "../read/read-records.js";

/** What can be looked up: in which table and column, and what the finding is. */
export interface Index {
  /** Its place among the indexes, in the statement and in the result. */
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

/** The keys that have to be looked up in each index. */
export type Wanted = Set<string>[];

export function nothingWanted(): Wanted {
  return indexes.map(() => new Set<string>());
}

/** Everything that an object names or could be matched by: itself, and what is nested in it. */
export function want(wanted: Wanted, entity: Entity, object: Record<string, unknown>): void {
  if (entity.locationField !== undefined) wantUuid(wanted, locationIndex, object[entity.locationField]);
  for (const { to, uuidField, referenceField, nestedField } of entity.relations) {
    wantUuid(wanted, uuidIndex(to), object[uuidField]);
    if (referenceField !== undefined) wantKey(wanted, referenceIndex(to), object[referenceField]);
    const nested = nestedField === undefined ? undefined : object[nestedField];
    if (!isObject(nested)) continue;
    for (const match of to.matchedBy) wantMatch(wanted, match, nested[match.field]);
    want(wanted, to, nested);
  }
}

function wantUuid(wanted: Wanted, index: Index, value: unknown): void {
  if (typeof value === "string" && isUuid(value)) wanted[index.number]?.add(value.toLowerCase());
}

function wantKey(wanted: Wanted, index: Index, value: unknown): void {
  if (isUsableKey(value)) wanted[index.number]?.add(value);
}

function wantMatch(wanted: Wanted, match: Match, value: unknown): void {
  const index = matchIndex(match) as Index;
  if (match.toKey === undefined) wantKey(wanted, index, value);
  else if (isMatchable(value)) wanted[index.number]?.add(match.toKey(value));
}

/** More code units than the longest field that is matched, an e-mail address, can have. */
const maxMatchableLength = 640;

/** Text that something stored could be matched by. Megabytes of it are not worth normalizing. */
export function isMatchable(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxMatchableLength && isStorableText(value);
}
