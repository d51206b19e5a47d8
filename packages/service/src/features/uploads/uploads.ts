import type pg from "pg";
import {
  importResourceNames,
  importResources,
  keyUploadActions,
  type ImportResourceName,
  type KeyUploadAction,
} from "@gatehouse-parking/contract";
import type {
  KindCount,
  Upload,
  UploadAction,
  UploadDetail,
  UploadFinding,
  UploadPass,
  UploadProblem,
  UploadState,
  UploadUndone,
  UploadWait,
  BothWaysPage,
  UploadsQuery,
} from "@gatehouse-parking/contract/console";
import {
  findingAdvice,
  findingMessages,
  messageOf,
  type Finding,
  type FindingFacts,
} from "@gatehouse-parking/record-files";
import { conflictError, notFoundError } from "../../core/refusals/user-error.js";
import { toPage, type Page, type PageRequest } from "../../core/operations/paging.js";
import { readingOf, listConditions } from "../../core/paging/pages.js";
import { boundedPageBothWays } from "../../core/paging/bounded-page.js";
import type { UploadSettings } from "./limits.js";
import { findWait } from "./queue.js";

/** A row of the table uploads. */
export interface UploadRow {
  id: string;
  organization_id: string;
  file_name: string;
  reference: string | null;
  size_bytes: number;
  received_bytes: number;
  is_file_kept: boolean;
  kept_bytes: number;
  resource: number;
  state: UploadState;
  pass: UploadPass | null;
  pass_number: number;
  mapping: string | null;
  ignore_unknown_columns: boolean;
  is_insistent: boolean;
  reading: string | null;
  columns: string | null;
  decided_rows: number;
  created_count: number;
  skipped_count: number;
  conflict_count: number;
  set_aside_count: number;
  failed_count: number;
  run_count: number;
  problems: string;
  findings: string;
  other_problem_rows: number;
  problem: string | null;
  total_rows: number | null;
  speed: number | null;
  undone_at: Date | null;
  undone_by: string | null;
  undo_position: number;
  undone_runs: number;
  undone_records: string;
  undo_kept_count: number;
  created_by: string;
  created_at: Date;
  changed_at: Date;
}

/** Without the columns that can be large: lists do not show them. */
export type ListedUpload = Omit<UploadRow, "mapping" | "columns" | "problems" | "findings">;

export const listedColumns = `id, organization_id, file_name, reference, size_bytes, received_bytes, is_file_kept, kept_bytes, resource,
  state, pass, pass_number, ignore_unknown_columns, is_insistent, reading, decided_rows,
  created_count, skipped_count, conflict_count, set_aside_count, failed_count, run_count, other_problem_rows, problem, total_rows, speed,
  undone_at, undone_by, undo_position, undone_runs, undone_records, undo_kept_count, created_by, created_at, changed_at`;
export const uploadColumns = `${listedColumns}, mapping, columns, problems, findings`;

const dayMs = 24 * 60 * 60 * 1000;

export function resourceNameOf(row: Pick<UploadRow, "resource">): ImportResourceName {
  return importResourceNames.find(
    (name) => importResources[name].resource === row.resource,
  ) as ImportResourceName;
}

export function actionsOn(row: ListedUpload): UploadAction[] {
  // A second import of the same file would report the stored records as Skipped.
  const mayStart = row.is_file_kept && !(row.pass === "import" && row.created_count > 0);
  const start: UploadAction[] = mayStart ? ["start"] : [];
  const undo: UploadAction[] = mayUndo(row) ? ["undo"] : [];
  const correct: UploadAction[] = row.pass === "import" && row.failed_count > 0 ? ["correct"] : [];
  switch (row.state) {
    case "receiving":
      return ["send", "cancel", "remove"];
    case "received":
      return [...start, "cancel", "remove"];
    case "waiting":
    case "working":
      return ["pause", "cancel"];
    case "paused":
    case "stopped":
      return [...start, "resume", ...correct, ...undo, "cancel", "remove"];
    case "finished":
      return [...start, ...correct, ...undo, "remove"];
    case "cancelled":
      return [...correct, ...undo, "remove"];
  }
}

/** A finished undo can be repeated if records were kept. A paused or stopped undo is resumed instead. */
function mayUndo({ pass, state, created_count: created, undo_kept_count: kept }: ListedUpload): boolean {
  if (pass === "undo") return state === "cancelled" || (state === "finished" && kept > 0);
  return pass === "import" && created > 0;
}

export function toUpload(row: ListedUpload, keptDays: number): Upload {
  const { done, all } = workOf(row);
  return {
    uuid: row.id,
    fileName: row.file_name,
    size: row.size_bytes,
    receivedBytes: row.received_bytes,
    resource: resourceNameOf(row),
    state: row.state,
    pass: row.pass,
    actions: actionsOn(row),
    progress: row.state === "finished" ? 1 : all ? Math.min(1, done / all) : 0,
    rows: row.decided_rows,
    created: row.created_count,
    skipped: row.skipped_count,
    failed: row.failed_count,
    conflicts: row.conflict_count,
    setAside: row.set_aside_count,
    leftOut: row.decided_rows - row.created_count - row.skipped_count - row.failed_count,
    runCount: row.run_count,
    problem: row.problem,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
    keptUntil: new Date(row.changed_at.getTime() + keptDays * dayMs).toISOString(),
    isFileKept: row.is_file_kept,
    reference: row.reference,
  };
}

/** Rows, or imports to undo. */
function workOf(row: ListedUpload): { done: number; all: number | null } {
  return row.pass === "undo"
    ? { done: row.undone_runs, all: row.run_count }
    : { done: row.decided_rows, all: row.total_rows };
}

function secondsLeft(row: ListedUpload): number | null {
  const { done, all } = workOf(row);
  if (row.state !== "working" || all === null || !row.speed) return null;
  return Math.ceil(Math.max(0, all - done) / row.speed);
}

function toDetail(row: UploadRow, keptDays: number, waitsFor: UploadWait | null): UploadDetail {
  const problems = JSON.parse(row.problems) as UploadProblem[];
  return {
    ...toUpload(row, keptDays),
    mapping: row.mapping === null ? null : (JSON.parse(row.mapping) as Record<string, unknown>),
    ignoreUnknownColumns: row.ignore_unknown_columns,
    reading: row.reading,
    columns: columnsOf(row),
    problems: problems.toSorted((one, other) => other.count - one.count),
    otherProblemRows: row.other_problem_rows,
    findings: (JSON.parse(row.findings) as Finding[]).map(shownFinding),
    totalRows: row.total_rows,
    secondsLeft: secondsLeft(row),
    waitsFor,
    undone: undoneOf(row),
  };
}

function shownFinding({ code, data, rows, examples }: Finding): UploadFinding {
  const fact = { code, data } as FindingFacts;
  return {
    code,
    data: { ...data },
    message: messageOf(findingMessages, fact),
    advice: messageOf(findingAdvice, fact),
    rows,
    examples,
  };
}

/** Without the actions that only the console offers. */
export function forKey<AnyUpload extends Upload>(upload: AnyUpload) {
  const { state, pass, actions } = upload;
  const offered = (action: UploadAction): KeyUploadAction[] => {
    if (action === "resume") return state === "stopped" && pass === "import" ? ["start"] : [];
    return keyUploadActions.filter((name) => name === action);
  };
  return { ...upload, actions: [...new Set(actions.flatMap(offered))] };
}

function undoneOf(row: UploadRow): UploadUndone | null {
  if (row.undone_at === null) return null;
  return {
    at: row.undone_at.toISOString(),
    by: row.undone_by as string,
    runs: row.undone_runs,
    removed: JSON.parse(row.undone_records) as KindCount[],
    keptCount: row.undo_kept_count,
  };
}

export function columnsOf(row: Pick<UploadRow, "columns">): string[] | null {
  return row.columns === null ? null : (JSON.parse(row.columns) as string[]);
}

export interface UploadKey {
  organizationId: string;
  uploadId: string;
}

export async function showUpload(
  pool: pg.Pool,
  settings: UploadSettings,
  key: UploadKey,
): Promise<UploadDetail> {
  const upload = await findUpload(pool, key);
  const isQueued = upload.state === "waiting" || upload.state === "working";
  return toDetail(upload, settings.uploadKeptDays, isQueued ? await findWait(pool, key) : null);
}

export async function findUpload(
  connection: pg.Pool | pg.PoolClient,
  { organizationId, uploadId }: UploadKey,
  lock: "" | "for update" = "",
): Promise<UploadRow> {
  const { rows } = await connection.query<UploadRow>(
    `select ${uploadColumns} from uploads where organization_id = $1 and id = $2 ${lock}`,
    [organizationId, uploadId],
  );
  if (!rows[0]) throw notFoundError(`There is no upload ${uploadId}`);
  return rows[0];
}

/** Throws a conflict if the action is not possible in the present state. */
export async function requireAction(
  client: pg.Pool | pg.PoolClient,
  key: UploadKey,
  action: UploadAction,
  lock: "" | "for update" = "for update",
): Promise<UploadRow> {
  const upload = await findUpload(client, key, lock);
  if (!actionsOn(upload).includes(action)) throw conflictError(conflictText(upload, action));
  return upload;
}

const stateTexts: Record<UploadState, string> = {
  receiving: "is still being received",
  received: "has not been started",
  waiting: "is queued",
  working: "is in progress",
  paused: "is paused",
  finished: "is finished",
  stopped: "was stopped",
  cancelled: "was cancelled",
};

function conflictText(upload: UploadRow, action: UploadAction): string {
  const isIdle = ["paused", "stopped", "finished", "cancelled"].includes(upload.state);
  if (action === "undo" && isIdle)
    return actionsOn(upload).includes("resume") && upload.pass === "undo"
      ? "The undo of this upload has already begun; resume it instead"
      : "This upload has no records to undo";
  if (action === "correct" && isIdle) return "This upload has no failed rows to correct";
  const isPartlyImported = action === "start" && upload.pass === "import" && upload.created_count > 0;
  return isPartlyImported
    ? "Records of this file are already imported; resume the upload instead"
    : `The upload ${stateTexts[upload.state]}`;
}

export interface UploadFilters extends UploadsQuery {
  organizationId: string;
  limit: number;
}

export async function listUploads(
  pool: pg.Pool,
  settings: UploadSettings,
  filters: UploadFilters,
): Promise<BothWaysPage<Upload>> {
  const conditions = listConditions(filters.organizationId);
  conditions.indexed(filters.before, (id) => `record.id < ${id}::uuid`);
  conditions.indexed(filters.after, (id) => `record.id > ${id}::uuid`);
  conditions.other(filters.state, (state) => `record.state = ${state}`);
  conditions.other(
    filters.resource && importResources[filters.resource].resource,
    (resource) => `record.resource = ${resource}::smallint`,
  );
  const { where, ...others } = conditions.parts();
  return boundedPageBothWays<ListedUpload & pg.QueryResultRow, Upload>(
    pool,
    {
      source: `from uploads as record where ${where}`,
      columns: listedColumns,
      ...others,
      order: ["id"],
      limit: filters.limit,
      toItem: (row) => toUpload(row, settings.uploadKeptDays),
    },
    readingOf(filters),
  );
}

interface NumberedFilters extends PageRequest {
  organizationId: string;
  state?: UploadState | undefined;
  reference?: string | undefined;
}

/** The newest first. An organization has few uploads, so they are counted with every page. */
export async function pageOfUploads(
  pool: pg.Pool,
  settings: UploadSettings,
  { organizationId, state, reference, ...page }: NumberedFilters,
): Promise<Page<Upload>> {
  const where = `organization_id = $1 and ($2::text is null or state = $2) and ($3::text is null or reference = $3)`;
  const filters = [organizationId, state ?? null, reference ?? null];
  const { rows: counts } = await pool.query<{ count: number }>(
    `select count(*)::int as count from uploads where ${where}`,
    filters,
  );
  const { rows } = await pool.query<ListedUpload>(
    `select ${listedColumns} from uploads where ${where} order by id desc limit $4 offset $5`,
    [...filters, page.pageSize, (page.page - 1) * page.pageSize],
  );
  const data = rows.map((row) => toUpload(row, settings.uploadKeptDays));
  return toPage(data, counts[0]?.count ?? 0, page);
}
