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

/** A Created record cannot be encoded, because of a bug. Bisecting the batch keeps it from failing other records. */
export class EncodingError extends Error {
  override name = "EncodingError";
}

/** Encodes the rows of each table, sorted by key, so that neighbouring index pages are written together. */
export async function encode(
  run: RunIdentity,
  records: readonly Submitted[],
  decisions: readonly Decision[],
): Promise<Rows> {
  const rows = byTable((stored) => new BinaryRows(columnCounts.get(stored) as number));
  const sources = newEntitiesByTable(records, decisions);
  const origin = {
    organizationId: BinaryRows.encoded((row) => row.addUuid(run.organizationId)),
    runId: BinaryRows.encoded((row) => row.addUuid(run.runId)),
    createdAt: BinaryRows.encoded((row) => row.addTimestamp(Date.parse(run.createdAt))),
  };
  const budget = new TimeSlice();
  for (const { table } of storedEntities) {
    for (const one of sources[table].toSorted(byKey)) {
      encodeRow(rows[table], origin, one);
      if (budget.isSpent) await budget.giveWay();
    }
  }
  return rows;
}

/** An entity that is to be stored, and the record that creates it. */
interface RowSource {
  candidate: Candidate;
  entity: NewEntity;
}

function newEntitiesByTable(
  records: readonly Submitted[],
  decisions: readonly Decision[],
): Record<EntityPlural, RowSource[]> {
  const sources = byTable((): RowSource[] => []);
  for (const [index, decision] of decisions.entries()) {
    if (decision.status !== RecordStatus.Created) continue;
    for (const entity of decision.creates)
      sources[entity.entity.plural].push({ candidate: records[index] as Candidate, entity });
  }
  return sources;
}

function byTable<Value>(make: (stored: StoredEntity) => Value): Record<EntityPlural, Value> {
  return Object.fromEntries(storedEntities.map((stored) => [stored.table, make(stored)])) as Record<
    EntityPlural,
    Value
  >;
}

function byKey({ entity: one }: RowSource, { entity: other }: RowSource): number {
  const key = one.matchKeys[0] ?? "";
  const otherKey = other.matchKeys[0] ?? "";
  if (key === otherKey) return 0;
  return key < otherKey ? -1 : 1;
}

/** The encoded values that all rows of a run share. */
type Origin = Record<keyof RunIdentity, Buffer>;

function encodeRow(rows: BinaryRows, origin: Origin, { candidate, entity }: RowSource): void {
  try {
    encodeEntity(rows, origin, candidate, entity);
  } catch (error) {
    throw new EncodingError(`The record at position ${candidate.position} cannot be encoded`, {
      cause: error,
    });
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

/** Nested entities have no fingerprint, because it would differ from that of their record on its endpoint. */
function addFingerprint(rows: BinaryRows, candidate: Candidate, made: NewEntity): void {
  if (made.isNested) rows.addNull();
  else rows.addBytes(candidate.fingerprint);
}

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

/** The number as sent, except a zero, which may have an exponent of any length. */
function spellingOf(value: number, spelling: string | undefined): string {
  return spelling === undefined || (value === 0 && readDecimal(spelling).isZero) ? String(value) : spelling;
}

const tables = storedEntities.map((stored) => ({ name: stored.table, columns: columnsOfTable(stored) }));

/** One COPY per table, so the number of statements does not depend on the number of records. */
export function rowStatements(rows: Rows): Statement[] {
  return tables
    .filter(({ name }) => rows[name].count > 0)
    .map(({ name, columns }) => copyInto(name, columns, rows[name]));
}
