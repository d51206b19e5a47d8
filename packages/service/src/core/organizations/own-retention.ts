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
import { InvalidInput } from "../refusals/invalid-input.js";
import { mergeNumbers, readNumbers } from "./own-numbers.js";

/** Null takes an own number of days away. */
export type RetentionChanges = Partial<Record<KeptKind, number | null>>;

/** Null: nothing of its own is left. */
export function changedRetention(stored: Retention | null, changes: RetentionChanges): Retention | null {
  for (const [what, days] of Object.entries(changes))
    if (days !== null && !isKeptDays(days))
      throw new InvalidInput(`How long ${what} are kept must be ${keptDaysRule}; ${days} is not`);
  return mergeNumbers(keptKinds, stored, changes);
}

/** Null cancels a pending change. */
export type PendingChanges = Partial<Record<DeletableKind, PendingRetentionChange | null>>;

/** Null: nothing is pending. */
export function changedPending(
  stored: PendingRetention | null,
  changes: PendingChanges,
): PendingRetention | null {
  const all: PendingChanges = { ...stored, ...changes };
  const left = deletableKinds.flatMap((what) => (all[what] ? [[what, all[what]]] : []));
  return left.length === 0 ? null : (Object.fromEntries(left) as PendingRetention);
}

/** Days as they are typed on the command line: records=730. */
export function readRetention(texts: readonly string[]): RetentionChanges {
  return readNumbers(texts, keptKinds, { what: "kept for a time of its own", example: "records=730" });
}
