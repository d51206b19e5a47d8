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

/** A column that can be looked up, and the SQL of the result. */
export interface Index {
  /** Its position in `indexes`, in the statement and in the result. */
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
  // No record can refer to this entity.
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

/** By the partner's reference. */
export function referenceIndex(entity: Entity): Index {
  const match = entity.matchedBy.find(({ via }) => via === "reference") as Match;
  return byMatch.get(match) as Index;
}

/** The keys to look up, by index number. */
export type KeySets = Set<string>[];

export function emptyKeySets(): KeySets {
  return indexes.map(() => new Set<string>());
}

/** Collects the keys that an object and its nested objects name or can be matched by. */
export function collectKeys(keys: KeySets, entity: Entity, object: Record<string, unknown>): void {
  if (entity.locationField !== undefined) addUuid(keys, locationIndex, object[entity.locationField]);
  for (const { to, uuidField, referenceField, nestedField } of entity.relations) {
    addUuid(keys, uuidIndex(to), object[uuidField]);
    if (referenceField !== undefined) addKey(keys, referenceIndex(to), object[referenceField]);
    const nested = nestedField === undefined ? undefined : object[nestedField];
    if (!isObject(nested)) continue;
    for (const match of to.matchedBy) addMatch(keys, match, nested[match.field]);
    collectKeys(keys, to, nested);
  }
}

function addUuid(keys: KeySets, index: Index, value: unknown): void {
  if (typeof value === "string" && isUuid(value)) keys[index.number]?.add(value.toLowerCase());
}

function addKey(keys: KeySets, index: Index, value: unknown): void {
  if (isUsableKey(value)) keys[index.number]?.add(value);
}

function addMatch(keys: KeySets, match: Match, value: unknown): void {
  const index = matchIndex(match) as Index;
  if (match.toKey === undefined) addKey(keys, index, value);
  else if (isMatchable(value)) keys[index.number]?.add(match.toKey(value));
}

/** More code units than the longest field for matching, an email address, can have. */
const maxMatchableLength = 640;

/** Excludes texts that no stored entity can have, so that megabytes are never normalized. */
export function isMatchable(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxMatchableLength && isStorableText(value);
}
