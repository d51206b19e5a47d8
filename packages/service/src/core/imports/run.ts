import type { ImportRun } from "@gatehouse-parking/contract";
import type { Statement } from "../database/pipeline.js";
import type { Log } from "../logger.js";
import type { ImportSettings } from "../organizations/settings.js";
import type { Tracer } from "../telemetry/tracer.js";
import type { Outcome } from "./judge/decision.js";
import type { ImportObserver } from "./observe.js";
import type { RunTimes } from "./report.js";
import type { ResourceDefinition } from "./resources.js";

/** One run of an import while it is worked on. */
export interface Run {
  log: Log;
  tracer: Tracer;
  resource: ResourceDefinition;
  /** Everything is done as for an import, and rolled back. */
  validateOnly: boolean;
  rules: OrganizationRules;
  identity: RunIdentity;
  origin: RunOrigin;
  participant: TransactionParticipant | undefined;
  observers: readonly ImportObserver[];
  /** Sent right behind the organization's lock. Its `take` throws if the caller may no longer import. */
  confirmation: Statement | undefined;
  startedAt: Date;
  startedMs: number;
  /** How long to ask whether a run was committed when its commit got no answer. */
  commitCheckTimeoutMs: number;
  /** How long to wait for the organization's lock, and for any other. */
  maxLockWaitMs: number;
}

/** What an organization has chosen for its imports, or an operator for it. It is read together with the key. */
export interface OrganizationRules extends ImportSettings {
  /** Whether the keys of records that were deleted stay known. Absent without the feature that deletes them. */
  keepsDeletedKeys?: boolean;
  /** Whether runs that end alike keep their exceptions once a day. */
  keepsReplaysOnce?: boolean;
}

/** Takes part in the transaction of a run: its statements are committed together with the run or not at all. */
export interface TransactionParticipant {
  /** Sent under the organization's lock, before anything is judged. Its `take` throws if the run must not go on. */
  guard: Statement;
  /** Called once the outcomes are known, again for each attempt. Not called for a run that only validates. */
  record(answer: ImportRun): Statement[];
}

/** A part of a batch whose rows are written, or will be with all others. */
export interface StoredPart {
  outcomes: Outcome[];
  /** The size of its rows, as COPY sends them. */
  bytes: number;
}

/** Who imports: every row of a run carries it. */
export interface RunIdentity {
  organizationId: string;
  runId: string;
  createdAt: string;
}

export interface RunOrigin {
  organizationId: string;
  apiKeyId: string | undefined;
  requestId: string;
  /** The envelope's metadata, as it was sent. */
  metadata: string | undefined;
}

export function endOf(run: Run): RunTimes {
  const durationMs = Math.max(0, Math.round(performance.now() - run.startedMs));
  return {
    startedAt: run.startedAt,
    completedAt: new Date(run.startedAt.getTime() + durationMs),
    durationMs,
  };
}
