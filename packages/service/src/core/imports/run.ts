import type { ImportRun } from "@gatehouse-parking/contract";
import type { Statement } from "../database/pipeline.js";
import type { Check } from "../database/transaction.js";
import type { Log } from "../logger.js";
import type { ImportSettings } from "../organizations/settings.js";
import type { Tracer } from "../telemetry/tracer.js";
import type { Outcome } from "./judge/decision.js";
import type { ImportObserver } from "./observe.js";
import type { RunTimes } from "./report.js";
import type { ResourceDefinition } from "./resources.js";

/** An import in progress. */
export interface Run {
  log: Log;
  tracer: Tracer;
  resource: ResourceDefinition;
  /** Runs the import and rolls it back. */
  validateOnly: boolean;
  rules: OrganizationRules;
  identity: RunIdentity;
  origin: RunOrigin;
  participant: TransactionParticipant | undefined;
  observers: readonly ImportObserver[];
  /** Sent right after the organization's lock. Its `take` throws if the caller may no longer import. */
  confirmation: Statement | undefined;
  startedAt: Date;
  startedMs: number;
  /** How long to poll for the outcome of a commit that got no answer. */
  commitCheckTimeoutMs: number;
  /** How long to wait for any lock. */
  maxLockWaitMs: number;
}

/** The settings for the imports of an organization. The gate reads them together with the key. */
export interface OrganizationRules extends ImportSettings {
  /** Whether keys of deleted records are remembered. Absent without the retention feature. */
  keepsDeletedKeys?: boolean;
  /** Whether identical resends are stored once a day. Absent without the retention feature. */
  keepsReplaysOnce?: boolean;
}

/** Adds statements to the transaction of a run. */
export interface TransactionParticipant {
  /** Sent under the organization's lock, before the look-up. Its `take` throws if the run must not continue. */
  guard: Statement;
  /** Called for each attempt once the outcomes are known, but not when only validating. */
  record(answer: ImportRun): Statement[];
  /** Runs last. Throws to roll the run back. */
  check?: Check | undefined;
}

/** A part of a batch whose rows are sent or queued. */
export interface StoredPart {
  outcomes: Outcome[];
  /** The size of its rows, as COPY sends them. */
  bytes: number;
}

/** Every row of a run has these values. */
export interface RunIdentity {
  organizationId: string;
  runId: string;
  createdAt: string;
}

export interface RunOrigin {
  organizationId: string;
  apiKeyId: string | undefined;
  requestId: string;
  /** The exact text of the envelope's metadata. */
  metadata: string | undefined;
  /** The first run of the file that the run is part of. Absent: it is not part of a file. */
  fileRunId?: string | undefined;
}

export function timesOf(run: Run): RunTimes {
  const durationMs = Math.max(0, Math.round(performance.now() - run.startedMs));
  return {
    startedAt: run.startedAt,
    completedAt: new Date(run.startedAt.getTime() + durationMs),
    durationMs,
  };
}
