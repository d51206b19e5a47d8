import type { DeletableKind, PendingRetention, Retention } from "@gatehouse-parking/contract";
import type pg from "pg";
import { writeAudit } from "../../core/audit/audit.js";
import { transaction } from "../../core/database/transaction.js";
import {
  changedPending,
  changedRetention,
  type PendingChanges,
  type RetentionChanges,
} from "../../core/organizations/retention-periods.js";

/** There is a sweep a minute; the next one applies the rest. */
const organizationsPerSweep = 100;

/** By the clock of the database and by that of this instance: one that is set ahead deletes nothing early. */
const findDue = `
  select id from organizations
  where pending_retention is not null and exists (
    select from jsonb_each(pending_retention) as pending
    where (pending.value ->> 'at')::timestamptz <= least(now(), $1)
  )
  order by id limit ${organizationsPerSweep}`;

interface PendingRow {
  retention: Retention | null;
  acknowledged_retention: Retention | null;
  keeps_deleted_keys: boolean;
  pending_retention: PendingRetention;
  now: Date;
}

/** Puts pending periods into effect whose grace period is over. */
export async function applyPendingRetention(pool: pg.Pool, nowMs: number): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(findDue, [new Date(nowMs)]);
  for (const { id } of rows) await transaction(pool, (client) => applyDue(client, id, nowMs));
}

async function applyDue(client: pg.PoolClient, organizationId: string, nowMs: number): Promise<void> {
  // Somebody who is saving or cancelling goes first.
  const { rows } = await client.query<PendingRow>(
    `select retention, acknowledged_retention, keeps_deleted_keys, pending_retention, now() as now from organizations
     where id = $1 and pending_retention is not null for no key update skip locked`,
    [organizationId],
  );
  const [row] = rows;
  if (!row) return;
  const untilMs = Math.min(nowMs, row.now.getTime());
  const done: PendingChanges = {};
  const retention: RetentionChanges = {};
  const skipped: DeletableKind[] = [];
  let keepsDeletedKeys = row.keeps_deleted_keys;
  for (const [what, { days, from, at }] of Object.entries(row.pending_retention) as [
    DeletableKind,
    NonNullable<PendingRetention[DeletableKind]>,
  ][]) {
    if (Date.parse(at) > untilMs) continue;
    done[what] = null;
    if (what === "deletedKeys") keepsDeletedKeys = false;
    // An instance of the previous release saves periods without looking at pending ones.
    else if ((row.retention?.[what] ?? null) !== from) skipped.push(what);
    else retention[what] = days;
  }
  if (Object.keys(done).length === 0) return;
  const applied = changedRetention(row.retention, retention);
  const acknowledged = changedRetention(row.acknowledged_retention, retention);
  const pending = changedPending(row.pending_retention, done);
  await client.query(
    `update organizations set retention = $2, acknowledged_retention = $3, keeps_deleted_keys = $4,
       acknowledged_keeps_deleted_keys = acknowledged_keeps_deleted_keys and $4, pending_retention = $5
     where id = $1`,
    [
      organizationId,
      applied && JSON.stringify(applied),
      acknowledged && JSON.stringify(acknowledged),
      keepsDeletedKeys,
      pending && JSON.stringify(pending),
    ],
  );
  await writeAudit(client, {
    organizationId,
    actor: "service",
    action: "retention.apply",
    subjectId: organizationId,
    detail: {
      ...retention,
      ...(done.deletedKeys === undefined ? {} : { keepsDeletedKeys }),
      ...(skipped.length > 0 && { skipped }),
    },
  });
}
