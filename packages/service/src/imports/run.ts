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
  identity: RunIdentity;
  origin: RunOrigin;
  startedAt: Date;
  startedMs: number;
  /** How long to ask whether a run was committed when its commit got no answer. */
  maxAskingMs: number;
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
  /** Who uploaded it in the console. Such a run has no key, so the trail is what says whose it was. */
  uploader?: string | undefined;
}

export function endOf(run: Run): RunTimes {
  const durationMs = Math.max(0, Math.round(performance.now() - run.startedMs));
  return {
    startedAt: run.startedAt,
    completedAt: new Date(run.startedAt.getTime() + durationMs),
    durationMs,
  };
}
