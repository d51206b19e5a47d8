import {
  isObject,
  localTime,
  parseTimestamp,
  ReasonCode,
  reasonPrecedence,
  RecordStatus,
  utcOffsetSeconds,
  type Entity,
  type Relation,
} from "@gatehouse-parking/contract";
import { uuidv7 } from "../../uuidv7.js";
import { isMatchable, matchIndex, referenceIndex, uuidIndex, type Index } from "../look-up/indexes.js";
import type { LookupResult } from "../look-up/lookup-result.js";
import type { Candidate } from "../read/read-records.js";
import type { ResourceDefinition } from "../resources.js";
import type { Decision, Link, LocationOfEntity, NewEntity, Via } from "./decision.js";

type Fields = Record<string, unknown>;

/** A problem of a record: a failed check, or a reference that does not resolve. */
interface Finding {
  path: string;
  reasonCode: ReasonCode;
  message: string;
}

/** Skipped if the key is stored, Failed with all problems, or Created. */
export function judgeRecord(
  resource: ResourceDefinition,
  candidate: Candidate,
  lookup: LookupResult,
): Decision {
  const stored = candidate.key === undefined ? undefined : lookup.records.get(candidate.key);
  if (stored) return { status: RecordStatus.Skipped, stored };
  if (!candidate.source.isObject) return failed([notAnObject]);

  const { entity } = resource;
  const { record } = candidate;
  const findings: Finding[] = [...resource.check(record, candidate.source)];
  checkLocations(findings, entity, record, lookup);
  const resolutions = entity.relations.map((relation) => {
    const resolution = resolve(relation, record, lookup);
    checkResolution(findings, relation, record, resolution);
    return resolution;
  });
  return findings.length > 0 ? failed(findings) : created(entity, record, resolutions, lookup);
}

const notAnObject: Finding = {
  path: "",
  reasonCode: ReasonCode.ValidationFailed,
  message: "The record must be an object",
};

function failed(findings: readonly Finding[]): Decision {
  const codes = new Set(findings.map((finding) => finding.reasonCode));
  return {
    status: RecordStatus.Failed,
    reasonCode: reasonPrecedence.find((code) => codes.has(code)) as ReasonCode,
    detail: findings.map((finding) => finding.message).join("; "),
    paths: findings.map((finding) => finding.path),
  };
}

/** Checks the location of the record, then those of nested objects. `within`: the field of a nested object. */
function checkLocations(
  findings: Finding[],
  entity: Entity,
  object: Fields,
  lookup: LookupResult,
  within?: string,
): void {
  const uuid = entity.locationField === undefined ? undefined : object[entity.locationField];
  if (typeof uuid === "string" && lookup.timeZoneOf(uuid.toLowerCase()) === undefined) {
    const path = within === undefined ? `${entity.locationField}` : `${within}.${entity.locationField}`;
    addFinding(findings, {
      path,
      reasonCode: ReasonCode.LocationNotFound,
      message: `${path} is not a location of the organization`,
    });
  }
  for (const { to, nestedField } of entity.relations) {
    const nested = nestedField === undefined ? undefined : object[nestedField];
    if (isObject(nested)) checkLocations(findings, to, nested, lookup, nestedField);
  }
}

function checkResolution(
  findings: Finding[],
  relation: Relation,
  record: Fields,
  resolution: Resolution,
): void {
  const { to, uuidField, referenceField } = relation;
  const reasonCode = to.notFound as ReasonCode;
  if (resolution.kind === "not found") {
    const message = `${resolution.field} does not name ${to.noun} of the organization`;
    addFinding(findings, { path: resolution.field, reasonCode, message });
  }
  if (resolution.kind !== "none" || !relation.isRequired) return;
  const fields = [uuidField, referenceField].filter((field) => field !== undefined);
  // A field that is given, but not as a string, is reported as such and not as missing too.
  if (fields.some((field) => record[field] !== undefined && record[field] !== null)) return;
  findings.push({
    path: uuidField,
    reasonCode,
    message: `${fields.join(" or ")} is required to name ${to.noun} of the organization`,
  });
}

/** Reports one problem per field: a field that is too long or blank is not also reported as unknown. */
function addFinding(findings: Finding[], found: Finding): void {
  if (!findings.some((finding) => finding.path === found.path)) findings.push(found);
}

/** Keeps entities small, because thousands of them are in memory until they are written. */
function created(
  entity: Entity,
  record: Fields,
  resolutions: readonly Resolution[],
  lookup: LookupResult,
): Decision {
  const links = resolutions.map(() => noLink);
  const progress: Progress = { entity, links, creates: [], lookup };
  for (const [index, { to }] of entity.relations.entries())
    links[index] = link(to, resolutions[index] as Resolution, progress);
  const made = newEntity(entity, record, links, lookup, false);
  progress.creates.push(made);
  return { status: RecordStatus.Created, uuid: made.id, creates: progress.creates };
}

/** A record whose relations are being linked in order. */
interface Progress {
  entity: Entity;
  /** By relation, in order; noLink for those that follow. */
  links: readonly Link[];
  creates: NewEntity[];
  lookup: LookupResult;
}

const noLink: Link = { id: null, via: null };
const noLinks: readonly Link[] = [];
const droppedLink: Link = { id: null, via: "dropped" };

function link(to: Entity, resolution: Resolution, progress: Progress): Link {
  if (resolution.kind === "found") return resolution;
  if (resolution.kind !== "to create") return noLink;
  const fields = resolution.nested;
  const links =
    to.relations.length === 0
      ? noLinks
      : to.relations.map((relation) => linkOfNested(relation, fields, progress));
  if (to.relations.some(({ isRequired }, index) => isRequired && links[index]?.id === null))
    return droppedLink;
  const made = newEntity(to, fields, links, progress.lookup, true);
  progress.creates.push(made);
  return { id: made.id, via: "created" };
}

/** Links a nested object to the entity that it names. Only if it names none, it gets the one of the record. */
function linkOfNested({ to, uuidField, referenceField }: Relation, fields: Fields, progress: Progress): Link {
  const { entity, links, creates, lookup } = progress;
  const uuid = fields[uuidField];
  if (typeof uuid === "string")
    return { id: lookup.find(uuidIndex(to), uuid.toLowerCase()) ?? null, via: "uuid" };
  const reference = referenceField === undefined ? undefined : fields[referenceField];
  if (typeof reference === "string") {
    const known = lookup.find(referenceIndex(to), reference);
    const own = creates.find((made) => made.entity === to && made.fields[to.key as string] === reference);
    return { id: known ?? own?.id ?? null, via: "reference" };
  }
  return links[entity.relations.findIndex((relation) => relation.to === to)] ?? noLink;
}

function newEntity(
  entity: Entity,
  fields: Fields,
  links: readonly Link[],
  lookup: LookupResult,
  isNested: boolean,
): NewEntity {
  const matchKeys = entity.matchedBy.map(({ field, toKey }) => {
    const value = fields[field];
    if (typeof value !== "string") return undefined;
    return toKey ? toKey(value) : value;
  });
  const location = locate(entity, fields, lookup);
  return { entity, id: uuidv7(), fields, isNested, matchKeys, location, links };
}

/** The record has passed its checks, so a string is one of the organization's locations. */
function locate(entity: Entity, fields: Fields, lookup: LookupResult): LocationOfEntity | null {
  const uuid = entity.locationField === undefined ? undefined : fields[entity.locationField];
  if (typeof uuid !== "string") return null;
  const id = uuid.toLowerCase();
  const timeZone = lookup.timeZoneOf(id) as string;
  if (entity.localTimeOf === undefined)
    return { id, timeZone, utcOffsetSeconds: undefined, localTime: undefined };
  const moment = parseTimestamp(fields[entity.localTimeOf] as string) as number;
  const offset = utcOffsetSeconds(timeZone, moment);
  return { id, timeZone, utcOffsetSeconds: offset, localTime: localTime(moment, offset) };
}

/**
 * A relation is resolved by uuid, then by reference, then by the nested object, which is matched or created. An unknown
 * uuid fails the record. After an unknown reference, the nested object is used if there is one.
 */
export type Resolution =
  | { kind: "none" }
  | { kind: "found"; id: string; via: Via }
  | { kind: "to create"; nested: Record<string, unknown> }
  | { kind: "not found"; field: string };

const none: Resolution = { kind: "none" };

export function resolve(
  relation: Relation,
  record: Record<string, unknown>,
  lookup: LookupResult,
): Resolution {
  const { to, uuidField, referenceField, nestedField } = relation;
  const uuid = record[uuidField];
  if (typeof uuid === "string") {
    const id = lookup.find(uuidIndex(to), uuid.toLowerCase());
    return id === undefined ? { kind: "not found", field: uuidField } : { kind: "found", id, via: "uuid" };
  }
  const nested = nestedField === undefined ? undefined : record[nestedField];
  const reference = referenceField === undefined ? undefined : record[referenceField];
  if (typeof reference === "string") {
    const id = lookup.find(referenceIndex(to), reference);
    if (id !== undefined) return { kind: "found", id, via: "reference" };
    if (!isObject(nested)) return { kind: "not found", field: referenceField as string };
  }
  if (!isObject(nested)) return none;
  return findMatch(to, nested, lookup) ?? { kind: "to create", nested };
}

function findMatch(
  entity: Entity,
  nested: Record<string, unknown>,
  lookup: LookupResult,
): Resolution | undefined {
  for (const match of entity.matchedBy) {
    const value = nested[match.field];
    if (!isMatchable(value)) continue;
    const id = lookup.find(matchIndex(match) as Index, match.toKey?.(value) ?? value);
    if (id !== undefined) return { kind: "found", id, via: match.via };
  }
  return undefined;
}
