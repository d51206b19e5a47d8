import { importResourceNames, importResources, type ImportResourceName } from "@gatehouse-parking/contract";
import type pg from "pg";
import { storedEntities } from "../../core/entities/entities.js";
import { versionOf, NotFoundError } from "../../core/refusals/input-errors.js";
import { findCreated, type CreatedRecord } from "./created-records.js";
import { findAcknowledged, type Acknowledged } from "./find-acknowledged.js";
import { findReferrers, type Referrer } from "./find-referrers.js";

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
  if (!row) throw new NotFoundError(`There is no run ${runId} in this organization`);
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
