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
import type { UndoPreview } from "@gatehouse-parking/contract/console";
import { transaction, type Connection } from "../../core/database/transaction.js";
import { requireUndoable } from "./undo-window.js";
import { showPlan } from "./show-plan.js";

/** What taking a run back would do now. */
export interface UndoPlan {
  run: UndoableRun;
  removed: CreatedRecord[];
  /** What stays, because something that stays refers to it. */
  kept: KeptRecord[];
  /** Those of the removed records that a later run has called stored. */
  acknowledged: Acknowledged[];
  /** Names this plan: another one has another version. */
  version: string;
}

export interface KeptRecord extends CreatedRecord {
  referredBy: Referrer[];
}

export interface UndoableRun {
  /** What its records are. */
  kind: ImportResourceName;
  completedAt: Date;
  undoneAt: Date | null;
  undoneVersion: string | null;
  /** How many records it created, with those that came along. */
  createdCount: number;
  /** How many bytes they counted as. Null: not known. */
  storedBytes: number | null;
}

/** Runs that are taken back together, the newest first. */
export interface UndoScope {
  /** What these runs created does not protect what it refers to. */
  runIds: readonly string[];
  /** Except for what stays: those that refer to a record, by its identifier. Added to by each plan. */
  staying: Map<string, Referrer[]>;
}

/**
 * Looks at what a run created and at what refers to it. Read without the organization's lock it is a preview; under the
 * lock it is what will be done.
 */
export async function planUndo(
  client: pg.ClientBase,
  organizationId: string,
  runId: string,
  { runIds, staying }: UndoScope = { runIds: [runId], staying: new Map() },
): Promise<UndoPlan> {
  const run = await findRun(client, organizationId, runId);
  const created = await findCreated(client, organizationId, runId);
  const removed: CreatedRecord[] = [];
  const kept: KeptRecord[] = [];
  // Those that refer to others come last among the entities. So whether a record stays is known before what it refers to.
  for (const { table } of storedEntities.toReversed()) {
    const own = created.filter(({ kind }) => kind === table);
    const ids = own.map(({ id }) => id);
    const referrers = await findReferrers(client, organizationId, runIds, { kind: table, ids });
    for (const record of own) {
      const referredBy = [...(referrers.get(record.id) ?? []), ...(staying.get(record.id) ?? [])];
      if (referredBy.length === 0) {
        removed.push(record);
        continue;
      }
      kept.push({ ...record, referredBy });
      const asReferrer = { kind: table, id: record.id, reference: record.reference ?? "", runId };
      for (const id of record.refersTo) staying.set(id, [...(staying.get(id) ?? []), asReferrer]);
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
  const { rows } = await client.query<{
    resource: number;
    completed_at: Date;
    undone_at: Date | null;
    undone_version: string | null;
    created_count: number;
    stored_bytes: number | null;
  }>(
    `select resource, completed_at, undone_at, undone_version, stored_bytes,
       success_count + created_accounts + created_contacts + created_vehicles + created_subscriptions as created_count
     from import_runs
     where organization_id = $1 and id = $2`,
    [organizationId, runId],
  );
  const [row] = rows;
  if (!row) throw notFoundError(`There is no run ${runId} in this organization`);
  return {
    kind: importResourceNames.find(
      (name) => importResources[name].resource === row.resource,
    ) as ImportResourceName,
    completedAt: row.completed_at,
    undoneAt: row.undone_at,
    undoneVersion: row.undone_version,
    createdCount: row.created_count,
    storedBytes: row.stored_bytes,
  };
}

/** A record that refers to another one. */
export interface Referrer {
  kind: EntityPlural;
  id: string;
  reference: string;
  /** The run that created it. */
  runId: string;
}

/** How many of the records that refer to a record are named, of each kind; the newest. */
const shownReferrers = 3;

/**
 * What others than these runs have created that refers to these records, by the record. An index leads to it, newest
 * first, and the runs' own records, which do not count, are passed over and no more than the runs have.
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

/** Lateral, as all look-ups: plain joins made the planner read all that the organization has. */
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

/** A record that a later run has called stored: it was sent again, and Skipped with this uuid. */
export interface Acknowledged {
  kind: EntityPlural;
  id: string;
  reference: string;
  /** One of the runs that said so. */
  runId: string;
}

/**
 * Which of these records somebody was told are stored, by others than these runs. One run for each is enough, so a
 * record that is sent again every minute costs no more than any other.
 */
export async function findAcknowledged(
  client: pg.ClientBase,
  organizationId: string,
  runIds: readonly string[],
  records: readonly CreatedRecord[],
): Promise<Acknowledged[]> {
  const found: Acknowledged[] = [];
  for (const kind of Object.keys(importResources) as ImportResourceName[]) {
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

/** Lateral, for the reason given above. */
const statement = `
  select wanted.id, wanted.reference, found.run_id
  from json_to_recordset($3) as wanted (id uuid, reference text)
  cross join lateral (
    select run_id from import_exceptions
    where organization_id = $1 and reference = wanted.reference and record_id = wanted.id and run_id <> all ($2::uuid[])
    limit 1
  ) as found`;

/**
 * What taking these runs back one after the other would do. They are given newest first and have none in between that is
 * left out: then whatever among them refers to a record is known before the record is looked at.
 */
export async function planUndoOfRuns(
  client: pg.ClientBase,
  organizationId: string,
  runIds: readonly string[],
): Promise<Pick<UndoPlan, "removed" | "kept" | "acknowledged">> {
  const scope = { runIds, staying: new Map() };
  const plans: UndoPlan[] = [];
  for (const runId of runIds) plans.push(await planUndo(client, organizationId, runId, scope));
  return {
    removed: plans.flatMap(({ removed }) => removed),
    kept: plans.flatMap(({ kept }) => kept),
    acknowledged: plans.flatMap(({ acknowledged }) => acknowledged),
  };
}

/** What taking a run back would do, for a person to decide on. Its version goes along with the decision. */
export async function previewUndo(
  connection: Connection,
  { organizationId, runId, undoDays }: { organizationId: string; runId: string; undoDays: number },
): Promise<UndoPreview> {
  return transaction(connection, async (client) => {
    const plan = await planUndo(client, organizationId, runId);
    return {
      version: plan.version,
      until: requireUndoable(plan.run.completedAt, undoDays),
      ...(await showPlan(client, organizationId, plan)),
    };
  });
}
