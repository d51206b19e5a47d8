import type { ImportResourceName } from "@gatehouse-parking/contract";
import { accounts } from "./fields/accounts.js";
import type { FieldRule } from "./fields/rule.js";
import { subscriptions } from "./fields/subscriptions.js";
import { transactions } from "./fields/transactions.js";
import type { Concept } from "./header-words.js";

export const fieldRules: Readonly<Partial<Record<ImportResourceName, readonly FieldRule[]>>> = {
  transactions,
  accounts,
  subscriptions,
};

/** A column with such a header has no field, and goes into the metadata without a separate question. */
export const otherConcepts: ReadonlySet<Concept> = new Set([
  ...(["tax", "duration", "admin", "currency", "balance", "tip", "staff", "address"] as const),
]);
