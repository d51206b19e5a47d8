import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { copyInto } from "../../core/database/copy-rows.js";
import { copyText, textRows } from "../../core/database/copy-text.js";
import type { Statement } from "../../core/database/pipeline.js";
import { setLockTimeout, transaction } from "../../core/database/transaction.js";
import { PipelineQueue } from "../../core/database/pipeline-queue.js";
import { columnName } from "../../core/entities/columns.js";
import { storedEntities } from "../../core/entities/entities.js";
import type { StoredEntity } from "../../core/entities/stored-entity.js";
import { lockStatement } from "../../core/imports/write/lock-organization.js";
import { dayNumberOf, noteChangedDays } from "../../core/local-days/note-changes.js";
import { deletionStatement } from "../../core/organizations/retention.js";
import { lowestUuid } from "../../core/uuidv7.js";

export interface Deletion {
  organizationId: string;
  /** Rows with smaller identifiers are deleted. */
  before: string;
  /** Whether the keys of deleted records stay known. */
  keepsKeys: boolean;
  /** For each table of records, the last identifier that was checked. Each step updates it. */
  cursors: Record<string, string>;
}

export interface StepResult {
  deleted: number;
  hasMore: boolean;
}

/** How many records a step checks, and deletes at most. */
export const recordsPerStep = 200;
/** Short, because imports queue behind a waiting lock request. The sweep tries again later. */
export const lockTimeout = "250ms";

/**
 * Checks the next expired records of a table and deletes those that no other record refers to. The first check takes no lock.
 * Those that pass are checked again under the lock that imports take, and deleted in one short transaction. So no import
 * can refer to them meanwhile.
 */
export async function deleteRecords(
  pool: pg.Pool,
  stored: StoredEntity,
  deletion: Deletion,
): Promise<StepResult> {
  const { organizationId, before, cursors } = deletion;
  const { rows } = await pool.query<{ id: string }>(
    `select id from ${stored.table} where organization_id = $1 and id > $2 and id < $3
     order by id limit ${recordsPerStep}`,
    [organizationId, cursors[stored.table] ?? lowestUuid, before],
  );
  const ids = rows.map(({ id }) => id);
  const referenced = new Set<string>();
  for (const { take, ...statement } of selectReferenced(stored, organizationId, ids, referenced))
    take?.(await pool.query(statement as pg.QueryConfig));
  const unreferenced = ids.filter((id) => !referenced.has(id));
  const deleted =
    unreferenced.length === 0
      ? 0
      : await transaction(pool, (client) => deleteUnreferenced(client, stored, deletion, unreferenced));
  const last = ids.at(-1);
  const hasMore = ids.length === recordsPerStep;
  if (hasMore && last !== undefined) cursors[stored.table] = last;
  return { deleted, hasMore };
}

interface Expired {
  id: string;
  reference: string | null;
  run_id: string;
  position: number;
  bytes: number;
  /** Null: the entity has no local time. */
  local_day: number | null;
  /** How many records of its run were deleted before, by table. */
  deleted_records: Partial<Record<string, number>> | null;
}

async function deleteUnreferenced(
  client: pg.PoolClient,
  stored: StoredEntity,
  deletion: Deletion,
  ids: readonly string[],
): Promise<number> {
  const { organizationId, before, keepsKeys } = deletion;
  const queue = new PipelineQueue(client);
  queue.add(...setLockTimeout(lockTimeout), lockStatement(organizationId));
  const referenced = new Set<string>();
  queue.add(...selectReferenced(stored, organizationId, ids, referenced));
  let found: Expired[] = [];
  await queue.send({
    text: selectExpired(stored),
    values: [organizationId, JSON.stringify(ids)],
    take: ({ rows }) => (found = rows as Expired[]),
  });
  const expired = found.filter(({ id }) => !referenced.has(id));
  if (expired.length === 0) return 0;
  // One statement per record, by primary key, all in one round trip, as an undo does.
  for (const { id } of expired) queue.add(...deleteStatements(stored, organizationId, id));
  if (keepsKeys && stored.entity.key !== undefined) queue.add(insertKeys(stored, organizationId, expired));
  queue.add(...countByRun(stored, organizationId, expired));
  const days = expired.map(({ local_day: day }) => day).filter((day) => day !== null);
  queue.add(...noteChangedDays(organizationId, days));
  queue.add(deletionStatement(organizationId, "records", expired.length));
  await queue.send({
    name: "count-deleted",
    text: `
      update import_turns
      set records_net = records_net - $2, bytes_net = bytes_net - $3,
          deleted_before = greatest(deleted_before, $4::uuid), change_count = change_count + 1
      where organization_id = $1`,
    values: [organizationId, expired.length, expired.reduce((sum, { bytes }) => sum + bytes, 0), before],
  });
  return expired.length;
}

function selectExpired({ table, entity }: StoredEntity): string {
  const reference = entity.key === undefined ? "null::text" : columnName(entity.key);
  const localDay = entity.localTimeOf === undefined ? "null::integer" : dayNumberOf("record.local_date");
  return `
    select found.*, run.deleted_records from json_array_elements_text($2) as wanted (id)
    cross join lateral (
      select record.id, ${reference} as reference, record.import_run_id as run_id, record.position,
             pg_column_size(record.*) as bytes, ${localDay} as local_day
      from ${table} as record where record.organization_id = $1 and record.id = wanted.id::uuid limit 1
    ) as found
    left join lateral (
      select deleted_records from import_runs where organization_id = $1 and id = found.run_id limit 1
    ) as run on true`;
}

/** Adds to `referenced` the records that others refer to. Lateral, like all look-ups, so that the planner uses the index. */
function selectReferenced(
  { table }: StoredEntity,
  organizationId: string,
  ids: readonly string[],
  referenced: Set<string>,
): Statement[] {
  if (ids.length === 0) return [];
  return storedEntities.flatMap((other) =>
    other.links
      .filter(({ relation }) => relation.to.plural === table)
      .map(({ id: column }) => ({
        name: `referred-${table}-by-${other.table}`,
        text: `
          select wanted.id from json_array_elements_text($2) as wanted (id)
          cross join lateral (
            select from ${other.table} as record
            where record.organization_id = $1 and record.${column} = wanted.id::uuid limit 1
          ) as found`,
        values: [organizationId, JSON.stringify(ids)],
        take: ({ rows }: pg.QueryResult<{ id: string }>) => {
          for (const { id } of rows) referenced.add(id);
        },
      })),
  );
}

/** Also deletes the note of an undo that kept the record. */
function deleteStatements({ table }: StoredEntity, organizationId: string, id: string): Statement[] {
  return [
    {
      name: `delete-${table}`,
      text: `delete from ${table} where organization_id = $1 and id = $2`,
      values: [organizationId, id],
    },
    {
      name: "delete-left",
      text: "delete from undo_records where organization_id = $1 and record_id = $2 and not is_removed",
      values: [organizationId, id],
    },
  ];
}

const keyColumns = ["organization_id", "record_id", "kind", "reference", "run_id", "position", "deleted_at"];

function insertKeys({ table }: StoredEntity, organizationId: string, expired: readonly Expired[]): Statement {
  const deletedAt = new Date(nowMs()).toISOString();
  const lines = expired.map(({ id, reference, run_id: runId, position }) =>
    [organizationId, id, table, copyText(reference ?? ""), runId, position, deletedAt].join("\t"),
  );
  return copyInto("deleted_records", keyColumns, textRows(lines));
}

/**
 * Counts the deleted records of each run, so that \`gatehouse verify\` notices records that are missing for another reason.
 * Writes whole numbers, because Citus does not allow an update of a distributed table to compute one from JSON.
 */
function countByRun(
  { table }: StoredEntity,
  organizationId: string,
  expired: readonly Expired[],
): Statement[] {
  const byRun = new Map<string, Expired["deleted_records"]>();
  for (const { run_id: runId, deleted_records: before } of expired) {
    const counts = byRun.get(runId) ?? { ...before };
    byRun.set(runId, { ...counts, [table]: (counts[table] ?? 0) + 1 });
  }
  return [...byRun].map(([runId, counts]) => ({
    name: "count-deleted-of-run",
    text: "update import_runs set deleted_records = $3 where organization_id = $1 and id = $2",
    values: [organizationId, runId, JSON.stringify(counts)],
  }));
}
