import {
  canonicalDecimal,
  isObject,
  parseTimestamp,
  type Entity,
  type Relation,
  maxMetadataDepth,
} from "@gatehouse-parking/contract";
import type { FieldDifference } from "@gatehouse-parking/contract/console";
import { scanValue } from "@gatehouse-parking/json-text";
import type { Column } from "../../core/entities/columns.js";
import { storedEntity } from "../../core/entities/entities.js";
import type { LinkColumns } from "../../core/entities/stored-entity.js";
import { isCandidate, type Candidate, type Submitted } from "../../core/imports/read/read-records.js";
import { linkedColumn, type StoredRow } from "./read-stored.js";

/** A value as the console shows it, and in a canonical form for comparison. */
interface Value {
  shown: string | null;
  compared: string | null;
}

/** A record by field. A relation is the set of identifiers that it can be matched by. Absent fields are not compared. */
export interface Comparable {
  fields: Map<string, Value>;
  relations: Map<string, Set<string>>;
}

export function compare(before: Comparable, after: Comparable): FieldDifference[] {
  const found: FieldDifference[] = [];
  for (const [field, sent] of after.fields) {
    const stored = before.fields.get(field);
    if (stored && stored.compared !== sent.compared)
      found.push({ field, stored: shorten(stored.shown), sent: shorten(sent.shown) });
  }
  for (const [field, sent] of after.relations) {
    const stored = before.relations.get(field);
    if (stored && !isSame(stored, sent))
      found.push({ field, stored: shorten(firstOf(stored)), sent: shorten(firstOf(sent)) });
  }
  return found;
}

/** Both are empty, or they share an identifier. */
function isSame(stored: Set<string>, sent: Set<string>): boolean {
  return sent.size === 0 ? stored.size === 0 : [...sent].some((name) => stored.has(name));
}

function firstOf(names: Set<string>): string | null {
  return [...names][0] ?? null;
}

/** Bounds the size of what is stored for a run. */
const maxShownLength = 1_000;

function shorten(text: string | null): string | null {
  return text !== null && text.length > maxShownLength ? `${text.slice(0, maxShownLength)}...` : text;
}

/** A record as it was sent. Undefined if it was not read, because it is a replay. */
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

/** The console shows the first one. */
function namesOf(...values: unknown[]): Set<string> {
  return new Set(values.filter((value): value is string => typeof value === "string"));
}

/** UUIDs are not case-sensitive; references are. */
function uuidName(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase() : undefined;
}

const nothing: Value = { shown: null, compared: null };
const plain = (text: string): Value => ({ shown: text, compared: text });
const number = (text: string): Value => ({ shown: text, compared: canonicalDecimal(text) });
const json = (text: string): Value => ({ shown: text, compared: canonicalJson(text) });

function sentValue(column: Column, { record, source }: Candidate): Value {
  const given = record[column.field] ?? column.default ?? null;
  if (given === null) return nothing;
  if (column.kind === "amount" && typeof given === "number")
    return number(source.numberSpelling(column.path) ?? String(given));
  if (column.kind === "json" && isObject(given)) return json(source.textAt(column.path) as string);
  if (typeof given !== "string") return plain(JSON.stringify(given));
  const moment = column.kind === "timestamp" ? parseTimestamp(given, true) : undefined;
  return plain(moment === undefined ? given : new Date(moment).toISOString());
}

function storedValue(column: Column, value: unknown): Value {
  if (value === null || value === undefined) return nothing;
  if (column.kind === "timestamp") return plain((value as Date).toISOString());
  if (column.kind === "amount") return number(value as string);
  if (column.kind === "json") return json(value as string);
  return plain(String(value));
}

/** Longer or deeper JSON is compared as text, because parsing it would block the event loop or overflow the stack. */
const maxComparedLength = 16_384;
/** An unterminated string extends to the end of the text, so that matching stays linear. */
const stringOrNumber = /"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.eE+-]*/gs;

/** Ignores the order of keys, spacing and escapes, but keeps every digit of a number. */
export function canonicalJson(text: string): string {
  if (text.length > maxComparedLength || scanValue(text, 0).depth > maxMetadataDepth) return text;
  const exact = text.replaceAll(stringOrNumber, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : `"n${canonicalDecimal(token)}"`,
  );
  return JSON.stringify(JSON.parse(exact), (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
