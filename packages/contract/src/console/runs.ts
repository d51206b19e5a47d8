import type { CreatedEntities, ImportResource, RunStatus } from "../index.js";
import type { CursorQuery, ExactJson, Timestamp, Uuid } from "./common.js";

export interface RunsQuery extends CursorQuery {
  resource?: ImportResource;
  status?: RunStatus;
  apiKey?: Uuid;
  /** Runs started at or after. */
  from?: Timestamp;
  /** Runs started before. */
  to?: Timestamp;
}

export interface RunSummary {
  referenceUuid: Uuid;
  resource: ImportResource;
  status: RunStatus;
  startedAt: Timestamp;
  completedAt: Timestamp;
  durationMs: number;
  totalSubmitted: number;
  successCount: number;
  failedCount: number;
  skippedCount: number;
  /** Null: imported in the console by a signed-in person. */
  apiKey: { uuid: Uuid; name: string; prefix: string } | null;
}

export interface RunDetail extends RunSummary {
  createdEntities: CreatedEntities;
  metadata: ExactJson | null;
  requestId: string | null;
  /** By position. Of the failures, the first 100 are kept; `failuresNotKept` says how many more there were. */
  results: RunResult[];
  failuresNotKept: number;
  /** Of the kept failures, most frequent first. */
  failureGroups: FailureGroup[];
  /** How many Skipped records differed from what is stored. */
  differingCount: number;
  /** How many nested subscriptions were dropped because no account was resolved. */
  droppedSubscriptionCount: number;
}

export interface RunResult {
  /** Index in the request, from 0. */
  position: number;
  reference: string;
  /** 1 Created, 3 Skipped, 4 Failed. */
  status: 1 | 3 | 4;
  uuid?: Uuid;
  reasonCode?: number;
  errorDetail?: string;
  /** Created transactions: how each relation was found or made. */
  trace?: ResolutionTrace;
  /** Skipped with another payload than the stored one. */
  differences?: FieldDifference[];
}

export type ResolvedVia =
  | "uuid"
  | "reference"
  | "email"
  | "phone"
  | "plate"
  | "created"
  | "dropped"
  | (string & {});
export interface ResolvedRelation {
  via: ResolvedVia;
  /** Null when dropped. */
  uuid: Uuid | null;
}
/** Relations that the record did not have are absent. */
export interface ResolutionTrace {
  account?: ResolvedRelation;
  contact?: ResolvedRelation;
  vehicle?: ResolvedRelation;
  subscription?: ResolvedRelation;
}

/** Values as text, long ones cut; null: the field was absent on that side. */
export interface FieldDifference {
  field: string;
  stored: string | null;
  sent: string | null;
}

export interface FailureGroup {
  reasonCode: number;
  name: string;
  meaning: string;
  advice: string;
  count: number;
  /** How many of them the run has kept. */
  keptCount: number;
  /** The first few, to look at. */
  examples: { position: number; reference: string; errorDetail: string }[];
}
