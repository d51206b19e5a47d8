/** The kinds of data with a retention period per organization. */
export const keptKinds = ["records", "exceptions", "runDetails", "requestLog", "leads"] as const;
export type KeptKind = (typeof keptKinds)[number];

/** Days since the data was stored. Absent: the default. */
export type Retention = Partial<Record<KeptKind, number>>;

export const keptDays = { minimum: 1, maximum: 36_500 } as const;

/** Everything that a change of the retention settings can delete. */
export const deletableKinds = [...keptKinds, "deletedKeys"] as const;
export type DeletableKind = (typeof deletableKinds)[number];

/** A shorter period that has been saved and is not in effect yet. */
export interface PendingRetentionChange {
  /** Null for deletedKeys: deleted regardless of age. */
  days: number | null;
  /** The period when the change was saved. Null: the default. */
  from: number | null;
  /** When it takes effect. */
  at: string;
  by: string;
  /** The number of stored rows to delete, counted when it was saved. */
  count: number;
  /** The count reached its limit; there are more. */
  isMinimum: boolean;
}

export type PendingRetention = Partial<Record<DeletableKind, PendingRetentionChange>>;

/** Completes "must be ..." when a number of days is rejected. */
export const keptDaysRule = `a whole number of days from ${keptDays.minimum} to ${keptDays.maximum}`;

export function isKeptDays(days: number): boolean {
  return Number.isInteger(days) && days >= keptDays.minimum && days <= keptDays.maximum;
}

/** The storage quotas of an organization. */
export const quotaNames = ["records", "storageBytes", "leadsPerDay"] as const;
export type QuotaName = (typeof quotaNames)[number];

/** Absent: unlimited. */
export type Quotas = Partial<Record<QuotaName, number>>;

export const quotaBounds: Record<QuotaName, { minimum: number; maximum: number }> = {
  records: { minimum: 1, maximum: 1_000_000_000_000 },
  storageBytes: { minimum: 1, maximum: 1_000_000_000_000_000 },
  // Leads are counted up to this number on every submission.
  leadsPerDay: { minimum: 1, maximum: 100_000 },
};

export function isQuota(name: QuotaName, limit: number): boolean {
  const { minimum, maximum } = quotaBounds[name];
  return Number.isInteger(limit) && limit >= minimum && limit <= maximum;
}

/** Completes "must be ..." when a quota is rejected. */
export function quotaRule(name: QuotaName): string {
  return `a whole number from ${quotaBounds[name].minimum} to ${quotaBounds[name].maximum}`;
}
