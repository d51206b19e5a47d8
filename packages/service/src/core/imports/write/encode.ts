import { parseTimestamp, readDecimal, RecordStatus, type EntityPlural } from "@gatehouse-parking/contract";
import type { JsonRecord } from "@gatehouse-parking/json-text";
import { BinaryRows } from "../../database/copy-binary.js";
import { copyInto } from "../../database/copy-rows.js";
import type { Statement } from "../../database/pipeline.js";
import type { Column } from "../../entities/columns.js";
import { storedEntities, storedEntity } from "../../entities/entities.js";
import type { StoredEntity } from "../../entities/stored-entity.js";
import { TimeSlice } from "../../scheduling/time-slice.js";
import type { Decision, LocationOfEntity, NewEntity } from "../judge/decision.js";
import type { Candidate, Submitted } from "../read/read-records.js";
import type { RunIdentity } from "../run.js";

export type Rows = Record<EntityPlural, BinaryRows>;

/**
 * A record that was judged Created could not be encoded. That is an error of our own, and bisecting the batch keeps
 * it from failing other records.
 */
export class Unencodable extends Error {
  override name = "Unencodable";
}

/**
 * Turns decisions into the rows of each table, in the order of their keys: the larger a table, the farther apart random
 * keys lie in its index.
 */
export async function encode(
  run: RunIdentity,
  records: readonly Submitted[],
  decisions: readonly Decision[],
): Promise<Rows> {
  const rows = perTable((stored) => new BinaryRows(columnCounts.get(stored) as number));
  const made = madeByTable(records, decisions);
  const origin = {
    organizationId: BinaryRows.encoded((row) => row.addUuid(run.organizationId)),
    runId: BinaryRows.encoded((row) => row.addUuid(run.runId)),
    createdAt: BinaryRows.encoded((row) => row.addTimestamp(Date.parse(run.createdAt))),
  };
  const budget = new TimeSlice();
  for (const { table } of storedEntities) {
    for (const one of made[table].toSorted(byKey)) {
      encodeOne(rows[table], origin, one);
      if (budget.isSpent) await budget.giveWay();
    }
  }
  return rows;
}

/** An entity that is to be stored, and the record that makes it. */
interface Made {
  candidate: Candidate;
  entity: NewEntity;
}

function madeByTable(
  records: readonly Submitted[],
  decisions: readonly Decision[],
): Record<EntityPlural, Made[]> {
  const made = perTable((): Made[] => []);
  for (const [index, decision] of decisions.entries()) {
    if (decision.status !== RecordStatus.Created) continue;
    for (const entity of decision.makes)
      made[entity.entity.plural].push({ candidate: records[index] as Candidate, entity });
  }
  return made;
}

function perTable<Value>(make: (stored: StoredEntity) => Value): Record<EntityPlural, Value> {
  return Object.fromEntries(storedEntities.map((stored) => [stored.table, make(stored)])) as Record<
    EntityPlural,
    Value
  >;
}

function byKey({ entity: one }: Made, { entity: other }: Made): number {
  const key = one.matchKeys[0] ?? "";
  const otherKey = other.matchKeys[0] ?? "";
  if (key === otherKey) return 0;
  return key < otherKey ? -1 : 1;
}

/** What all rows of a run have in common, as it stands in each of them. */
type Origin = Record<keyof RunIdentity, Buffer>;

function encodeOne(rows: BinaryRows, origin: Origin, { candidate, entity }: Made): void {
  try {
    encodeEntity(rows, origin, candidate, entity);
  } catch (error) {
    throw new Unencodable(`The record at position ${candidate.position} cannot be encoded`, { cause: error });
  }
}

export function columnsOfTable(stored: StoredEntity): string[] {
  return [
    "organization_id",
    ...stored.columns.map(({ name }) => name),
    "id",
    ...stored.matches.filter(({ isDerived }) => isDerived).map(({ column }) => column),
    ...(stored.entity.locationField === undefined ? [] : ["location_id"]),
    ...(stored.entity.localTimeOf === undefined ? [] : ["time_zone", "utc_offset_seconds", "local_date"]),
    ...stored.links.flatMap(({ id, via }) => (via === undefined ? [id] : [id, via])),
    ...(stored.hasFingerprint ? ["fingerprint"] : []),
    "import_run_id",
    "position",
    "created_at",
  ];
}

const columnCounts = new Map(storedEntities.map((stored) => [stored, columnsOfTable(stored).length]));

/** In the order of the columns above. */
function encodeEntity(rows: BinaryRows, origin: Origin, candidate: Candidate, made: NewEntity): void {
  const stored = storedEntity(made.entity);
  rows.begin();
  rows.addEncoded(origin.organizationId);
  encodeColumns(rows, made.isNested ? stored.nestedColumns : stored.columns, made.fields, candidate.source);
  rows.addUuid(made.id);
  addMatchKeys(rows, stored, made);
  if (stored.entity.locationField !== undefined) rows.addUuidOrNull(made.location?.id);
  if (stored.entity.localTimeOf !== undefined) addLocalTime(rows, made);
  addLinks(rows, stored, made);
  if (stored.hasFingerprint) addFingerprint(rows, candidate, made);
  rows.addEncoded(origin.runId);
  rows.addInteger(candidate.position);
  rows.addEncoded(origin.createdAt);
  rows.end();
}

function addMatchKeys(rows: BinaryRows, { matches }: StoredEntity, { matchKeys }: NewEntity): void {
  for (const [order, { isDerived }] of matches.entries()) if (isDerived) rows.addTextOrNull(matchKeys[order]);
}

function addLocalTime(rows: BinaryRows, { location }: NewEntity): void {
  const { timeZone, utcOffsetSeconds, localTime } = location as Required<LocationOfEntity>;
  rows.addText(timeZone);
  rows.addInteger(utcOffsetSeconds as number);
  rows.addDate(localTime as number);
}

function addLinks(rows: BinaryRows, stored: StoredEntity, made: NewEntity): void {
  for (const [index, { via }] of stored.links.entries()) {
    const link = made.links[index];
    rows.addUuidOrNull(link?.id);
    if (via !== undefined) rows.addTextOrNull(link?.via);
  }
}

/** What is nested has no fingerprint of its own: it would be that of another text than its own record's. */
function addFingerprint(rows: BinaryRows, candidate: Candidate, made: NewEntity): void {
  if (made.isNested) rows.addNull();
  else rows.addBytes(candidate.fingerprint);
}

/** Appends the values of an object's columns to a row. */
function encodeColumns(
  rows: BinaryRows,
  columns: readonly Column[],
  object: Record<string, unknown>,
  source: JsonRecord,
): void {
  for (const column of columns) {
    const value = object[column.field] ?? column.default;
    if (value === undefined || value === null) rows.addNull();
    else encodeValue(rows, column, value, source);
  }
}

function encodeValue(rows: BinaryRows, column: Column, value: unknown, source: JsonRecord): void {
  switch (column.kind) {
    case "text":
      return rows.addText(value as string);
    case "flag":
      return rows.addFlag(value === true);
    case "timestamp":
      return rows.addTimestamp(parseTimestamp(value as string, true) as number);
    case "amount":
      return rows.addNumeric(spellingOf(value as number, source.numberSpelling(column.path)));
    case "json":
      return rows.addText(source.textAt(column.path) as string);
    case "choice":
      return rows.addSmallint(value as number);
    case "integer":
      return rows.addInteger(value as number);
  }
}

/** As it was sent; but a zero may be spelled with an exponent that has no end. */
function spellingOf(value: number, spelling: string | undefined): string {
  return spelling === undefined || (value === 0 && readDecimal(spelling).isZero) ? String(value) : spelling;
}

const tables = storedEntities.map((stored) => ({ name: stored.table, columns: columnsOfTable(stored) }));

/** Everything goes in by COPY, one a table, so the number of statements does not depend on the records. */
export function rowStatements(rows: Rows): Statement[] {
  return tables
    .filter(({ name }) => rows[name].count > 0)
    .map(({ name, columns }) => copyInto(name, columns, rows[name]));
}
