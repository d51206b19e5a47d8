import {
  RecordStatus,
  type ImportRun,
  type OperationName,
  type RateLimit,
} from "@gatehouse-parking/contract";
import { correctionLimits, type CorrectedRows } from "@gatehouse-parking/contract/console";
import { prepareRows, toMapping, type Prepared } from "@gatehouse-parking/record-files";
import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { PipelineQueue } from "../../core/database/pipeline-queue.js";
import { checkOf, transaction } from "../../core/database/transaction.js";
import { bucketName } from "../../core/gate/gate.js";
import type { RateLimiter } from "../../core/gate/rate-limits.js";
import { importBatch } from "../../core/imports/import-batch.js";
import { findRecords } from "../../core/imports/read/envelope.js";
import { resources, type ResourceDefinition } from "../../core/imports/resources.js";
import { lockStatement } from "../../core/imports/write/lock-organization.js";
import { showSettings } from "../../core/organizations/configure-organization.js";
import { Refused } from "../../core/refusals/refused.js";
import { conflictError, invalidInput, UserError } from "../../core/refusals/user-error.js";
import type { UploadChange } from "./change-state.js";
import { CorrectionInTheMeantime, guardCorrection, recordCorrection } from "./record-correction.js";
import { findFirstRun, outcomesOf, type LatestOutcome } from "./outcomes.js";
import { columnsOf, requireAction, resourceNameOf, type UploadRow } from "./uploads.js";
import { outcomesOfRows } from "./work/progress.js";
import { storageProblem, type ProcessingParts } from "./work/process-upload.js";
import { prepareOptions, withUserErrors, UnreadableFile } from "./work/read-file.js";

/** A failed row with new cells. `attempt` is that of the outcome that the person saw. */
export interface CorrectedRow {
  row: number;
  attempt: number;
  cells: readonly string[];
}

export interface RowsToCorrect extends UploadChange {
  /** Its transactions are committed only if the person may still make the request. */
  pool: pg.Pool;
  rows: readonly CorrectedRow[];
}

export interface CorrectionParts extends Omit<ProcessingParts, "rest" | "signal" | "undoDays"> {
  limiter: Pick<RateLimiter, "take">;
  /** The current limits of an organization. */
  limitsOf(organizationId: string): Promise<Record<OperationName, RateLimit>>;
}

/** Corrections of the same upload at the same time. After so many in a row, the person has to try again. */
const maxRaces = 5;

/**
 * Imports corrected rows of an upload in one run. The transaction of the run also stores their outcomes and counts them, so
 * a crash loses or repeats nothing. A row that was corrected in the meantime is not sent.
 */
export async function correctRows(parts: CorrectionParts, change: RowsToCorrect): Promise<CorrectedRows> {
  for (let races = 0; ; races += 1) {
    const upload = await requireAction(parts.pool, change, "correct", "");
    const { fresh, notSent } = await compareWithStored(parts.pool, upload, change.rows);
    if (fresh.length === 0) return { created: 0, skipped: 0, failed: 0, notSent };
    if (races === 0) await requireRoom(parts, upload);
    try {
      return { ...(await sendRows(parts, change, upload, fresh)), notSent };
    } catch (error) {
      if (error instanceof UnreadableFile) throw conflictError(error.message);
      if (error instanceof Refused && error.refusal === "quotaExceeded")
        throw conflictError(error.details.join(". "));
      if (!(error instanceof CorrectionInTheMeantime) || races === maxRaces) throw error;
    }
  }
}

/** A row that is sent, with its stored outcome. */
export interface RowToSend {
  corrected: CorrectedRow;
  before: LatestOutcome;
}

interface Compared {
  fresh: RowToSend[];
  notSent: CorrectedRows["notSent"];
}

/** Separates the rows that somebody corrected after the person saw them. */
async function compareWithStored(
  pool: pg.Pool,
  upload: UploadRow,
  rows: readonly CorrectedRow[],
): Promise<Compared> {
  requireFittingRows(upload, rows);
  const stored = await storedOutcomes(pool, upload, new Set(rows.map(({ row }) => row)));
  const compared: Compared = { fresh: [], notSent: [] };
  for (const corrected of rows.toSorted((one, other) => one.row - other.row)) {
    const before = stored.get(corrected.row);
    if (!before) throw invalidInput(`The upload has no row ${corrected.row}`);
    const isFailed = before.outcome[1] === RecordStatus.Failed;
    if (isFailed && before.attempt === corrected.attempt) compared.fresh.push({ corrected, before });
    else if (before.attempt > 0) compared.notSent.push({ row: corrected.row, by: before.by ?? null });
    else throw invalidInput(`Row ${corrected.row} of the upload has not failed`);
  }
  return compared;
}

function requireFittingRows(upload: UploadRow, rows: readonly CorrectedRow[]): void {
  const { maxRecords } = resourceOf(upload);
  if (rows.length === 0) throw invalidInput("rows must name at least one row");
  if (rows.length > maxRecords) throw invalidInput(`rows must have at most ${maxRecords} rows`);
  if (new Set(rows.map(({ row }) => row)).size < rows.length)
    throw invalidInput("rows must name each row once");
  const { length } = columnsOf(upload) ?? [];
  for (const { row, cells } of rows) {
    if (cells.length !== length)
      throw invalidInput(`Row ${row} must have ${length} cells, one for each column of the file`);
    if (Buffer.byteLength(JSON.stringify(cells)) > correctionLimits.rowBytes)
      throw invalidInput(
        `Row ${row} is longer than ${correctionLimits.rowBytes / 1024} KB. Download the failed rows, correct them, and upload the file`,
      );
  }
}

/** Reads the batches from one row to the next, one at a time. */
async function storedOutcomes(
  pool: pg.Pool,
  upload: UploadRow,
  wanted: ReadonlySet<number>,
): Promise<Map<number, LatestOutcome>> {
  const found = new Map<number, LatestOutcome>();
  const key = { organizationId: upload.organization_id, uploadId: upload.id };
  for (const row of [...wanted].toSorted((one, other) => one - other)) {
    if (found.has(row)) continue;
    const from = { ...key, passNumber: upload.pass_number, after: row - 1 };
    let isFirst = true;
    for await (const outcome of outcomesOf(pool, from)) {
      if (isFirst && outcome.row !== row) break;
      isFirst = false;
      if (wanted.has(outcome.row)) found.set(outcome.row, outcome);
      if (outcome.row - row > maxRowsAhead) break;
    }
  }
  return found;
}

/** Rows that are close to each other are usually in one batch, which is read once. */
const maxRowsAhead = 100;

/** Corrections count towards the rate limit of imports and the storage for uploads. */
async function requireRoom(
  { limiter, limitsOf, ...parts }: CorrectionParts,
  upload: UploadRow,
): Promise<void> {
  const { organization_id: organizationId } = upload;
  const problem = await storageProblem(parts, organizationId);
  if (problem !== undefined) throw conflictError(problem);
  const { importOperation } = resourceOf(upload);
  const { [importOperation]: limit } = await limitsOf(organizationId);
  const state = await limiter.take(bucketName(importOperation, organizationId), limit);
  if (!state.accepted)
    throw new UserError(
      "rateLimited",
      ["The rate limit of imports is reached. Wait a moment, then try again"],
      {
        retryAfter: Math.max(1, Math.ceil(state.resetAtSeconds - nowMs() / 1_000)),
      },
    );
}

function resourceOf(upload: UploadRow): ResourceDefinition {
  return resources.find(({ name }) => name === resourceNameOf(upload)) as ResourceDefinition;
}

/** A row with both of its versions, as the mapping converts them now. */
export interface PreparedCorrection extends RowToSend {
  wasPrepared: Prepared;
  prepared: Prepared;
}

async function prepareCorrections(
  pool: pg.Pool,
  upload: UploadRow,
  rows: readonly RowToSend[],
): Promise<PreparedCorrection[]> {
  return withUserErrors(async () => {
    const options = await prepareOptions(pool, upload, toMapping(JSON.parse(upload.mapping ?? "{}")));
    const prepare = prepareRows(columnsOf(upload) ?? [], resourceNameOf(upload), options);
    return rows.map(({ corrected, before }) => {
      const [line] = before.outcome;
      return {
        corrected,
        before,
        wasPrepared: prepare({ line, cells: before.outcome[6] }),
        prepared: prepare({ line, cells: [...corrected.cells] }),
      };
    });
  });
}

async function sendRows(
  parts: CorrectionParts,
  change: RowsToCorrect,
  upload: UploadRow,
  rows: readonly RowToSend[],
): Promise<Omit<CorrectedRows, "notSent">> {
  const corrections = await prepareCorrections(parts.pool, upload, rows);
  const guard = guardCorrection(upload, rows);
  const resultOf = (run: ImportRun | undefined) =>
    recordCorrection(change.actor, upload, guard, {
      rows: corrections,
      runId: run?.referenceUuid,
      outcomes: outcomesOfRows(
        corrections.map(({ prepared }) => prepared),
        run?.results ?? [],
      ),
    });
  const texts = corrections.flatMap(({ prepared: { text } }) => text ?? []);
  if (texts.length === 0) {
    await transaction(change.pool, async (client) => {
      const queue = new PipelineQueue(client);
      await queue.send(lockStatement(upload.organization_id), guard.statement);
      await queue.send(...resultOf(undefined).statements);
    });
    return resultOf(undefined).counts;
  }
  let counts = { created: 0, skipped: 0, failed: 0 };
  const metadata = { source: "console upload", file: upload.file_name, upload: upload.id, corrected: true };
  const fileRunId = (await findFirstRun(parts.pool, upload)) ?? "this";
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const release = await parts.admission.reserve(upload.organization_id, length);
  const { fatal, error } = await importBatch(parts.imports, {
    resource: resourceOf(upload),
    organizationId: upload.organization_id,
    apiKeyId: undefined,
    validateOnly: false,
    fileRunId,
    rules: await showSettings(parts.pool, upload.organization_id),
    requestId: `upload ${upload.id}`,
    findRecords: () => findRecords(texts, JSON.stringify(metadata)),
    participant: {
      guard: guard.statement,
      record: (run) => {
        const result = resultOf(run);
        counts = result.counts;
        return result.statements;
      },
      check: checkOf(change.pool),
    },
  }).finally(release);
  if (fatal) throw error;
  return counts;
}
