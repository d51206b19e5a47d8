import type { Entity, EntityPlural, Match, ReasonCode } from "@gatehouse-parking/contract";
import type { StoredRecord } from "../look-up/world.js";

/** What becomes of a record: Created with all that it makes, Skipped because it is stored, or Failed with the fields that are wrong. */
export type Decision =
  | { status: 1; uuid: string; /** The record itself comes last. */ makes: readonly NewEntity[] }
  | { status: 3; stored: StoredRecord }
  | { status: 4; reasonCode: ReasonCode; detail: string; paths?: readonly string[] };

/** What is left of a decision once it is written down: what the answer tells, and what a run notes for people. */
export type Outcome = CreatedOutcome | Exclude<Decision, { status: 1 }>;

interface CreatedOutcome {
  status: 1;
  uuid: string;
  /** What the record's own `type` says, where it has one. */
  type: unknown;
  location: LocationOfEntity | null;
  /** The entities that were nested in the record and are created with it. */
  brought: readonly EntityPlural[];
}

/** The entities themselves are let go of, so that they need not be kept while the database stores them. */
export function outcomeOf(decision: Decision): Outcome {
  if (decision.status !== 1) return decision;
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
export function unstored(): Outcome & { status: 4 } {
  return {
    status: 4,
    reasonCode: 99,
    detail: "The record could not be stored; nothing of it was kept. Send it again.",
  };
}

/** The commit was sent, and the database was lost before it could say whether it arrived. */
export function perhapsStored(): Outcome & { status: 4 } {
  return {
    status: 4,
    reasonCode: 99,
    detail:
      "It is not known whether the record was stored: the database was lost at the last moment. Send it again; what is stored is skipped, never stored twice.",
  };
}
