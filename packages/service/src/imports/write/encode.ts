import type { EntityPlural } from "@gatehouse-parking/contract";
import {
  CopyLine,
  CopyRows,
  copyHex,
  copyNull,
  copyText,
  sqlDate,
  type CopyValue,
} from "../../database/copy-text.js";
import { storedEntities, storedEntity } from "../../entities/entities.js";
import type { StoredEntity } from "../../entities/stored-entity.js";
import { YieldBudget } from "../../scheduling/yield-budget.js";
import type { Decision, LocationOfEntity, NewEntity } from "../judge/decision.js";
import type { Candidate, Submitted } from "../read/submitted.js";
import type { RunIdentity } from "../run.js";
import { encodeColumns } from "./encode-columns.js";

export type Rows = Record<EntityPlural, CopyRows>;

/** A record that was judged to be stored cannot be written down: an error of our own, which careful mode makes its alone. */
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
  const rows = perTable(() => new CopyRows());
  const made = madeByTable(records, decisions);
  const budget = new YieldBudget();
  for (const { table } of storedEntities) {
    for (const one of made[table].toSorted(byKey)) {
      rows[table].add(encodeOne(run, one));
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
    if (decision.status !== 1) continue;
    for (const entity of decision.makes)
      made[entity.entity.plural].push({ candidate: records[index] as Candidate, entity });
  }
  return made;
}

function perTable<Value>(make: () => Value): Record<EntityPlural, Value> {
  return Object.fromEntries(storedEntities.map(({ table }) => [table, make()])) as Record<
    EntityPlural,
    Value
  >;
}

function byKey({ entity: one }: Made, { entity: other }: Made): number {
  const [key = ""] = one.matchKeys;
  const [otherKey = ""] = other.matchKeys;
  if (key === otherKey) return 0;
  return key < otherKey ? -1 : 1;
}

function encodeOne(run: RunIdentity, { candidate, entity }: Made): string {
  try {
    return encodeEntity(run, candidate, entity);
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

const emptyLines = new Map(
  storedEntities.map((stored) => [stored, new CopyLine(columnsOfTable(stored).length)]),
);

/** In the order of the columns above. */
function encodeEntity(run: RunIdentity, candidate: Candidate, made: NewEntity): string {
  const stored = storedEntity(made.entity);
  const line = (emptyLines.get(stored) as CopyLine).begin();
  line.add(run.organizationId);
  encodeColumns(line, made.isNested ? stored.nestedColumns : stored.columns, made.fields, candidate.source);
  line.add(made.id);
  addMatchKeys(line, stored, made);
  if (stored.entity.locationField !== undefined) line.add(made.location?.id ?? copyNull);
  if (stored.entity.localTimeOf !== undefined) addLocalTime(line, made);
  addLinks(line, stored, made);
  if (stored.hasFingerprint) line.add(fingerprintOf(candidate, made));
  line.add(run.runId);
  line.add(String(candidate.position));
  line.add(run.createdAt);
  return line.end();
}

function addMatchKeys(line: CopyLine, { matches }: StoredEntity, { matchKeys }: NewEntity): void {
  for (const [order, { isDerived }] of matches.entries()) {
    if (!isDerived) continue;
    const key = matchKeys[order];
    line.add(key === undefined ? copyNull : copyText(key));
  }
}

function addLocalTime(line: CopyLine, { location }: NewEntity): void {
  const { timeZone, utcOffsetSeconds, localTime } = location as Required<LocationOfEntity>;
  line.add(copyText(timeZone));
  line.add(String(utcOffsetSeconds));
  line.add(sqlDate(localTime as number));
}

function addLinks(line: CopyLine, stored: StoredEntity, made: NewEntity): void {
  for (const [index, { via }] of stored.links.entries()) {
    const link = made.links[index];
    line.add(link?.id ?? copyNull);
    if (via !== undefined) line.add(link?.via ?? copyNull);
  }
}

/** What is nested has no fingerprint of its own: it would be that of another text than its own record's. */
function fingerprintOf(candidate: Candidate, made: NewEntity): CopyValue {
  return made.isNested ? copyNull : copyHex(candidate.fingerprint);
}
