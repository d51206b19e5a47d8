import type { RunUndone } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { actorName, writeAudit, type Actor } from "../../core/audit/audit.js";
import { nowMs } from "../../core/clock.js";
import { copyInto } from "../../core/database/copy-rows.js";
import { copyNull, copyText, textRows } from "../../core/database/copy-text.js";
import type { Statement } from "../../core/database/pipeline.js";
import { PipelineQueue } from "../../core/database/pipeline-queue.js";
import { transaction, type Connection } from "../../core/database/transaction.js";
import { storedEntities } from "../../core/entities/entities.js";
import { lockStatement } from "../../core/imports/write/lock-organization.js";
import { dayNumberOf, noteChangedDays } from "../../core/local-days/note-changes.js";
import { UserError, versionConflictError } from "../../core/refusals/user-error.js";
import { countByKind, type CreatedRecord } from "./created-records.js";
import { planUndo, type UndoPlan } from "./plan-undo.js";
import { readUndone, requireUndoable } from "./undo-status.js";

export interface Undoing {
  organizationId: string;
  runId: string;
  /** The version of the confirmed preview. Undefined: remove everything that can be removed. */
  version: string | undefined;
  undoDays: number;
  actor: Actor;
  /** Undoing a file has one line in the audit log, not one for each of its runs. */
  isOfFile?: boolean;
}

/** Nothing of the import can be removed. */
export class NothingToUndo extends UserError {
  override name = "NothingToUndo";
  /** How many of its records are still stored. */
  readonly keptCount: number;

  constructor(message: string, keptCount: number) {
    super("invalid", [message]);
    this.keptCount = keptCount;
  }
}

/**
 * Removes what an import created, except what other records refer to. One transaction under the lock that imports take, so
 * no import sees half of it or refers to a removed record. A repeated request changes nothing and gets the same answer.
 */
export async function undoRun(connection: Connection, undoing: Undoing): Promise<RunUndone> {
  const { organizationId, runId } = undoing;
  return transaction(connection, async (client) => {
    const queue = new PipelineQueue(client);
    await queue.send(lockStatement(organizationId));
    const plan = await planUndo(client, organizationId, runId);
    if (!isDone(plan, undoing)) {
      requireRemovable(plan, undoing);
      await remove(queue, undoing, plan);
      if (!undoing.isOfFile) await writeAudit(client, auditEntry(undoing, plan));
    }
    return readUndone(client, organizationId, runId);
  });
}

function isDone({ run, removed }: UndoPlan, { version }: Undoing): boolean {
  if (run.undoneAt === null) return false;
  return version === undefined ? removed.length === 0 : version === run.undoneVersion;
}

function requireRemovable({ run, removed, kept, version }: UndoPlan, undoing: Undoing): void {
  requireUndoable(run.completedAt, undoing.undoDays);
  if (undoing.version !== undefined && undoing.version !== version)
    throw versionConflictError(
      "The records of this import have changed since the preview. Nothing was removed. Preview the undo again",
    );
  if (removed.length > 0) return;
  throw new NothingToUndo(
    kept.length > 0
      ? "Other records refer to all remaining records of this import, so there is nothing to undo"
      : "Nothing that this import created is still stored, so there is nothing to undo",
    kept.length,
  );
}

/**
 * Deletes with one statement per record, all in one round trip. With one statement for several records, the planner may read
 * all rows of the organization.
 */
async function remove(queue: PipelineQueue, undoing: Undoing, plan: UndoPlan): Promise<void> {
  const { organizationId, runId, actor } = undoing;
  const days = new Set<number>();
  let rowBytes = 0;
  for (const { kind, id } of plan.removed)
    queue.add(
      deletion(organizationId, kind, id, ({ day, bytes }) => {
        if (day !== null) days.add(day);
        rowBytes += bytes;
      }),
    );
  await queue.send();
  queue.add(...noteChangedDays(organizationId, days));
  queue.add({
    text: "delete from undo_records where organization_id = $1 and run_id = $2 and not is_removed",
    values: [organizationId, runId],
  });
  queue.add(copyInto("undo_records", recordColumns, textRows(recordLines(undoing, plan))));
  queue.add({
    text: `
      update import_runs
      set undone_at = $3, undone_by = $4, undone_version = $5, undone_count = undone_count + $6
      where organization_id = $1 and id = $2`,
    values: [
      organizationId,
      runId,
      new Date(nowMs()).toISOString(),
      actorName(actor),
      plan.version,
      plan.removed.filter(({ kind }) => kind === plan.run.kind).length,
    ],
    take: expectOne,
  });
  queue.add(releaseStatement(organizationId, plan, rowBytes));
  await queue.send();
}

const withLocalDay = new Set<string>(
  storedEntities.filter(({ entity }) => entity.localTimeOf !== undefined).map(({ table }) => table),
);

/**
 * An import counts in the storage quota by the size of its COPY text, which is larger than the rows, until all rows are
 * counted again. An undo releases the same size, so that the same batch fits again.
 */
function releaseStatement(
  organizationId: string,
  { run: { storedBytes, createdCount, completedAt }, removed }: UndoPlan,
  rowBytes: number,
): Statement {
  const copiedBytes =
    storedBytes === null ? rowBytes : Math.round((storedBytes * removed.length) / Math.max(1, createdCount));
  return {
    text: `
      update import_turns
      set records_net = records_net - $2, change_count = change_count + 1,
          bytes_net = bytes_net - case when bytes_counted_at >= $3 then $4::bigint else $5::bigint end
      where organization_id = $1`,
    values: [organizationId, removed.length, completedAt.toISOString(), rowBytes, copiedBytes],
  };
}

interface DeletedRow {
  /** Null: the entity has no local time. */
  day: number | null;
  bytes: number;
}

function deletion(
  organizationId: string,
  kind: string,
  id: string,
  onDeleted: (row: DeletedRow) => void,
): Statement {
  const day = withLocalDay.has(kind) ? dayNumberOf("local_date") : "null::integer";
  return {
    name: `undo-${kind}`,
    text: `
      delete from ${kind} as record where organization_id = $1 and id = $2
      returning ${day} as day, pg_column_size(record.*) as bytes`,
    values: [organizationId, id],
    take: (answer: pg.QueryResult<DeletedRow>) => {
      expectOne(answer);
      onDeleted(answer.rows[0] as DeletedRow);
    },
  };
}

function expectOne({ rowCount }: pg.QueryResult): void {
  if (rowCount !== 1) throw new Error(`expected to change 1 row, changed ${rowCount}`);
}

const recordColumns = [
  "organization_id",
  "record_id",
  "run_id",
  "kind",
  "position",
  "reference",
  "is_removed",
];

function recordLines({ organizationId, runId }: Undoing, { removed, kept }: UndoPlan): string[] {
  const lineOf = ({ id, kind, position, reference }: CreatedRecord, isRemoved: string) =>
    [
      ...[organizationId, id, runId, kind, position],
      ...[reference === null ? copyNull : copyText(reference), isRemoved],
    ].join("\t");
  return [...removed.map((record) => lineOf(record, "t")), ...kept.map((record) => lineOf(record, "f"))];
}

function auditEntry({ organizationId, runId, actor }: Undoing, plan: UndoPlan) {
  return {
    organizationId,
    actor,
    action: "import.undo",
    subjectId: runId,
    detail: {
      removed: Object.fromEntries(countByKind(plan.removed).map(({ kind, count }) => [kind, count])),
      kept: plan.kept.length,
      acknowledged: plan.acknowledged.length,
    },
  };
}
