/** What an organization can keep for a time of its own. */
export const keptKinds = ["records", "exceptions", "runDetails", "requestLog", "leads"] as const;
export type KeptKind = (typeof keptKinds)[number];

/** Days from when it was stored. What is absent is kept as long as everybody's. */
export type Retention = Partial<Record<KeptKind, number>>;

export const keptDays = { minimum: 1, maximum: 36_500 } as const;

/** Everything that a change of the retention settings can delete. */
export const deletableKinds = [...keptKinds, "deletedKeys"] as const;
export type DeletableKind = (typeof deletableKinds)[number];

/** A shorter period that has been saved and is not in effect yet. */
export interface PendingRetentionChange {
  /** Null for deletedKeys: they are deleted whatever their age. */
  days: number | null;
  /** The period when the change was saved. Null: the default. */
  from: number | null;
  /** When it takes effect. */
  at: string;
  by: string;
  /** How many stored rows it deletes, as counted when it was saved. */
  count: number;
  /** Counting stopped at its limit: there are more. */
  isMinimum: boolean;
}

export type PendingRetention = Partial<Record<DeletableKind, PendingRetentionChange>>;

/** What completes "must be ..." of a number of days that is refused. */
export const keptDaysRule = `a whole number of days from ${keptDays.minimum} to ${keptDays.maximum}`;

export function isKeptDays(days: number): boolean {
  return Number.isInteger(days) && days >= keptDays.minimum && days <= keptDays.maximum;
}

/** What an organization may be given only so much of. */
export const quotaNames = ["records", "storageBytes", "leadsPerDay"] as const;
export type QuotaName = (typeof quotaNames)[number];

/** What is absent has no bound. */
export type Quotas = Partial<Record<QuotaName, number>>;

export const quotaBounds: Record<QuotaName, { minimum: number; maximum: number }> = {
  records: { minimum: 1, maximum: 1_000_000_000_000 },
  storageBytes: { minimum: 1, maximum: 1_000_000_000_000_000 },
  // So many are counted when a lead arrives.
  leadsPerDay: { minimum: 1, maximum: 100_000 },
};

export function isQuota(name: QuotaName, limit: number): boolean {
  const { minimum, maximum } = quotaBounds[name];
  return Number.isInteger(limit) && limit >= minimum && limit <= maximum;
}

/** What completes "must be ..." of a quota that is refused. */
export function quotaRule(name: QuotaName): string {
  return `a whole number from ${quotaBounds[name].minimum} to ${quotaBounds[name].maximum}`;
}
