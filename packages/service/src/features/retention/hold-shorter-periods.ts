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
} from "../../core/organizations/retention-periods.js";
import { previewDeletion, type RetentionRules } from "./preview-deletion.js";
import type { RetentionSettings } from "./settings.js";

/** There is a sweep a minute; the next one looks at the rest. */
const organizationsPerSweep = 100;

const isUnacknowledged = `(retention is distinct from acknowledged_retention
  or keeps_deleted_keys <> acknowledged_keeps_deleted_keys)`;

interface Row {
  retention: Retention | null;
  acknowledged_retention: Retention | null;
  keeps_deleted_keys: boolean;
  acknowledged_keeps_deleted_keys: boolean;
  pending_retention: PendingRetention | null;
}

const columns = `retention, acknowledged_retention, keeps_deleted_keys, acknowledged_keeps_deleted_keys, pending_retention`;

export async function holdShorterPeriodsEverywhere(pool: pg.Pool, rules: RetentionRules): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from organizations where ${isUnacknowledged} order by id limit ${organizationsPerSweep}`,
  );
  for (const { id } of rows) await holdShorterPeriods(pool, id, rules);
}

/**
 * Instances of release 1.1.0 save shorter periods without a preview, a confirmation or a grace period. Such a period becomes a
 * pending change, and the longer one comes back until the grace period is over. Changes that delete nothing are acknowledged.
 */
export async function holdShorterPeriods(
  pool: pg.Pool,
  organizationId: string,
  rules: RetentionRules,
): Promise<void> {
  const { rows } = await pool.query<Row>(
    `select ${columns} from organizations where id = $1 and ${isUnacknowledged}`,
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
    rules,
  );
  const restored: RetentionChanges = {};
  const pending: PendingChanges = {};
  for (const { what, days, count, isMinimum } of preview.data) {
    const from = what === "deletedKeys" ? null : (acknowledged[what] ?? null);
    if (what !== "deletedKeys") restored[what] = from;
    pending[what] = { days, from, at: preview.at, by: "a server of an earlier release", count, isMinimum };
  }
  const keepsDeletedKeys = row.keeps_deleted_keys || pending.deletedKeys !== undefined;
  const held = { row, retention: changedRetention(row.retention, restored), keepsDeletedKeys, pending };
  await transaction(pool, (client) => save(client, organizationId, held));
}

interface Held {
  row: Row;
  retention: Retention | null;
  keepsDeletedKeys: boolean;
  pending: PendingChanges;
}

/** Nothing is saved if the settings have changed since the rows were counted: the next sweep looks again. */
async function save(
  client: pg.PoolClient,
  organizationId: string,
  { row, retention, keepsDeletedKeys, pending }: Held,
): Promise<void> {
  const { rows } = await client.query<Row>(
    `select ${columns} from organizations where id = $1 for no key update`,
    [organizationId],
  );
  if (JSON.stringify(rows[0]) !== JSON.stringify(row)) return;
  const changed = changedPending(row.pending_retention, pending);
  await client.query(
    `update organizations set retention = $2, acknowledged_retention = $2, keeps_deleted_keys = $3,
       acknowledged_keeps_deleted_keys = $3, pending_retention = $4
     where id = $1`,
    [
      organizationId,
      retention && JSON.stringify(retention),
      keepsDeletedKeys,
      changed && JSON.stringify(changed),
    ],
  );
  const held = Object.entries(pending) as [DeletableKind, PendingRetentionChange][];
  if (held.length === 0) return;
  await writeAudit(client, {
    organizationId,
    actor: "service",
    action: "retention.hold",
    subjectId: organizationId,
    detail: Object.fromEntries(held.map(([what, { days, at }]) => [what, { days, at }])),
  });
}
