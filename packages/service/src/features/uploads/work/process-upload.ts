import type { ImportRun } from "@gatehouse-parking/contract";
import type pg from "pg";
import { PipelineQueue } from "../../../core/database/pipeline-queue.js";
import { transaction } from "../../../core/database/transaction.js";
import type { ImportAdmission } from "../../../core/imports/import-admission.js";
import { checkBatch } from "../../../core/imports/check-batch.js";
import { importBatch, type ImportService } from "../../../core/imports/import-batch.js";
import { findRecords } from "../../../core/imports/read/envelope.js";
import { resources, type ResourceDefinition } from "../../../core/imports/resources.js";
import { showSettings } from "../../../core/organizations/configure-organization.js";
import { Refused } from "../../../core/refusals/refused.js";
import { maxCpuMs, megabytes, showUploadStorage, type UploadSettings } from "../limits.js";
import { findFirstRun } from "../outcomes.js";
import { resetAttempts, type Claim } from "../queue.js";
import { undoRuns, type UndoParts } from "../undo-upload.js";
import { resourceNameOf, uploadColumns, type UploadRow } from "../uploads.js";
import { CpuBudget } from "./cpu-budget.js";
import { PreemptionTimer } from "./preemption.js";
import {
  guardStatement,
  progressOf,
  resultOfBatch,
  type BatchResult,
  type ImportedBatch,
  type Progress,
} from "./progress.js";
import { Speedometer } from "./speedometer.js";
import {
  countRows,
  openFile,
  splitBatches,
  UnreadableFile,
  withUserErrors,
  type OpenFile,
} from "./read-file.js";

export interface ProcessingParts extends UndoParts {
  imports: ImportService;
  admission: ImportAdmission;
  settings: UploadSettings;
}

/**
 * finished: every row is imported, or every import undone. stopped: `problem` says why. released: the upload returns to the queue;
 * `isCounted` if this attempt made no progress. dropped: the upload was paused or cancelled.
 */
export type UploadResult =
  | { end: "finished" }
  | { end: "released"; isCounted: boolean }
  | { end: "dropped" }
  | { end: "stopped"; problem: string };

/** A check holds no lock, so its batches can be larger than those of imports. */
const maxCheckedRows = 1_000;
/** If every row of the first batches fails, the file or its mapping is wrong. */
export const maxFailedBatches = 3;
/** Attempts without progress on all instances together. */
export const maxClaims = 10;
const tooManyAttempts =
  "The service could not process this file in several attempts. Resume to try again, and tell your operator";

/**
 * Processes an upload until it ends or yields to others. The row of the upload holds the progress, so that any worker can continue
 * after a crash.
 */
export async function processUpload(parts: ProcessingParts, claim: Claim): Promise<UploadResult> {
  const upload = await startWork(parts.pool, claim);
  if (!upload) return { end: "dropped" };
  if (claim.claims > maxClaims) return { end: "stopped", problem: tooManyAttempts };
  const timer = new PreemptionTimer(parts.pool, claim);
  try {
    if (upload.pass === "undo") {
      timer.beginBatches();
      return await undoRuns(parts, claim, upload, () => timer.mustYield());
    }
    return await processFile(parts, claim, upload, timer);
  } catch (error) {
    if (error === timer.signal.reason) return { end: "released", isCounted: true };
    if (error instanceof UnreadableFile) return { end: "stopped", problem: error.message };
    if (error instanceof Refused && error.refusal === "quotaExceeded")
      return { end: "stopped", problem: `${error.details.join(". ")}. Resume when there is room` };
    throw error;
  } finally {
    timer.stop();
  }
}

/** Continues after the last stored batch. The transaction of each batch also stores the progress of the upload. */
async function processFile(
  parts: ProcessingParts,
  claim: Claim,
  upload: UploadRow,
  timer: PreemptionTimer,
): Promise<UploadResult> {
  const resource = resources.find(({ name }) => name === resourceNameOf(upload)) as ResourceDefinition;
  const pace = new CpuBudget(maxCpuMs(upload.size_bytes));
  const signal = AbortSignal.any([parts.signal, timer.signal]);
  const open = () => pace.measure(() => openFile(parts.pool, upload, { signal, pace }));
  if (upload.total_rows === null || upload.columns === null) {
    const counted = await open();
    const total = await pace.measure(() => withUserErrors(() => countRows(counted, pace)));
    await saveDescription(parts.pool, claim, counted, total);
  }
  const file = await open();
  let progress = progressOf(upload);
  const maxRows = upload.pass === "check" ? maxCheckedRows : resource.maxRecords;
  const batches = splitBatches(file, { skipped: progress.decidedRows, maxRows, pace });
  const mustYield = () => timer.mustYield();
  let speed: Speedometer | undefined;
  try {
    for (let isFirst = true; ; isFirst = false) {
      const startedMs = performance.now();
      const { done, value: batch } = await pace.measure(() => withUserErrors(() => batches.next()));
      if (done) return { end: "finished" };
      if (isFirst) timer.beginBatches();
      speed ??= new Speedometer(progress.decidedRows);
      const problem =
        reasonToStop(upload, progress, resource) ?? (await storageProblem(parts, claim.organizationId));
      if (problem !== undefined) return { end: "stopped", problem };
      if (parts.signal.aborted || (!isFirst && (await mustYield())))
        return { end: "released", isCounted: false };
      const imported = { upload, before: progress, batch, speed };
      progress = await importRows(parts, claim, resource, imported);
      if (isFirst) await resetAttempts(parts.pool, claim);
      await parts.rest(performance.now() - startedMs);
    }
  } finally {
    await batches.return(undefined);
  }
}

async function startWork(
  pool: pg.Pool,
  { organizationId, uploadId, holder }: Claim,
): Promise<UploadRow | undefined> {
  const { rows } = await pool.query<UploadRow>(
    `update uploads set state = 'working', holder = $3
     where organization_id = $1 and id = $2 and state in ('waiting', 'working') returning ${uploadColumns}`,
    [organizationId, uploadId, holder],
  );
  return rows[0];
}

/** Stores facts that are known once the file was read to its end. Keeps columns that are already stored: a person may have been erased from them. */
async function saveDescription(
  pool: pg.Pool,
  { organizationId, uploadId, holder }: Claim,
  { columns, reading, setAside }: OpenFile,
  total: number,
): Promise<void> {
  await pool.query(
    `update uploads set columns = coalesce(columns, $4), reading = $5, set_aside_count = $6, total_rows = $7
     where organization_id = $1 and id = $2 and holder = $3`,
    [
      organizationId,
      uploadId,
      holder,
      JSON.stringify(columns),
      reading === "" ? null : reading.replaceAll("\0", "\ufffd"),
      setAside,
      total,
    ],
  );
}

export function reasonToStop(
  upload: Pick<UploadRow, "is_insistent">,
  { decidedRows, failed }: Pick<Progress, "decidedRows" | "failed">,
  { maxRecords }: Pick<ResourceDefinition, "maxRecords">,
): string | undefined {
  const isWrong =
    !upload.is_insistent && failed === decidedRows && decidedRows >= maxFailedBatches * maxRecords;
  if (!isWrong) return undefined;
  return `All of the first ${decidedRows.toLocaleString("en")} rows failed, so the file or its mapping is probably wrong. Correct the mapping and start again, or resume to import the rest anyway`;
}

/** The stored outcomes of rows count towards the storage of uploads. */
export async function storageProblem(
  { pool, settings }: Pick<ProcessingParts, "pool" | "settings">,
  organizationId: string,
): Promise<string | undefined> {
  const { storedBytes, maxStoredBytes } = await showUploadStorage(pool, settings, organizationId);
  if (storedBytes <= maxStoredBytes) return undefined;
  return `The uploads of the organization and the outcomes of their rows use ${megabytes(storedBytes)} of ${megabytes(maxStoredBytes)}. Remove some of them, then resume`;
}

async function importRows(
  parts: ProcessingParts,
  claim: Claim,
  resource: ResourceDefinition,
  imported: ImportedBatch,
): Promise<Progress> {
  const { upload, before, batch } = imported;
  const texts = batch.rows.flatMap(({ text }) => text ?? []);
  const store = (run: ImportRun | undefined) =>
    storeResult(parts.pool, claim, before, resultOfBatch(imported, run));
  if (texts.length === 0) return store(undefined);
  const metadata = { source: "console upload", file: upload.file_name, upload: upload.id };
  const request = {
    resource,
    organizationId: claim.organizationId,
    apiKeyId: undefined,
    rules: await showSettings(parts.pool, claim.organizationId),
    requestId: `upload ${upload.id}`,
    findRecords: () => findRecords(texts, JSON.stringify(metadata)),
  };
  const fileRunId = (await findFirstRun(parts.pool, upload)) ?? "this";
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const release = await parts.admission.reserve(claim.organizationId, length);
  if (upload.pass === "check") return store(await checkBatch(parts.imports, request).finally(release));
  let result: BatchResult | undefined;
  const { fatal, error } = await importBatch(parts.imports, {
    ...request,
    validateOnly: false,
    fileRunId,
    participant: {
      guard: guardStatement(claim, "decided_rows", before.decidedRows),
      record: (answer) => (result = resultOfBatch(imported, answer)).statements,
    },
  }).finally(release);
  // The next attempt reads from the upload's row whether the batch was stored.
  if (fatal) throw error;
  return (result as BatchResult | undefined)?.progress as Progress;
}

/** For batches that no import stores. */
async function storeResult(
  pool: pg.Pool,
  claim: Claim,
  before: Progress,
  { progress, statements }: BatchResult,
): Promise<Progress> {
  await transaction(pool, async (client) => {
    const queue = new PipelineQueue(client);
    await queue.send(guardStatement(claim, "decided_rows", before.decidedRows));
    await queue.send(...statements);
  });
  return progress;
}
