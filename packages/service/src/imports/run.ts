import type { ImportRun } from "@gatehouse-parking/contract";
import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { nowMs } from "../clock.js";
import { describeError } from "../database/sqlstate.js";
import { uuidv7 } from "../uuidv7.js";
import { RequestRefused } from "../refusals/request-refused.js";
import type { ImportMetrics } from "../telemetry/metrics/imports.js";
import type { Batch } from "../json/read-body.js";
import { noAttributes, type Tracer } from "../telemetry/tracer.js";
import type { FailedRuns } from "./failed-runs.js";
import { recognize } from "./recognize.js";
import { perhapsStored, reportFatal, unstored } from "./report.js";
import type { ResourceDefinition } from "./resources.js";
import { endOf, store, type Run } from "./store.js";
import type { Turns } from "../scheduling/turns.js";
import { UnknownEnd } from "./unknown-end.js";
import { validate } from "./validate.js";

/**
 * The story of an import: validate, look up, decide, write, report. All of it that touches the database is one
 * transaction, under the row lock of its organization: imports of one organization are decided one after the other, on
 * whatever instance they arrive, so no two of them can race for a key, and none can deadlock. What came before, byte for
 * byte, is recognized at the door and takes no part in it.
 */
export interface ImportService {
  pool: pg.Pool;
  /** On one instance, only one import of an organization at a time holds a connection; the others wait without one. */
  turns: Turns;
  failedRuns: FailedRuns;
  metrics: Pick<ImportMetrics, "recordUnknownEnd">;
  /** For so long it is asked how a run ended whose commit brought no answer. */
  maxAskingMs: number;
  log: FastifyBaseLogger;
  tracer: Tracer;
}

export interface ImportRequest {
  resource: ResourceDefinition;
  organizationId: string;
  apiKeyId: string | undefined;
  /** Who uploaded it in the console. */
  uploader?: string | undefined;
  requestId: string;
  batch: Batch;
  /** Everything is done as for an import, and rolled back. */
  validateOnly: boolean;
}

/** `fatal`: every record is Failed 99; nothing was stored, or nobody can say whether it was, which the records then say. */
export interface ImportAnswer {
  run: ImportRun;
  fatal: boolean;
}

export async function runImport(service: ImportService, request: ImportRequest): Promise<ImportAnswer> {
  const run = begin(service, request);
  const replays = await run.step("recognize", () => recognize(service.pool, run, request.batch));
  const submitted = await run.step("read", () => validate(request.batch, request.resource, replays));
  try {
    const readAll = () => validate(request.batch, request.resource, []);
    const stored = await service.turns.take(request.organizationId, () =>
      store(service.pool, run, submitted, readAll),
    );
    return { run: stored, fatal: false };
  } catch (error) {
    if (error instanceof RequestRefused) throw error;
    const isUnknown = error instanceof UnknownEnd;
    if (isUnknown) service.metrics.recordUnknownEnd();
    run.log.error(
      describeError(error),
      isUnknown ? "the end of an import is not known: it may be stored" : "import failed as a whole",
    );
    const outcome = isUnknown ? perhapsStored : unstored;
    const failed = reportFatal(run.identity.runId, request.resource, endOf(run), submitted, outcome);
    // If it was stored after all, it stands as it is.
    if (!request.validateOnly) await service.failedRuns.record(run.origin, failed, submitted);
    return { run: failed, fatal: true };
  }
}

function begin(service: ImportService, request: ImportRequest): Run {
  const { resource, organizationId, apiKeyId, uploader, requestId, batch, validateOnly } = request;
  const startedAt = new Date(nowMs());
  const runId = uuidv7();
  return {
    log: service.log.child({ referenceUuid: runId }),
    step: (name, work) => service.tracer.span(name, noAttributes, work),
    resource,
    validateOnly,
    identity: { organizationId, runId, createdAt: startedAt.toISOString() },
    origin: { organizationId, apiKeyId, uploader, requestId, metadata: batch.metadata },
    startedAt,
    startedMs: performance.now(),
    maxAskingMs: service.maxAskingMs,
  };
}
