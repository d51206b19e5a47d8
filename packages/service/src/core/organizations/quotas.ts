import { isQuota, quotaNames, quotaRule, type QuotaName, type Quotas } from "@gatehouse-parking/contract";
import { InvalidInput } from "../refusals/input-errors.js";
import { mergeNumbers, readNumbers } from "./number-settings.js";

/** Null takes a quota away. */
export type QuotaChanges = Partial<Record<QuotaName, number | null>>;

/** Null: no quota is left. */
export function changedQuotas(stored: Quotas | null, changes: QuotaChanges): Quotas | null {
  for (const name of quotaNames) {
    const limit = changes[name];
    if (limit !== undefined && limit !== null && !isQuota(name, limit))
      throw new InvalidInput(`The quota ${name} must be ${quotaRule(name)}; ${limit} is not`);
  }
  return mergeNumbers(quotaNames, stored, changes);
}

/** Quotas as they are typed on the command line: records=1000000. */
export function readQuotas(texts: readonly string[]): QuotaChanges {
  return readNumbers(texts, quotaNames, { what: "a quota", example: "records=1000000" });
}
