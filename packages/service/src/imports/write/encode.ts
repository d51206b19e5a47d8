import type { EntityPlural } from "@gatehouse-parking/contract";
import { CopyLine, copyHex, copyNull, copyText, sqlDate, type CopyValue } from "../../database/copy-text.js";
import { storedEntities, storedEntity } from "../../entities/entities.js";
import type { StoredEntity } from "../../entities/stored-entity.js";
import { YieldBudget } from "../../scheduling/yield-budget.js";
import type { Decision, LocationOfEntity, NewEntity } from "../judge/decision.js";
import type { Candidate, Submitted } from "../read/submitted.js";
import type { RunIdentity } from "../run.js";
import { encodeColumns } from "./encode-columns.js";

/** The rows of each table, in COPY's text format. */
export type Lines = Record<EntityPlural, string[]>;

/** A record that was judged to be stored cannot be written down: an error of our own, which careful mode makes its alone. */
export class Unencodable extends Error {
  override name = "Unencodable";
}

/** Turns decisions into rows. */
export async function encode(
  run: RunIdentity,
  records: readonly Submitted[],
  decisions: readonly Decision[],
): Promise<Lines> {
  const lines = noLines();
  const budget = new YieldBudget();
  for (const [index, decision] of decisions.entries()) {
    if (decision.status === 1) encodeRecord(lines, run, records[index] as Candidate, decision.makes);
    if (budget.isSpent) await budget.giveWay();
  }
  return lines;
}

function noLines(): Lines {
  return Object.fromEntries(storedEntities.map(({ table }) => [table, []])) as unknown as Lines;
}

function encodeRecord(
  lines: Lines,
  run: RunIdentity,
  candidate: Candidate,
  makes: readonly NewEntity[],
): void {
  try {
    for (const made of makes) lines[made.entity.plural].push(encodeEntity(run, candidate, made));
  } catch (error) {
    throw new Unencodable(`The record at position ${candidate.position} cannot be encoded`, { cause: error });
  }
}

/** Behind the organization, which is the same in all lines, comes the key: sorting lines as text sorts them by key. */
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
