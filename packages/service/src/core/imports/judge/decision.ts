import {
  ReasonCode,
  RecordStatus,
  type Entity,
  type EntityPlural,
  type Match,
} from "@gatehouse-parking/contract";
import type { StoredRecord } from "../look-up/lookup-result.js";

/** What becomes of a record. */
export type Decision = Created | Skipped | Failed;

export interface Created {
  status: typeof RecordStatus.Created;
  uuid: string;
  /** All entities that are created with the record. The record itself comes last. */
  makes: readonly NewEntity[];
}

export interface Skipped {
  status: typeof RecordStatus.Skipped;
  /** The record that has the same key. */
  stored: StoredRecord;
}

export interface Failed {
  status: typeof RecordStatus.Failed;
  reasonCode: ReasonCode;
  detail: string;
  /** The fields that are wrong. */
  paths?: readonly string[];
}

/** What is left of a decision once it is written down: what the answer tells, and what a run notes for people. */
export type Outcome = CreatedOutcome | Skipped | Failed;

interface CreatedOutcome {
  status: typeof RecordStatus.Created;
  uuid: string;
  /** What the record's own `type` says, where it has one. */
  type: unknown;
  location: LocationOfEntity | null;
  /** The entities that were nested in the record and are created with it. */
  brought: readonly EntityPlural[];
}

/** Drops the entities themselves, so that they are not held in memory while the database stores them. */
export function outcomeOf(decision: Decision): Outcome {
  if (decision.status !== RecordStatus.Created) return decision;
  const { status, uuid, makes } = decision;
  const own = makes.at(-1) as NewEntity;
  const brought = makes.slice(0, -1).map(({ entity }) => entity.plural);
  return { status, uuid, type: own.fields["type"], location: own.location, brought };
}

/** An entity that is to be stored: the record itself, or an object that is nested in it. */
export interface NewEntity {
  entity: Entity;
  id: string;
  fields: Record<string, unknown>;
  isNested: boolean;
  /** What it will be recognized by: one for each of the entity's `matchedBy`, in their order. */
  matchKeys: readonly (string | undefined)[];
  location: LocationOfEntity | null;
  /** One for each relation of the entity, in their order. */
  links: readonly Link[];
}

/** Where it is, and what the clock there showed at the moment that the entity tells of, if it tells of one. */
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

/** "dropped": it was given, but cannot be stored without what it depends on. */
export type Via = Match["via"] | "uuid" | "created" | "dropped";

/** An error of the service or its database: nothing was kept, and the record can be sent again. */
export function unstored(): Failed {
  return {
    status: RecordStatus.Failed,
    reasonCode: ReasonCode.InternalError,
    detail: "The record could not be stored; nothing of it was kept. Send it again.",
  };
}

/** The commit was sent, and the database was lost before it could say whether it arrived. */
export function perhapsStored(): Failed {
  return {
    status: RecordStatus.Failed,
    reasonCode: ReasonCode.InternalError,
    detail:
      "It is not known whether the record was stored: the database was lost at the last moment. Send it again; what is stored is skipped, never stored twice.",
  };
}
