import type { ImportRun } from "@gatehouse-parking/contract";
import type { Statement } from "../database/exchange.js";
import type { Log } from "../logger.js";
import type { RunTimes } from "./report.js";
import type { ResourceDefinition } from "./resources.js";

/** One run of an import while it is worked on. */
export interface Run {
  log: Log;
  /** Does a step of the story, under its name in traces. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  resource: ResourceDefinition;
  /** Everything is done as for an import, and rolled back. */
  validateOnly: boolean;
  /** Whether it may be kept what failed records had in their wrong fields. */
  keepsSentValues: boolean;
  identity: RunIdentity;
  origin: RunOrigin;
  companion: Companion | undefined;
  startedAt: Date;
  startedMs: number;
  /** How long to ask whether a run was committed when its commit got no answer. */
  maxAskingMs: number;
}

/** What is true together with a run or not at all, because it is written in the run's own transaction. */
export interface Companion {
  /** Under the organization's lock, before anything is judged. Its `take` throws if the run must not be. */
  guard: Statement;
  /** Once the outcomes are known; called again for each attempt. A run that only validates is not recorded. */
  record(answer: ImportRun): Statement[];
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
