import type pg from "pg";
import {
  type UploadUndoPreview,
  recordKinds,
  type KindCount,
  type RecordKind,
  type RunUndone,
} from "@gatehouse-parking/contract/console";
import { transaction } from "../../core/database/transaction.js";
import { planUndoOfRuns } from "../undo/plan-undo.js";
import { showPlan } from "../undo/preview-undo.js";
import { undoableUntil } from "../undo/undo-status.js";
import { invalidInput, isUserError } from "../../core/refusals/user-error.js";
import { PipelineQueue } from "../../core/database/pipeline-queue.js";
import { lockStatement } from "../../core/imports/write/lock-organization.js";
import { NothingToUndo, undoRun } from "../undo/undo-run.js";
import type { UploadSettings } from "./limits.js";
import { requireAction, resourceNameOf, type UploadKey, type UploadRow } from "./uploads.js";
import { resetAttempts, type Claim } from "./queue.js";
import type { UploadResult } from "./work/process-upload.js";
import { guardStatement } from "./work/progress.js";
import { Speedometer } from "./work/speedometer.js";

/** The newest imports, which are checked for references. Each has hundreds of records. */
export const previewedRuns = 20;
/** How many of the records that would be kept are listed. */
const shownKept = 10;

/**
 * What an undo of the upload would remove. The totals are those of all imports. Records that would be kept, because others refer
 * to them, are looked up for the newest imports only.
 */
export async function previewUploadUndo(
  pool: pg.Pool,
  settings: UploadSettings,
  key: UploadKey,
): Promise<UploadUndoPreview> {
  return transaction(pool, async (client) => {
    const upload = await requireAction(client, key, "undo", "");
    const until = await requireUndoable(client, settings, upload);
    const newest = { position: Number.MAX_SAFE_INTEGER, limit: previewedRuns };
    const runIds = (await findRunsBefore(client, upload, newest)).map(({ runId }) => runId);
    const plan = await planUndoOfRuns(client, key.organizationId, runIds);
    const removed = await countStored(client, upload);
    for (const { kind } of plan.kept) removed.set(kind, (removed.get(kind) ?? 0) - 1);
    return {
      until,
      records: upload.created_count,
      runs: upload.run_count,
      undoneRuns: await countUndone(client, upload),
      previewedRuns: runIds.length,
      keptCount: plan.kept.length,
      ...(await showPlan(client, key.organizationId, { ...plan, kept: plan.kept.slice(0, shownKept) })),
      removed: toKindCounts(removed),
    };
  });
}

interface UploadImport {
  runId: string;
  position: number;
}

/** The imports of a pass of an upload, from its batches and from its corrected rows, with their positions. */
const importsOfUpload = `
  select run_id, first_row as position from upload_batches
  where organization_id = $1 and upload_id = $2 and pass_number = $3 and run_id is not null
  union all
  select distinct run_id, $4::bigint + correction as position from upload_corrections
  where organization_id = $1 and upload_id = $2 and pass_number = $3 and run_id is not null`;

/** The parameters of `importsOfUpload`: corrections come after the rows of the file. */
function importsValues(
  upload: Pick<UploadRow, "organization_id" | "id" | "pass_number" | "decided_rows">,
): (string | number)[] {
  return [upload.organization_id, upload.id, upload.pass_number, upload.decided_rows];
}

/** The imports before this position, newest first. */
async function findRunsBefore(
  connection: pg.Pool | pg.PoolClient,
  upload: Pick<UploadRow, "organization_id" | "id" | "pass_number" | "decided_rows">,
  { position, limit }: { position: number; limit: number },
): Promise<UploadImport[]> {
  const { rows } = await connection.query<UploadImport>(
    `select run_id as "runId", position from (${importsOfUpload}) as import
     where position < $5 order by position desc limit $6`,
    [...importsValues(upload), position, limit],
  );
  return rows;
}

/** The end of the time in which the upload can be undone, which is that of its first import. Throws if it has passed. */
export async function requireUndoable(
  client: pg.PoolClient,
  { undoDays }: Pick<UploadSettings, "undoDays">,
  upload: UploadRow,
): Promise<string> {
  const { rows } = await client.query<{ completed_at: Date }>(
    `select completed_at from import_runs where organization_id = $1 and id = (
       select run_id from upload_batches
       where organization_id = $1 and upload_id = $2 and pass_number = $3 and run_id is not null
       order by first_row limit 1)`,
    [upload.organization_id, upload.id, upload.pass_number],
  );
  const [first] = rows;
  if (!first) throw invalidInput("The upload has no imports");
  const until = undoableUntil(first.completed_at, undoDays);
  if (until !== null) return until;
  throw invalidInput(
    undoDays === 0
      ? "Undo is turned off (GATEHOUSE_UNDO_DAYS is 0)"
      : `An import can be undone within ${undoDays} days. The first import of this upload was completed at ${first.completed_at.toISOString()}`,
  );
}

/** How many of its imports were undone. */
async function countUndone(client: pg.PoolClient, upload: UploadRow): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from (${importsOfUpload}) as batch
     cross join lateral (
       select from import_runs
       where organization_id = $1 and id = batch.run_id and undone_at is not null limit 1
     ) as undone`,
    importsValues(upload),
  );
  return rows[0]?.count ?? 0;
}

/** Lateral joins, so that the planner uses the index even without statistics. */
const runsOfUpload = `
  from (${importsOfUpload}) as batch
  cross join lateral (
    select success_count, created_accounts, created_contacts, created_vehicles, created_subscriptions, deleted_records
    from import_runs where organization_id = $1 and id = batch.run_id limit 1
  ) as run`;
const countCreated = `
  select coalesce(sum(run.success_count), 0)::bigint as own,
         coalesce(sum(run.created_accounts), 0)::bigint as accounts,
         coalesce(sum(run.created_contacts), 0)::bigint as contacts,
         coalesce(sum(run.created_vehicles), 0)::bigint as vehicles,
         coalesce(sum(run.created_subscriptions), 0)::bigint as subscriptions
  ${runsOfUpload}`;

/** Deleted by retention. */
const countDeleted = `
  select deleted.key as kind, sum(deleted.value::bigint)::bigint as count
  ${runsOfUpload} cross join lateral jsonb_each_text(run.deleted_records) as deleted
  group by deleted.key`;

const countUndoneRecords = `
  select undone.kind, count(*) as count
  from (${importsOfUpload}) as batch
  cross join lateral (
    select kind from undo_records where organization_id = $1 and run_id = batch.run_id and is_removed
  ) as undone
  group by undone.kind`;

interface Created extends Partial<Record<RecordKind, number>> {
  /** Records of the file itself. */
  own: number;
}

/** How many of the records that an upload created are still stored, by kind, from the counters of its imports. */
async function countStored(client: pg.PoolClient, upload: UploadRow): Promise<Map<RecordKind, number>> {
  const values = importsValues(upload);
  const { rows: created } = await client.query<Created>(countCreated, values);
  const { own = 0, ...related } = created[0] ?? {};
  const counts = new Map(Object.entries(related) as [RecordKind, number][]);
  const add = (kind: RecordKind, count: number) => counts.set(kind, (counts.get(kind) ?? 0) + count);
  add(resourceNameOf(upload), own);
  for (const statement of [countDeleted, countUndoneRecords]) {
    const { rows } = await client.query<KindCount>(statement, values);
    for (const { kind, count } of rows) add(kind, -count);
  }
  return counts;
}

/** In the order of the console's pages, without zeros. */
function toKindCounts(counts: ReadonlyMap<RecordKind, number>): KindCount[] {
  return recordKinds.map((kind) => ({ kind, count: counts.get(kind) ?? 0 })).filter(({ count }) => count > 0);
}

export interface UndoParts {
  pool: pg.Pool;
  undoDays: number;
  /** Aborted when the lease is lost or the worker stops. */
  signal: AbortSignal;
  /** Rests after this time of work. Returns early when the signal is aborted. */
  rest(workedMs: number): Promise<void>;
}

interface UndoProgress {
  /** The imports before this position are not undone yet. */
  position: number;
  runs: number;
  removed: KindCount[];
  keptCount: number;
}

/**
 * Undoes the imports of an upload, newest first, because later records of the file may refer to earlier ones. The transaction of
 * each undo also stores the progress, so another worker can continue with the next import.
 */
export async function undoRuns(
  parts: UndoParts,
  claim: Claim,
  upload: UploadRow,
  mustYield: () => Promise<boolean>,
): Promise<UploadResult> {
  let undone: UndoProgress = {
    position: upload.undo_position,
    runs: upload.undone_runs,
    removed: JSON.parse(upload.undone_records) as KindCount[],
    keptCount: upload.undo_kept_count,
  };
  const speed = new Speedometer(undone.runs);
  for (let isFirst = true; ; isFirst = false) {
    const startedMs = performance.now();
    const [run] = await findRunsBefore(parts.pool, upload, { position: undone.position, limit: 1 });
    if (!run) return { end: "finished" };
    if (parts.signal.aborted || (!isFirst && (await mustYield())))
      return { end: "released", isCounted: false };
    try {
      undone = await undoOne(parts, claim, { upload, run, before: undone, speed });
    } catch (error) {
      // The time for an undo may have ended since it was requested.
      if (isUserError(error, "invalid", "notFound")) return { end: "stopped", problem: error.message };
      throw error;
    }
    if (isFirst) await resetAttempts(parts.pool, claim);
    await parts.rest(performance.now() - startedMs);
  }
}

interface RunToUndo {
  upload: UploadRow;
  run: UploadImport;
  before: UndoProgress;
  speed: Speedometer;
}

async function undoOne(
  { pool, undoDays }: UndoParts,
  claim: Claim,
  { upload, run, before, speed }: RunToUndo,
): Promise<UndoProgress> {
  const { organizationId } = claim;
  return transaction(pool, async (client) => {
    // Imports also lock the organization first.
    const guard = guardStatement(claim, "undo_position", before.position);
    await new PipelineQueue(client).send(lockStatement(organizationId), guard);
    const undoing = { organizationId, runId: run.runId, version: undefined, undoDays, isOfFile: true };
    const { removed, keptCount } = await countNothing(
      undoRun(client, { ...undoing, actor: upload.undone_by as string }),
    );
    const after: UndoProgress = {
      position: run.position,
      runs: before.runs + 1,
      removed: addCounts(before.removed, removed),
      keptCount: before.keptCount + keptCount,
    };
    await client.query(
      `update uploads set undo_position = $3, undone_runs = $4, undone_records = $5, undo_kept_count = $6,
         speed = $7, changed_at = now()
       where organization_id = $1 and id = $2`,
      [
        organizationId,
        upload.id,
        after.position,
        after.runs,
        JSON.stringify(after.removed),
        after.keptCount,
        speed.perSecond(after.runs),
      ],
    );
    return after;
  });
}

/** An import is skipped if it has created nothing or if none of its records can be removed. */
async function countNothing(undoing: Promise<RunUndone>): Promise<Pick<RunUndone, "removed" | "keptCount">> {
  try {
    return await undoing;
  } catch (error) {
    if (error instanceof NothingToUndo) return { removed: [], keptCount: error.keptCount };
    throw error;
  }
}

function addCounts(before: readonly KindCount[], removed: readonly KindCount[]): KindCount[] {
  const counts = new Map(before.map(({ kind, count }) => [kind, count]));
  for (const { kind, count } of removed) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return toKindCounts(counts);
}
