import { isObject, type Entity, type Relation } from "@gatehouse-parking/contract";
import { storedEntity } from "../../entities/entities.js";
import type { LinkColumns } from "../../entities/stored-entity.js";
import { isCandidate, type Submitted } from "../read/submitted.js";
import type { Comparable } from "./compare.js";
import { linkedColumn, type StoredRow } from "./read-stored.js";
import { sentValue, storedValue } from "./values.js";

/** A record as it was sent. Undefined: it was not read, because it is a replay. */
export function fromSent(entity: Entity, candidate: Submitted | undefined): Comparable | undefined {
  if (!candidate || !isCandidate(candidate)) return undefined;
  const { record } = candidate;
  const { columns } = storedEntity(entity);
  const relations: Comparable["relations"] = new Map();
  if (entity.locationField !== undefined)
    relations.set("location", namesOf(uuidName(record[entity.locationField])));
  for (const relation of entity.relations) relations.set(relation.name, sentNames(relation, record));
  return {
    fields: new Map(columns.map((column) => [column.field, sentValue(column, candidate)])),
    relations,
  };
}

function sentNames(relation: Relation, record: Record<string, unknown>): Set<string> {
  const { to, uuidField, referenceField, nestedField } = relation;
  const byUuid = namesOf(uuidName(record[uuidField]));
  if (byUuid.size > 0) return byUuid;
  const reference = referenceField === undefined ? undefined : record[referenceField];
  const nested = nestedField === undefined ? undefined : record[nestedField];
  if (!isObject(nested)) return namesOf(reference);
  const keys = to.matchedBy.map(({ field, toKey }) => {
    const value = nested[field];
    return typeof value === "string" && toKey ? toKey(value) : value;
  });
  return namesOf(reference, ...keys);
}

/** A record as it is stored. */
export function fromRow(entity: Entity, row: StoredRow | undefined): Comparable | undefined {
  if (!row) return undefined;
  const { columns, links } = storedEntity(entity);
  const relations: Comparable["relations"] = new Map();
  if (entity.locationField !== undefined) relations.set("location", namesOf(row["location_id"]));
  for (const link of links) relations.set(link.relation.name, storedNames(link, row));
  return {
    fields: new Map(columns.map((column) => [column.field, storedValue(column, row[column.name])])),
    relations,
  };
}

function storedNames({ relation, id }: LinkColumns, row: StoredRow): Set<string> {
  const { matches } = storedEntity(relation.to);
  return namesOf(...matches.map(({ column }) => row[linkedColumn(relation.name, column)]), row[id]);
}

/** The first name is the one that is shown. */
function namesOf(...values: unknown[]): Set<string> {
  return new Set(values.filter((value): value is string => typeof value === "string"));
}

/** The case of a uuid's letters means nothing; that of a reference does. */
function uuidName(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase() : undefined;
}
