import { toMapping } from "@gatehouse-parking/record-files";
import type { Upload, UploadAction, UploadState } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { actorName, writeAudit, type Actor } from "../../core/audit/audit.js";
import { transaction, type Connection } from "../../core/database/transaction.js";
import { invalidInput, conflictError } from "../../core/refusals/user-error.js";
import type { UploadSettings } from "./limits.js";
import { dismiss, want } from "./queue.js";
import { requireInTime } from "./undoable-runs.js";
import {
  actionsOn,
  findUpload,
  toUpload,
  uploadColumns,
  type UploadKey,
  type UploadRow,
} from "./upload-row.js";

/**
 * What people do with an upload. Each of them changes its row, under its lock: a batch that is being imported comes
 * first, and the worker finds at the next one that the upload is not its own any more.
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
  pool: pg.Pool,
  settings: UploadSettings,
  { validateOnly, mapping = {}, ignoreUnknownColumns = false, ...change }: UploadStart,
): Promise<Upload> {
  requireMapping(mapping);
  return changeUpload(pool, settings, change, {
    action: "start",
    detail: { validateOnly },
    set: `state = 'waiting', holder = null, pass = $3, pass_number = pass_number + 1, mapping = $4,
      ignore_unknown_columns = $5, is_insistent = false, reading = null, columns = null, read_bytes = 0, decided_rows = 0,
      created_count = 0, skipped_count = 0, failed_count = 0, run_count = 0, problems = '[]', other_problem_rows = 0,
      problem = null, kept_bytes = 0`,
    values: [validateOnly ? "check" : "import", JSON.stringify(mapping), ignoreUnknownColumns],
  });
}

/** Whether the columns are there is known only when the file is read. */
function requireMapping(mapping: Record<string, unknown>): void {
  try {
    toMapping(mapping);
  } catch (error) {
    throw invalidInput((error as Error).message);
  }
}

export function pauseUpload(pool: pg.Pool, settings: UploadSettings, change: UploadChange): Promise<Upload> {
  return changeUpload(pool, settings, change, { action: "pause", set: "state = 'paused', holder = null" });
}

export function resumeUpload(pool: pg.Pool, settings: UploadSettings, change: UploadChange): Promise<Upload> {
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
 * Has its runs taken back in the background. Each of them keeps who wanted it, and is judged by what refers to it when its
 * turn comes. An upload that is taken back is over, so its file goes.
 */
export function undoUpload(pool: pg.Pool, settings: UploadSettings, change: UploadChange): Promise<Upload> {
  return transaction(pool, async (client) => {
    const upload = await requireAction(client, change, "undo");
    await requireInTime(client, settings, upload);
    return changeUpload(client, settings, change, {
      action: "undo",
      set: `state = 'waiting', holder = null, pass = 'undo', is_file_kept = false, problem = null, undone_at = now(),
        undone_by = $3, undo_position = decided_rows, undone_runs = 0, undone_records = '[]', undo_kept_count = 0`,
      values: [actorName(change.actor)],
    });
  });
}

/** With everything that is kept of it; the larger part of it goes a little later. */
export async function removeUpload(
  pool: pg.Pool,
  settings: UploadSettings,
  change: UploadChange,
): Promise<void> {
  await transaction(pool, async (client) => {
    const upload = await requireAction(client, change, "remove");
    await client.query("delete from uploads where organization_id = $1 and id = $2", [
      change.organizationId,
      change.uploadId,
    ]);
    await dismiss(client, change, settings.uploadKeptDays);
    await audit(client, change, "remove", upload, {});
  });
}

interface Changing {
  action: Exclude<UploadAction, "send" | "remove">;
  set: string;
  values?: unknown[];
  detail?: Record<string, unknown>;
}

async function changeUpload(
  connection: Connection,
  settings: UploadSettings,
  change: UploadChange,
  { action, set, values = [], detail = {} }: Changing,
): Promise<Upload> {
  return transaction(connection, async (client) => {
    await requireAction(client, change, action);
    const { rows } = await client.query<UploadRow>(
      `update uploads set ${set}, changed_at = now() where organization_id = $1 and id = $2 returning ${uploadColumns}`,
      [change.organizationId, change.uploadId, ...values],
    );
    const upload = rows[0] as UploadRow;
    await (upload.state === "waiting"
      ? want(client, change)
      : dismiss(client, change, settings.uploadKeptDays));
    await audit(client, change, action, upload, detail);
    return toUpload(upload, settings.uploadKeptDays);
  });
}

export async function requireAction(
  client: pg.PoolClient,
  key: UploadKey,
  action: UploadAction,
  lock: "" | "for update" = "for update",
): Promise<UploadRow> {
  const upload = await findUpload(client, key, lock);
  if (!actionsOn(upload).includes(action)) throw conflictError(whyNot(upload, action));
  return upload;
}

const stateTexts: Record<UploadState, string> = {
  receiving: "is still being received",
  received: "was not started yet",
  waiting: "waits to be worked on",
  working: "is being worked on",
  paused: "is paused",
  finished: "is finished",
  stopped: "was stopped",
  cancelled: "was cancelled",
};

function whyNot(upload: UploadRow, action: UploadAction): string {
  const isAtRest = ["paused", "stopped", "finished", "cancelled"].includes(upload.state);
  if (action === "undo" && isAtRest)
    return actionsOn(upload).includes("resume") && upload.pass === "undo"
      ? "The upload is being taken back already; resume it instead"
      : "Nothing of this upload can be taken back";
  const hasStored = action === "start" && upload.pass === "import" && upload.created_count > 0;
  return hasStored
    ? "Records of this file are imported already; resume the upload instead"
    : `The upload ${stateTexts[upload.state]}`;
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
