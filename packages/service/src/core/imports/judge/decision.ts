import {
  ReasonCode,
  RecordStatus,
  type Entity,
  type EntityPlural,
  type Match,
} from "@gatehouse-parking/contract";
import type { FieldDifference } from "@gatehouse-parking/contract/console";
import type { StoredRecord } from "../look-up/lookup-result.js";

export type Decision = Created | Skipped | Failed;

export interface Created {
  status: typeof RecordStatus.Created;
  uuid: string;
  /** The entities to create: the related ones, then the record itself. */
  creates: readonly NewEntity[];
}

export interface Skipped {
  status: typeof RecordStatus.Skipped;
  /** The record with the same key. */
  stored: StoredRecord;
  /** The fields that were sent with other values. Undefined if there are none, or if no feature compares them. */
  differences?: readonly FieldDifference[];
}

export interface Failed {
  status: typeof RecordStatus.Failed;
  reasonCode: ReasonCode;
  detail: string;
  /** The invalid fields. */
  paths?: readonly string[];
}

/** What the answer and the observers need of a decision after its entities are encoded. */
export type Outcome = CreatedOutcome | Skipped | Failed;

interface CreatedOutcome {
  status: typeof RecordStatus.Created;
  uuid: string;
  /** The `type` of the record, if it has one. */
  type: unknown;
  location: LocationOfEntity | null;
  /** The nested entities that are created with the record. */
  related: readonly EntityPlural[];
}

/** Drops the entities, so that they do not stay in memory while the database stores them. */
export function outcomeOf(decision: Decision): Outcome {
  if (decision.status !== RecordStatus.Created) return decision;
  const { status, uuid, creates } = decision;
  const own = creates.at(-1) as NewEntity;
  const related = creates.slice(0, -1).map(({ entity }) => entity.plural);
  return { status, uuid, type: own.fields["type"], location: own.location, related };
}

/** An entity to store: the record itself or an object nested in it. */
export interface NewEntity {
  entity: Entity;
  id: string;
  fields: Record<string, unknown>;
  isNested: boolean;
  /** One for each of the entity's `matchedBy`, in their order. */
  matchKeys: readonly (string | undefined)[];
  location: LocationOfEntity | null;
  /** One for each relation of the entity, in their order. */
  links: readonly Link[];
}

/** Its location, and the local time there if the entity has a moment. */
export interface LocationOfEntity {
  id: string;
  timeZone: string;
  utcOffsetSeconds: number | undefined;
  localTime: number | undefined;
}

/** How a relation was resolved; null where the record has none. */
export interface Link {
  id: string | null;
  via: Via | null;
}

/** "dropped": it was sent, but its required relation does not resolve. */
export type Via = Match["via"] | "uuid" | "created" | "dropped";

/** An error of the service or its database. Nothing of the record is stored. */
export function notStored(): Failed {
  return {
    status: RecordStatus.Failed,
    reasonCode: ReasonCode.InternalError,
    detail: "The record could not be stored; nothing of it was kept. Send it again.",
  };
}

/** The connection was lost while the commit was in progress. */
export function maybeStored(): Failed {
  return {
    status: RecordStatus.Failed,
    reasonCode: ReasonCode.InternalError,
    detail:
      "It is not known whether the record was stored, because the connection to the database was lost during the commit. Send it again; a stored record is skipped and never stored twice.",
  };
}
