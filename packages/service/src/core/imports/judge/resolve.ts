import { isObject, type Entity, type Relation } from "@gatehouse-parking/contract";
import { matchIndex, referenceIndex, uuidIndex, type Index } from "../look-up/indexes.js";
import { isMatchable } from "../look-up/wanted.js";
import type { World } from "../look-up/world.js";
import type { Via } from "./decision.js";

/**
 * How one relation of a record is resolved: by uuid if one is given, then by third-party reference, then by the
 * nested object, which is matched and otherwise to be created. A uuid that names nothing fails the record, whatever
 * else is given; a reference that names nothing gives way to a nested object.
 */
export type Resolution =
  | { kind: "none" }
  | { kind: "found"; id: string; via: Via }
  | { kind: "to create"; nested: Record<string, unknown> }
  | { kind: "not found"; field: string };

const none: Resolution = { kind: "none" };

export function resolve(relation: Relation, record: Record<string, unknown>, world: World): Resolution {
  const { to, uuidField, referenceField, nestedField } = relation;
  const uuid = record[uuidField];
  if (typeof uuid === "string") {
    const id = world.find(uuidIndex(to), uuid.toLowerCase());
    return id === undefined ? { kind: "not found", field: uuidField } : { kind: "found", id, via: "uuid" };
  }
  const nested = nestedField === undefined ? undefined : record[nestedField];
  const reference = referenceField === undefined ? undefined : record[referenceField];
  if (typeof reference === "string") {
    const id = world.find(referenceIndex(to), reference);
    if (id !== undefined) return { kind: "found", id, via: "reference" };
    if (!isObject(nested)) return { kind: "not found", field: referenceField as string };
  }
  if (!isObject(nested)) return none;
  return findMatch(to, nested, world) ?? { kind: "to create", nested };
}

function findMatch(entity: Entity, nested: Record<string, unknown>, world: World): Resolution | undefined {
  for (const match of entity.matchedBy) {
    const value = nested[match.field];
    if (!isMatchable(value)) continue;
    const id = world.find(matchIndex(match) as Index, match.toKey?.(value) ?? value);
    if (id !== undefined) return { kind: "found", id, via: match.via };
  }
  return undefined;
}
