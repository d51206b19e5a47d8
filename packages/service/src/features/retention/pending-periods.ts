import type {
  DeletableKind,
  PendingRetention,
  PendingRetentionChange,
  Retention,
} from "@gatehouse-parking/contract";
import type pg from "pg";
import { writeAudit } from "../../core/audit/audit.js";
import { transaction } from "../../core/database/transaction.js";
import { showSettings } from "../../core/organizations/configure-organization.js";
import {
  changedPending,
  changedRetention,
  type PendingChanges,
  type RetentionChanges,
} from "../../core/organizations/retention.js";
import type { RetentionConfig } from "./data-kinds.js";
import { previewDeletion } from "./preview-deletion.js";
import type { RetentionSettings } from "./settings.js";

/** The next sweep, a minute later, continues with the rest. */
const organizationsPerSweep = 100;

const columns = `retention, acknowledged_retention, keeps_deleted_keys, acknowledged_keeps_deleted_keys, pending_retention`;

interface Row {
  retention: Retention | null;
  acknowledged_retention: Retention | null;
  keeps_deleted_keys: boolean;
  acknowledged_keeps_deleted_keys: boolean;
  pending_retention: PendingRetention | null;
}

/** By the clocks of the database and of this instance, so that a clock that is ahead deletes nothing early. */
const findDue = `
  select id from organizations
  where pending_retention is not null and exists (
    select from jsonb_each(pending_retention) as pending
    where (pending.value ->> 'at')::timestamptz <= least(now(), $1)
  )
  order by id limit ${organizationsPerSweep}`;

/** Puts pending periods into effect whose grace period is over. */
export async function applyPendingPeriods(pool: pg.Pool, nowMs: number): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(findDue, [new Date(nowMs)]);
  for (const { id } of rows) await transaction(pool, (client) => applyDue(client, id, nowMs));
}

async function applyDue(client: pg.PoolClient, organizationId: string, nowMs: number): Promise<void> {
  // An admin who is saving or cancelling at this moment goes first.
  const { rows } = await client.query<Row & { now: Date }>(
    `select ${columns}, now() as now from organizations
     where id = $1 and pending_retention is not null for no key update skip locked`,
    [organizationId],
  );
  const [row] = rows;
  if (!row) return;
  const untilMs = Math.min(nowMs, row.now.getTime());
  const applied: PendingChanges = {};
  const retention: RetentionChanges = {};
  const skipped: DeletableKind[] = [];
  for (const [what, { days, from, at }] of Object.entries(row.pending_retention ?? {}) as [
    DeletableKind,
    PendingRetentionChange,
  ][]) {
    if (Date.parse(at) > untilMs) continue;
    applied[what] = null;
    if (what === "deletedKeys") continue;
    // An instance of the previous release changed the period meanwhile, without a look at pending ones.
    if ((row.retention?.[what] ?? null) !== from) skipped.push(what);
    else retention[what] = days;
  }
  if (Object.keys(applied).length === 0) return;
  const keepsDeletedKeys = row.keeps_deleted_keys && applied.deletedKeys === undefined;
  await updatePeriods(client, organizationId, {
    retention: changedRetention(row.retention, retention),
    acknowledged_retention: changedRetention(row.acknowledged_retention, retention),
    keeps_deleted_keys: keepsDeletedKeys,
    acknowledged_keeps_deleted_keys: row.acknowledged_keeps_deleted_keys && keepsDeletedKeys,
    pending_retention: changedPending(row.pending_retention, applied),
  });
  await writeAudit(client, {
    organizationId,
    actor: "service",
    action: "retention.apply",
    subjectId: organizationId,
    detail: {
      ...retention,
      ...(applied.deletedKeys === undefined ? {} : { keepsDeletedKeys }),
      ...(skipped.length > 0 && { skipped }),
    },
  });
}

async function updatePeriods(client: pg.PoolClient, organizationId: string, row: Row): Promise<void> {
  await client.query(
    `update organizations
     set retention = $2, acknowledged_retention = $3, keeps_deleted_keys = $4, acknowledged_keeps_deleted_keys = $5,
         pending_retention = $6
     where id = $1`,
    [
      organizationId,
      row.retention && JSON.stringify(row.retention),
      row.acknowledged_retention && JSON.stringify(row.acknowledged_retention),
      row.keeps_deleted_keys,
      row.acknowledged_keeps_deleted_keys,
      row.pending_retention && JSON.stringify(row.pending_retention),
    ],
  );
}

// Instances of release 1.1.0 save shorter periods without a preview, a confirmation or a grace period. They do not write the
// acknowledged columns, so the two differ until the functions below have seen the change.

const isUnconfirmed = `(retention is distinct from acknowledged_retention
  or keeps_deleted_keys <> acknowledged_keeps_deleted_keys)`;

export async function deferUnconfirmedPeriods(pool: pg.Pool, config: RetentionConfig): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from organizations where ${isUnconfirmed} order by id limit ${organizationsPerSweep}`,
  );
  for (const { id } of rows) await deferUnconfirmedPeriodsOf(pool, id, config);
}

/**
 * Turns a shorter period that an earlier release saved into a pending change. The longer period stays in effect until the
 * grace period is over. Changes that delete nothing are only acknowledged.
 */
export async function deferUnconfirmedPeriodsOf(
  pool: pg.Pool,
  organizationId: string,
  config: RetentionConfig,
): Promise<void> {
  const { rows } = await pool.query<Row>(
    `select ${columns} from organizations where id = $1 and ${isUnconfirmed}`,
    [organizationId],
  );
  const [row] = rows;
  if (!row) return;
  const acknowledged = row.acknowledged_retention ?? {};
  const preview = await previewDeletion(
    pool,
    {
      ...(await showSettings<RetentionSettings>(pool, organizationId)),
      retention: acknowledged,
      keepsDeletedKeys: row.acknowledged_keeps_deleted_keys,
    },
    { retention: row.retention ?? {}, keepsDeletedKeys: row.keeps_deleted_keys },
    config,
  );
  const restored: RetentionChanges = {};
  const pending: Partial<Record<DeletableKind, PendingRetentionChange>> = {};
  for (const { what, ...deletable } of preview.data) {
    const from = what === "deletedKeys" ? null : (acknowledged[what] ?? null);
    if (what !== "deletedKeys") restored[what] = from;
    pending[what] = { ...deletable, from, at: preview.at, by: "a server of an earlier release" };
  }
  await transaction(pool, (client) => saveDeferred(client, organizationId, { row, restored, pending }));
}

async function saveDeferred(
  client: pg.PoolClient,
  organizationId: string,
  { row, restored, pending }: { row: Row; restored: RetentionChanges; pending: PendingRetention },
): Promise<void> {
  const { rows } = await client.query<Row>(
    `select ${columns} from organizations where id = $1 for no key update`,
    [organizationId],
  );
  // The settings have changed since the rows were counted. The next sweep tries again.
  if (JSON.stringify(rows[0]) !== JSON.stringify(row)) return;
  const retention = changedRetention(row.retention, restored);
  const keepsDeletedKeys = row.keeps_deleted_keys || pending.deletedKeys !== undefined;
  await updatePeriods(client, organizationId, {
    retention,
    acknowledged_retention: retention,
    keeps_deleted_keys: keepsDeletedKeys,
    acknowledged_keeps_deleted_keys: keepsDeletedKeys,
    pending_retention: changedPending(row.pending_retention, pending),
  });
  if (Object.keys(pending).length === 0) return;
  await writeAudit(client, {
    organizationId,
    actor: "service",
    action: "retention.hold",
    subjectId: organizationId,
    detail: Object.fromEntries(Object.entries(pending).map(([what, { days, at }]) => [what, { days, at }])),
  });
}
