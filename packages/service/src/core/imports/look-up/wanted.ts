import { isObject, isStorableText, isUuid, type Entity, type Match } from "@gatehouse-parking/contract";
import { isUsableKey } from "../read/submitted.js";
import { indexes, locationIndex, matchIndex, referenceIndex, uuidIndex, type Index } from "./indexes.js";

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
