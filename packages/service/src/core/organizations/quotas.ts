import { isQuota, quotaNames, quotaRule, type QuotaName, type Quotas } from "@gatehouse-parking/contract";
import { invalidInput } from "../refusals/user-error.js";
import { mergeByName, readNumbers, showNumbers } from "./number-settings.js";
import { setting } from "./setting.js";

/** Null takes a quota away. */
export type QuotaChanges = Partial<Record<QuotaName, number | null>>;

/** How much an organization may store. An operator sets it. */
export const quotas = setting({
  name: "quotas",
  columns: ["quotas"],
  show: (stored: Quotas | null) => mergeByName(quotaNames, stored, {}) ?? {},
  change: changedQuotas,
  readBy: ["imports", "leads"],
  option: {
    flags: "--quota <name=number...>",
    description: `how much it may store: ${quotaNames.join(", ")}; NAME=default to take a quota away`,
    example: "--quota records=1000000 --quota leadsPerDay=500",
    parse: (texts: string[]) =>
      readNumbers(texts, quotaNames, { what: "a quota", example: "records=1000000" }),
  },
  describe: showNumbers,
});

/** Null: no quota is left. */
function changedQuotas(stored: Quotas | null, changes: QuotaChanges): Quotas | null {
  for (const name of quotaNames) {
    const limit = changes[name];
    if (limit !== undefined && limit !== null && !isQuota(name, limit))
      throw invalidInput(`The quota ${name} must be ${quotaRule(name)}; ${limit} is not`);
  }
  return mergeByName(quotaNames, stored, changes);
}
