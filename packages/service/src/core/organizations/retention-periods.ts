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
import { invalidInput } from "../refusals/user-error.js";
import { mergeByName } from "./number-settings.js";

/** Null takes an own number of days away. */
export type RetentionChanges = Partial<Record<KeptKind, number | null>>;

/** Null: nothing of its own is left. */
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
