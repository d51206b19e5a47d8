import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { copyInto } from "../../core/database/copy-rows.js";
import { CopyLine, copyText, textRows } from "../../core/database/copy-text.js";
import type { Statement } from "../../core/database/pipeline.js";
import { setLockTimeout, transaction } from "../../core/database/transaction.js";
import { PipelineQueue } from "../../core/database/pipeline-queue.js";
import { columnName } from "../../core/entities/columns.js";
import { storedEntities } from "../../core/entities/entities.js";
import type { StoredEntity } from "../../core/entities/stored-entity.js";
import { lockStatement } from "../../core/imports/write/lock-organization.js";
import { dayNumberOf, noteChangedDays } from "../../core/local-days/note-changes.js";
import { deletionStatement } from "../../core/organizations/deletions.js";

/** What is to be deleted of an organization's records. */
export interface Deletion {
  organizationId: string;
  /** Records with a smaller identifier are past their time. */
  before: string;
  /** Whether the keys of what is deleted stay known. */
  keepsKeys: boolean;
}

export interface Step {
  /** The last record that was looked at; undefined: there is none left to look at. */
  passed: string | undefined;
  deleted: number;
}

/** Looked at, and so deleted at most, in one step. */
export const recordsPerStep = 200;
/** Whoever imports is not to wait behind a deletion that waits: it comes back later. */
export const lockTimeout = "250ms";

/**
 * Looks at the next few records of a table that are past their time, and deletes those that nothing refers to. What is
 * only looked at costs imports nothing. What goes is looked at once more under the lock that imports take, and goes in
 * one short transaction: no import refers to it meanwhile, and none sees half of it.
 */
export async function deleteSomeRecords(
  pool: pg.Pool,
  stored: StoredEntity,
  { deletion, after }: { deletion: Deletion; after: string },
): Promise<Step> {
  const { organizationId, before } = deletion;
  const { rows } = await pool.query<{ id: string }>(
    `select id from ${stored.table} where organization_id = $1 and id > $2 and id < $3
     order by id limit ${recordsPerStep}`,
    [organizationId, after, before],
  );
  const ids = rows.map(({ id }) => id);
  const passed = ids.length < recordsPerStep ? undefined : ids.at(-1);
  const free = await withoutReferred(pool, stored, organizationId, ids);
  if (free.length === 0) return { passed, deleted: 0 };
  const deleted = await transaction(pool, (client) => deleteUnreferred(client, stored, deletion, free));
  return { passed, deleted };
}

interface Doomed {
  id: string;
  reference: string | null;
  run_id: string;
  position: number;
  bytes: number;
  /** Null: the entity tells of no moment at a place. */
  local_day: number | null;
  /** How many records of its run were deleted before, by table. */
  deleted_records: Partial<Record<string, number>> | null;
}

async function deleteUnreferred(
  client: pg.PoolClient,
  stored: StoredEntity,
  deletion: Deletion,
  ids: readonly string[],
): Promise<number> {
  const { organizationId, before, keepsKeys } = deletion;
  const queue = new PipelineQueue(client);
  queue.add(...setLockTimeout(lockTimeout), lockStatement(organizationId));
  const referred = new Set<string>();
  queue.add(...referredStatements(stored, organizationId, ids, referred));
  let found: Doomed[] = [];
  await queue.send({
    text: doomedOf(stored),
    values: [organizationId, JSON.stringify(ids)],
    take: ({ rows }) => (found = rows as Doomed[]),
  });
  const doomed = found.filter(({ id }) => !referred.has(id));
  if (doomed.length === 0) return 0;
  // One by one, through their primary keys, all of them in one round trip, as when a run is taken back.
  for (const { id } of doomed) queue.add(...deletionStatements(stored, organizationId, id));
  if (keepsKeys && stored.entity.key !== undefined) queue.add(keyStatement(stored, organizationId, doomed));
  queue.add(...countStatements(stored, organizationId, doomed));
  const days = doomed.map(({ local_day: day }) => day).filter((day) => day !== null);
  queue.add(...noteChangedDays(organizationId, days));
  queue.add(deletionStatement(organizationId, "records", doomed.length));
  await queue.send({
    name: "count-deleted",
    text: `
      update import_turns
      set records_net = records_net - $2, bytes_net = bytes_net - $3,
          deleted_before = greatest(deleted_before, $4::uuid), change_count = change_count + 1
      where organization_id = $1`,
    values: [organizationId, doomed.length, doomed.reduce((sum, { bytes }) => sum + bytes, 0), before],
  });
  return doomed.length;
}

function doomedOf({ table, entity }: StoredEntity): string {
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

async function withoutReferred(
  pool: pg.Pool,
  stored: StoredEntity,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const referred = new Set<string>();
  for (const { take, ...statement } of referredStatements(stored, organizationId, ids, referred))
    take?.(await pool.query(statement as pg.QueryConfig));
  return ids.filter((id) => !referred.has(id));
}

/** Adds to `referred` which of these records others refer to. Lateral, as all look-ups. */
function referredStatements(
  { table }: StoredEntity,
  organizationId: string,
  ids: readonly string[],
  referred: Set<string>,
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
          for (const { id } of rows) referred.add(id);
        },
      })),
  );
}

/** A record that was left when its run was taken back is not left any more. */
function deletionStatements({ table }: StoredEntity, organizationId: string, id: string): Statement[] {
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
const keyLine = new CopyLine(keyColumns.length);

function keyStatement({ table }: StoredEntity, organizationId: string, doomed: readonly Doomed[]): Statement {
  const deletedAt = new Date(nowMs()).toISOString();
  const lines = doomed.map(({ id, reference, run_id: runId, position }) => {
    const line = keyLine.begin();
    line.add(organizationId);
    line.add(id);
    line.add(table);
    line.add(copyText(reference ?? ""));
    line.add(runId);
    line.add(String(position));
    line.add(deletedAt);
    return line.end();
  });
  return copyInto("deleted_records", keyColumns, textRows(lines));
}

/**
 * Every run knows how many of its records are gone, so that one that is missing for another reason is noticed. The whole
 * number is written, because an update of a distributed table may not compute one out of json.
 */
function countStatements(
  { table }: StoredEntity,
  organizationId: string,
  doomed: readonly Doomed[],
): Statement[] {
  const byRun = new Map<string, Doomed["deleted_records"]>();
  for (const { run_id: runId, deleted_records: before } of doomed) {
    const counts = byRun.get(runId) ?? { ...before };
    byRun.set(runId, { ...counts, [table]: (counts[table] ?? 0) + 1 });
  }
  return [...byRun].map(([runId, counts]) => ({
    name: "count-deleted-of-run",
    text: "update import_runs set deleted_records = $3 where organization_id = $1 and id = $2",
    values: [organizationId, runId, JSON.stringify(counts)],
  }));
}
