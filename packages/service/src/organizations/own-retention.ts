import {
  isKeptDays,
  keptDaysRule,
  keptKinds,
  type KeptKind,
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

/** Days as they are typed on the command line: records=730. */
export function readRetention(texts: readonly string[]): RetentionChanges {
  return readNumbers(texts, keptKinds, { what: "kept for a time of its own", example: "records=730" });
}
