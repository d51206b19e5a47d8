import { openQuestions, toMapping, type Mapping } from "@gatehouse-parking/record-files";
import type { Upload, UploadAction } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { actorName, writeAudit, type Actor } from "../../core/audit/audit.js";
import { transaction, type Connection } from "../../core/database/transaction.js";
import { invalidInput, UserError } from "../../core/refusals/user-error.js";
import type { UploadSettings } from "./limits.js";
import { dequeue, enqueue } from "./queue.js";
import { requireUndoable } from "./undo-upload.js";
import { requireAction, toUpload, uploadColumns, type UploadKey, type UploadRow } from "./uploads.js";

/**
 * Actions of users on an upload. Each changes the upload under its row lock: it waits for the batch that is being imported, and
 * the worker notices at the next batch that it has lost the upload.
 */
export interface UploadChange extends UploadKey {
  actor: Actor;
}

export interface UploadStart extends UploadChange {
  validateOnly: boolean;
  mapping?: Record<string, unknown> | undefined;
  ignoreUnknownColumns?: boolean | undefined;
}

export async function startUpload(
  pool: Connection,
  settings: UploadSettings,
  { validateOnly, mapping = {}, ignoreUnknownColumns = false, ...change }: UploadStart,
): Promise<Upload> {
  const questions = openQuestions(readMapping(mapping));
  if (questions.length > 0 && !validateOnly)
    throw new UserError(
      "openQuestions",
      questions.map(({ id, text }) => `${id}: ${text}`),
    );
  return changeUpload(pool, settings, change, {
    action: "start",
    detail: { validateOnly },
    set: `state = 'waiting', holder = null, pass = $3, pass_number = pass_number + 1, mapping = $4,
      ignore_unknown_columns = $5, is_insistent = false, decided_rows = 0, created_count = 0, skipped_count = 0,
      conflict_count = 0, failed_count = 0, run_count = 0, problems = '[]', other_problem_rows = 0, findings = '[]',
      problem = null, kept_bytes = 0, speed = null, total_rows = case when mapping = $4 then total_rows end,
      columns = case when mapping = $4 then columns end, reading = case when mapping = $4 then reading end,
      set_aside_count = case when mapping = $4 then set_aside_count else 0 end`,
    values: [validateOnly ? "check" : "import", JSON.stringify(mapping), ignoreUnknownColumns],
  });
}

/** The columns of the file are checked later, when the file is read. */
function readMapping(mapping: Record<string, unknown>): Mapping {
  try {
    return toMapping(mapping);
  } catch (error) {
    throw invalidInput((error as Error).message);
  }
}

export function pauseUpload(pool: pg.Pool, settings: UploadSettings, change: UploadChange): Promise<Upload> {
  return changeUpload(pool, settings, change, { action: "pause", set: "state = 'paused', holder = null" });
}

export function resumeUpload(
  pool: Connection,
  settings: UploadSettings,
  change: UploadChange,
): Promise<Upload> {
  return changeUpload(pool, settings, change, {
    action: "resume",
    set: "state = 'waiting', holder = null, problem = null, is_insistent = is_insistent or state = 'stopped'",
  });
}

export function cancelUpload(pool: pg.Pool, settings: UploadSettings, change: UploadChange): Promise<Upload> {
  return changeUpload(pool, settings, change, {
    action: "cancel",
    set: "state = 'cancelled', holder = null, is_file_kept = false",
  });
}

/**
 * Queues the undo of the upload's imports. References to a record are checked when its import is undone. The file is deleted,
 * because the upload cannot be imported again.
 */
export function undoUpload(pool: pg.Pool, settings: UploadSettings, change: UploadChange): Promise<Upload> {
  return transaction(pool, async (client) => {
    const upload = await requireAction(client, change, "undo");
    await requireUndoable(client, settings, upload);
    return changeUpload(client, settings, change, {
      action: "undo",
      set: `state = 'waiting', holder = null, pass = 'undo', is_file_kept = false, problem = null, undone_at = now(),
        undone_by = $3, undo_position = $4, undone_runs = 0, undone_records = '[]', undo_kept_count = 0, speed = null`,
      values: [actorName(change.actor), Number.MAX_SAFE_INTEGER],
    });
  });
}

/** The cleanup deletes the parts and batches of the upload later. Returns the upload as it was. */
export async function removeUpload(
  pool: pg.Pool,
  settings: UploadSettings,
  change: UploadChange,
): Promise<Upload> {
  return transaction(pool, async (client) => {
    const upload = await requireAction(client, change, "remove");
    await client.query("delete from uploads where organization_id = $1 and id = $2", [
      change.organizationId,
      change.uploadId,
    ]);
    await dequeue(client, change, settings.uploadKeptDays);
    await audit(client, change, "remove", upload, {});
    return toUpload(upload, settings.uploadKeptDays);
  });
}

interface StateChange {
  action: Exclude<UploadAction, "send" | "remove" | "correct">;
  set: string;
  values?: unknown[];
  detail?: Record<string, unknown>;
}

async function changeUpload(
  connection: Connection,
  settings: UploadSettings,
  change: UploadChange,
  { action, set, values = [], detail = {} }: StateChange,
): Promise<Upload> {
  return transaction(connection, async (client) => {
    await requireAction(client, change, action);
    const { rows } = await client.query<UploadRow>(
      `update uploads set ${set}, changed_at = now() where organization_id = $1 and id = $2 returning ${uploadColumns}`,
      [change.organizationId, change.uploadId, ...values],
    );
    const upload = rows[0] as UploadRow;
    await (upload.state === "waiting"
      ? enqueue(client, change)
      : dequeue(client, change, settings.uploadKeptDays));
    await audit(client, change, action, upload, detail);
    return toUpload(upload, settings.uploadKeptDays);
  });
}

async function audit(
  client: pg.PoolClient,
  { organizationId, uploadId, actor }: UploadChange,
  action: UploadAction,
  upload: UploadRow,
  detail: Record<string, unknown>,
): Promise<void> {
  await writeAudit(client, {
    organizationId,
    actor,
    action: `upload.${action}`,
    subjectId: uploadId,
    detail: { fileName: upload.file_name, ...detail },
  });
}
