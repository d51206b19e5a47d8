import type pg from "pg";
import { PipelineQueue } from "../../../core/database/pipeline-queue.js";
import { transaction } from "../../../core/database/transaction.js";
import type { ImportAdmission } from "../../../core/imports/import-admission.js";
import { importBatch, type ImportService } from "../../../core/imports/import-batch.js";
import { findRecords } from "../../../core/imports/read/envelope.js";
import { Refused } from "../../../core/refusals/refused.js";
import { showSettings } from "../../../core/organizations/configure-organization.js";
import { resources, type ResourceDefinition } from "../../../core/imports/resources.js";
import { maxReadingMs, maxUploadRows, megabytes, showUploadStorage, type UploadSettings } from "../limits.js";
import { noteProgress, type Claim } from "../queue.js";
import { resourceNameOf, uploadColumns, type UploadRow } from "../upload-row.js";
import { awaitLimit, type LimitParts } from "./await-limit.js";
import { cutBatches, type FileBatch } from "./cut-batches.js";
import { openFile, withReadableErrors, UnreadableFile } from "./open-file.js";
import { decide, guardStatement, progressOf, type Decided, type Progress } from "./progress.js";
import { ReadingPace } from "./reading-pace.js";
import { takeBackRuns, type UndoParts } from "./undo-runs.js";
import { Turn } from "./turn.js";

export interface ProcessingParts extends LimitParts, UndoParts {
  imports: ImportService;
  admission: ImportAdmission;
  settings: UploadSettings;
}

/** After this many batches in which every row has failed, the file or its mapping is not understood. */
export const hopelessBatches = 3;
/** So often an upload is begun without getting any further, by whatever instances, before it is given up. */
export const maxClaims = 10;
const givenUp =
  "The service has tried many times to go on with this file and could not. Resume to try again, and tell whoever runs the service";

/**
 * Takes an upload and works on it until it ends or gives way. The upload's row says how far it has come, so that any worker can go
 * on with it after a crash.
 */
export async function processUpload(parts: ProcessingParts, claim: Claim): Promise<UploadResult> {
  const upload = await takeOver(parts.pool, claim);
  if (!upload) return { end: "withdrawn" };
  if (claim.claims > maxClaims) return { end: "stopped", problem: givenUp };
  const turn = new Turn(parts.pool, claim);
  try {
    if (upload.pass === "undo") {
      turn.beginBatches();
      return await takeBackRuns(parts, claim, upload, () => turn.isOver());
    }
    return await goThroughFile(parts, claim, upload, turn);
  } catch (error) {
    if (error === turn.signal.reason) return { end: "given back", isCounted: true };
    if (error instanceof UnreadableFile) return { end: "stopped", problem: error.message };
    if (error instanceof Refused && error.refusal === "quotaExceeded")
      return { end: "stopped", problem: `${error.details.join(". ")}. Resume when there is room` };
    throw error;
  } finally {
    turn.end();
  }
}

/**
 * Goes through the file from where the pass is, batch by batch. Each batch is imported as the published operation would import it,
 * in the transaction that also moves the upload on.
 */
async function goThroughFile(
  parts: ProcessingParts,
  claim: Claim,
  upload: UploadRow,
  turn: Turn,
): Promise<UploadResult> {
  const resource = resources.find(({ name }) => name === resourceNameOf(upload)) as ResourceDefinition;
  const pace = new ReadingPace(maxReadingMs(upload.size_bytes));
  const signal = AbortSignal.any([parts.signal, turn.signal]);
  const file = await pace.count(() => openFile(parts.pool, upload, { signal, pace }));
  await note(parts.pool, claim, file);
  let progress = progressOf(upload);
  const batches = cutBatches(file, { skipped: progress.decidedRows, maxRows: resource.maxRecords, pace });
  const isTurnOver = () => turn.isOver();
  try {
    for (let isFirst = true; ; isFirst = false) {
      const { done, value: batch } = await pace.count(() => withReadableErrors(() => batches.next()));
      if (done) return { end: "finished" };
      if (isFirst) turn.beginBatches();
      const problem =
        problemBefore(upload, progress, resource) ?? (await problemOfRoom(parts, claim.organizationId));
      if (problem !== undefined) return { end: "stopped", problem };
      if (parts.signal.aborted || (!isFirst && (await isTurnOver())))
        return { end: "given back", isCounted: false };
      const deciding = { upload, before: progress, batch, readBytes: file.readBytes };
      progress = await importRows({ ...parts, isTurnOver }, claim, resource, deciding);
      if (isFirst) await noteProgress(parts.pool, claim);
    }
  } finally {
    await batches.return(undefined);
  }
}

async function takeOver(
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

/** What is known of the file once it is read. What a pass knows already stays: something may have been erased from it. */
async function note(
  pool: pg.Pool,
  { organizationId, uploadId, holder }: Claim,
  { columns, reading }: { columns: readonly string[]; reading: string },
): Promise<void> {
  await pool.query(
    `update uploads set columns = coalesce(columns, $4), reading = $5
     where organization_id = $1 and id = $2 and holder = $3`,
    [
      organizationId,
      uploadId,
      holder,
      JSON.stringify(columns),
      reading === "" ? null : reading.replaceAll("\0", "\ufffd"),
    ],
  );
}

/** Why no further batch is worth it. */
export function problemBefore(
  upload: Pick<UploadRow, "is_insistent">,
  { decidedRows, failed }: Pick<Progress, "decidedRows" | "failed">,
  { maxRecords }: Pick<ResourceDefinition, "maxRecords">,
): string | undefined {
  if (decidedRows >= maxUploadRows)
    return `The file has more than ${maxUploadRows.toLocaleString("en")} rows; cut it into several files`;
  const isHopeless =
    !upload.is_insistent && failed === decidedRows && decidedRows >= hopelessBatches * maxRecords;
  if (!isHopeless) return undefined;
  return `All of the first ${decidedRows.toLocaleString("en")} rows failed, so the file or its mapping is not understood. Correct the mapping and start again, or resume to go on all the same`;
}

/** What becomes of the rows is kept, and takes room as the files do. */
async function problemOfRoom(
  { pool, settings }: Pick<ProcessingParts, "pool" | "settings">,
  organizationId: string,
): Promise<string | undefined> {
  const { storedBytes, maxStoredBytes } = await showUploadStorage(pool, settings, organizationId);
  if (storedBytes <= maxStoredBytes) return undefined;
  return `The uploads of the organization take ${megabytes(storedBytes)} of ${megabytes(maxStoredBytes)}, with what is kept of their rows. Remove some of them, then resume`;
}

interface ImportedRows {
  upload: UploadRow;
  before: Progress;
  batch: FileBatch;
  readBytes: number;
}

async function importRows(
  parts: ProcessingParts & { isTurnOver(): Promise<boolean> },
  claim: Claim,
  resource: ResourceDefinition,
  deciding: ImportedRows,
): Promise<Progress> {
  const { upload, before, batch } = deciding;
  const texts = batch.rows.flatMap(({ text }) => text ?? []);
  const validateOnly = upload.pass === "check";
  const operation = validateOnly ? resource.validateOperation : resource.importOperation;
  await awaitLimit(parts, { organizationId: claim.organizationId, operation }, parts.isTurnOver);
  if (texts.length === 0) return store(parts.pool, claim, before, decide(deciding, undefined));
  const rules = await showSettings(parts.pool, claim.organizationId);
  let decided: Decided | undefined;
  const metadata = { source: "console upload", file: upload.file_name, upload: upload.id };
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const end = await parts.admission.reserve(claim.organizationId, length);
  const { run, fatal, error } = await importBatch(parts.imports, {
    resource,
    organizationId: claim.organizationId,
    apiKeyId: undefined,
    validateOnly,
    rules,
    requestId: `upload ${upload.id}`,
    findRecords: () => findRecords(texts, JSON.stringify(metadata)),
    participant: {
      guard: guardStatement(claim, "decided_rows", before.decidedRows),
      record: (answer) => (decided = decide(deciding, answer)).statements,
    },
  }).finally(end);
  // Whether the batch is stored is known only to the upload's row.
  if (fatal) throw error;
  if (validateOnly) return store(parts.pool, claim, before, decide(deciding, run));
  return (decided as Decided | undefined)?.progress as Progress;
}

/** For what no run stores. */
async function store(pool: pg.Pool, claim: Claim, before: Progress, decided: Decided): Promise<Progress> {
  await transaction(pool, async (client) => {
    const queue = new PipelineQueue(client);
    await queue.send(guardStatement(claim, "decided_rows", before.decidedRows));
    await queue.send(...decided.statements);
  });
  return decided.progress;
}

/**
 * finished: every row is decided, or every run undone. stopped: `problem` says why. given back: a worker goes on with it
 * later; `isCounted` if it got no further this time. withdrawn: the upload is not wanted any more.
 */
export type UploadResult =
  | { end: "finished" }
  | { end: "given back"; isCounted: boolean }
  | { end: "withdrawn" }
  | { end: "stopped"; problem: string };
