import {
  importResourceNames,
  importResources,
  type ImportResourceName,
  type EntityPlural,
} from "@gatehouse-parking/contract";
import type pg from "pg";
import { storedEntities } from "../../core/entities/entities.js";
import { notFoundError, versionOf } from "../../core/refusals/user-error.js";
import { findCreated, type CreatedRecord } from "./created-records.js";

/** What an undo of an import would do now. */
export interface UndoPlan {
  run: UndoableRun;
  removed: CreatedRecord[];
  /** Records that are kept, because a record that is kept refers to them. */
  kept: KeptRecord[];
  /** Removed records that a later import has acknowledged as stored. */
  acknowledged: Acknowledged[];
  /** A hash of the plan. */
  version: string;
}

export interface KeptRecord extends CreatedRecord {
  referredBy: Referrer[];
}

export interface UndoableRun {
  kind: ImportResourceName;
  completedAt: Date;
  undoneAt: Date | null;
  undoneVersion: string | null;
  /** How many records it created, nested ones included. */
  createdCount: number;
  /** How many bytes they counted in the storage quota. Null: unknown. */
  storedBytes: number | null;
}

/** Imports that are undone together, newest first. */
export interface UndoScope {
  /** Records of these imports do not keep the records that they refer to. */
  runIds: readonly string[];
  /** Kept records of these imports that refer to a record, by its identifier. Each plan adds its own. */
  keptReferrers: Map<string, Referrer[]>;
}

/**
 * Finds what an import created and what refers to it. Without the organization's lock this is a preview. Under the lock it is
 * what the undo does.
 */
export async function planUndo(
  client: pg.ClientBase,
  organizationId: string,
  runId: string,
  { runIds, keptReferrers }: UndoScope = { runIds: [runId], keptReferrers: new Map() },
): Promise<UndoPlan> {
  const run = await findRun(client, organizationId, runId);
  const created = await findCreated(client, organizationId, runId);
  const removed: CreatedRecord[] = [];
  const kept: KeptRecord[] = [];
  // Entities that refer to others come last in the list. So each record is decided before the records that it refers to.
  for (const { table } of storedEntities.toReversed()) {
    const own = created.filter(({ kind }) => kind === table);
    const ids = own.map(({ id }) => id);
    const referrers = await findReferrers(client, organizationId, runIds, { kind: table, ids });
    for (const record of own) {
      const referredBy = [...(referrers.get(record.id) ?? []), ...(keptReferrers.get(record.id) ?? [])];
      if (referredBy.length === 0) {
        removed.push(record);
        continue;
      }
      kept.push({ ...record, referredBy });
      const asReferrer = { kind: table, id: record.id, reference: record.reference ?? "", runId };
      for (const id of record.refersTo) keptReferrers.set(id, [...(keptReferrers.get(id) ?? []), asReferrer]);
    }
  }
  const acknowledged = await findAcknowledged(client, organizationId, runIds, removed);
  const version = versionOf({
    before: run.undoneVersion,
    removed: sortedIds(removed),
    kept: sortedIds(kept),
    acknowledged: sortedIds(acknowledged),
  });
  return { run, removed, kept, acknowledged, version };
}

function sortedIds(records: readonly { id: string }[]): string[] {
  return records.map(({ id }) => id).toSorted();
}

async function findRun(client: pg.ClientBase, organizationId: string, runId: string): Promise<UndoableRun> {
  const { rows } = await client.query<Omit<UndoableRun, "kind"> & { resource: number }>(
    `select resource, completed_at as "completedAt", undone_at as "undoneAt", undone_version as "undoneVersion",
       stored_bytes as "storedBytes",
       success_count + created_accounts + created_contacts + created_vehicles + created_subscriptions as "createdCount"
     from import_runs
     where organization_id = $1 and id = $2`,
    [organizationId, runId],
  );
  const [row] = rows;
  if (!row) throw notFoundError(`There is no import ${runId} in this organization`);
  const { resource, ...run } = row;
  const kind = importResourceNames.find((name) => importResources[name].resource === resource);
  return { ...run, kind: kind as ImportResourceName };
}

/** A record that refers to another one. */
export interface Referrer {
  kind: EntityPlural;
  id: string;
  reference: string;
  /** The import that created it. */
  runId: string;
}

/** How many referring records of each kind a preview names: the newest ones. */
const shownReferrers = 3;

/**
 * By record: the records of other imports that refer to it. An index finds them, newest first. It also finds the imports' own
 * records, which are skipped and bounded by the size of the imports.
 */
export async function findReferrers(
  client: pg.ClientBase,
  organizationId: string,
  runIds: readonly string[],
  { kind, ids }: { kind: EntityPlural; ids: readonly string[] },
): Promise<Map<string, Referrer[]>> {
  const found = new Map<string, Referrer[]>();
  if (ids.length === 0) return found;
  for (const { kind: from, statement } of referrersOf(kind)) {
    const { rows } = await client.query<{ target: string; id: string; reference: string; run_id: string }>(
      statement,
      [organizationId, runIds, JSON.stringify(ids)],
    );
    for (const { target, id, reference, run_id } of rows)
      found.set(target, [...(found.get(target) ?? []), { kind: from, id, reference, runId: run_id }]);
  }
  return found;
}

/** Lateral, like all look-ups. With plain joins the planner reads all rows of the organization. */
function referrersOf(target: EntityPlural): { kind: EntityPlural; statement: string }[] {
  return storedEntities.flatMap(({ table, links, page }) =>
    links
      .filter(({ relation }) => relation.to.plural === target)
      .map(({ id }) => ({
        kind: table,
        statement: `
          select wanted.id as target, found.id, found.reference, found.import_run_id as run_id
          from json_array_elements_text($3) as wanted (id)
          cross join lateral (
            select record.id, ${page.reference} as reference, record.import_run_id from ${table} as record
            where record.organization_id = $1 and record.${id} = wanted.id::uuid and record.import_run_id <> all ($2::uuid[])
            order by record.id desc limit ${shownReferrers}
          ) as found`,
      })),
  );
}

/** A record that was sent again later and Skipped with this uuid. */
export interface Acknowledged {
  kind: EntityPlural;
  id: string;
  reference: string;
  /** One of the imports that skipped it. */
  runId: string;
}

/**
 * Which of these records other imports have acknowledged as stored. It looks for one import per record, so a record that is
 * sent again every minute costs no more than any other.
 */
export async function findAcknowledged(
  client: pg.ClientBase,
  organizationId: string,
  runIds: readonly string[],
  records: readonly CreatedRecord[],
): Promise<Acknowledged[]> {
  const found: Acknowledged[] = [];
  for (const kind of importResourceNames) {
    const own = records.filter((record) => record.kind === kind);
    if (own.length === 0) continue;
    const wanted = own.map(({ id, reference }) => ({ id, reference }));
    const { rows } = await client.query<{ id: string; reference: string; run_id: string }>(statement, [
      organizationId,
      runIds,
      JSON.stringify(wanted),
    ]);
    for (const { id, reference, run_id } of rows) found.push({ kind, id, reference, runId: run_id });
  }
  return found;
}

/** Lateral, like all look-ups. */
const statement = `
  select wanted.id, wanted.reference, found.run_id
  from json_to_recordset($3) as wanted (id uuid, reference text)
  cross join lateral (
    select run_id from import_exceptions
    where organization_id = $1 and reference = wanted.reference and record_id = wanted.id and run_id <> all ($2::uuid[])
    limit 1
  ) as found`;

/**
 * What an undo of all these imports would do. They are given newest first, without gaps, so that each record is decided before
 * the records that it refers to.
 */
export async function planUndoOfRuns(
  client: pg.ClientBase,
  organizationId: string,
  runIds: readonly string[],
): Promise<Pick<UndoPlan, "removed" | "kept" | "acknowledged">> {
  const scope = { runIds, keptReferrers: new Map() };
  const plans: UndoPlan[] = [];
  for (const runId of runIds) plans.push(await planUndo(client, organizationId, runId, scope));
  return {
    removed: plans.flatMap(({ removed }) => removed),
    kept: plans.flatMap(({ kept }) => kept),
    acknowledged: plans.flatMap(({ acknowledged }) => acknowledged),
  };
}
