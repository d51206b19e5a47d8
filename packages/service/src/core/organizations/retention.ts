import {
  deletableKinds,
  isKeptDays,
  keptDaysRule,
  keptKinds,
  type DeletableKind,
  type KeptKind,
  type PendingRetention,
  type PendingRetentionChange,
  type Retention,
} from "@gatehouse-parking/contract";
import type pg from "pg";
import { writeAudit } from "../audit/audit.js";
import type { Statement } from "../database/pipeline.js";
import { transaction } from "../database/transaction.js";
import { invalidInput } from "../refusals/user-error.js";
import { mergeByName } from "./number-settings.js";
import { releaseStorage } from "./quotas.js";

/** Null removes an override. */
export type RetentionChanges = Partial<Record<KeptKind, number | null>>;

/** Null: no overrides are left. */
export function changedRetention(stored: Retention | null, changes: RetentionChanges): Retention | null {
  for (const [what, days] of Object.entries(changes))
    if (days !== null && !isKeptDays(days))
      throw invalidInput(`How long ${what} are kept must be ${keptDaysRule}; ${days} is not`);
  return mergeByName(keptKinds, stored, changes);
}

/**
 * SQL for the periods by which this release deletes: of the stored and the acknowledged period of a kind, the longer one. A kind
 * that lacks either has the usual period. `organization` names the table.
 */
export const periodsInEffect = (organization: string): string => `(
  select jsonb_object_agg(stored.key, greatest(stored.value::int, acknowledged.value::int))
  from jsonb_each_text(${organization}.retention) as stored
  join jsonb_each_text(${organization}.acknowledged_retention) as acknowledged on acknowledged.key = stored.key
)`;
export const keepsKeysInEffect = (organization: string): string =>
  `(${organization}.keeps_deleted_keys or ${organization}.acknowledged_keeps_deleted_keys)`;

/** Null cancels a pending change. */
export type PendingChanges = Partial<Record<DeletableKind, PendingRetentionChange | null>>;

/** Null: nothing is pending. */
export function changedPending(
  stored: PendingRetention | null,
  changes: PendingChanges,
): PendingRetention | null {
  return mergeByName(deletableKinds, stored, changes);
}

/**
 * Counts rows that retention deletes, in the transaction that deletes them. So a crash before the audit line is written
 * loses no count: the next sweep reports it.
 */
export function deletionStatement(
  organizationId: string,
  what: DeletableKind,
  count: number,
): Required<Pick<Statement, "text" | "values">> {
  return {
    text: `
      insert into organization_upkeep as upkeep (organization_id, unreported_deletions)
      values ($1, jsonb_build_object($2::text, $3::bigint))
      on conflict (organization_id) do update
      set unreported_deletions = upkeep.unreported_deletions
          || jsonb_build_object($2::text, coalesce((upkeep.unreported_deletions ->> $2::text)::bigint, 0) + $3::bigint)`,
    values: [organizationId, what, count],
  };
}

/** `bytes`: what the rows count as in the storage quota. */
export async function recordDeletion(
  client: pg.ClientBase,
  organizationId: string,
  what: DeletableKind,
  { count, bytes }: { count: number; bytes: number },
): Promise<void> {
  if (count === 0) return;
  if (bytes > 0) await releaseStorage(client, organizationId, bytes);
  const { text, values } = deletionStatement(organizationId, what, count);
  await client.query(text, [...values]);
}

/** Writes one audit line with all deletions that have none yet. */
export async function reportDeletions(pool: pg.Pool, organizationId: string): Promise<void> {
  await transaction(pool, async (client) => {
    const { rows } = await client.query<{ deleted: Record<string, number> }>(
      `select unreported_deletions as deleted from organization_upkeep
       where organization_id = $1 and unreported_deletions <> '{}' for update`,
      [organizationId],
    );
    if (!rows[0]) return;
    await writeAudit(client, {
      organizationId,
      actor: "service",
      action: "retention.delete",
      subjectId: organizationId,
      detail: rows[0].deleted,
    });
    await client.query(
      "update organization_upkeep set unreported_deletions = '{}' where organization_id = $1",
      [organizationId],
    );
  });
}
