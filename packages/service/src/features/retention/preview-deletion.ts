import type { DeletableKind } from "@gatehouse-parking/contract";
import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { changedRetention } from "../../core/organizations/retention.js";
import { add, dataKinds, type Counted, type RetentionConfig } from "./data-kinds.js";
import type { RetentionSettings, RetentionSettingsChanges } from "./settings.js";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

export interface Deletable extends Counted {
  what: DeletableKind;
  /** Null for deleted keys, which are deleted whatever their age. */
  days: number | null;
}

export interface DeletionPreview {
  /** Without kinds of which nothing is deleted. */
  data: Deletable[];
  /** When the change takes effect if it is saved now. */
  at: string;
}

/**
 * Counts what shorter periods delete when they take effect. Rows that the current period deletes anyway do not count.
 */
export async function previewDeletion(
  pool: pg.Pool,
  { uuid: organizationId, ...settings }: RetentionSettings & { uuid: string },
  { retention = {}, keepsDeletedKeys }: Pick<RetentionSettingsChanges, "retention" | "keepsDeletedKeys">,
  config: RetentionConfig,
): Promise<DeletionPreview> {
  // Rejects periods out of range before anything is counted.
  changedRetention(settings.retention, retention);
  const current: Partial<Record<DeletableKind, number>> = settings.retention;
  const wanted = new Map(Object.entries(retention) as [DeletableKind, number | null][]);
  if (keepsDeletedKeys === false && settings.keepsDeletedKeys) wanted.set("deletedKeys", 0);
  const startMs = nowMs();
  const atMs = startMs + config.retentionGraceHours * hourMs;
  const data: Deletable[] = [];
  for (const [what, days] of wanted) {
    if (days === null) continue;
    const { counts, extraMs = 0 } = dataKinds[what];
    let total: Counted = { count: 0, isMinimum: false };
    for (const { count, defaultDays } of counts) {
      const currentDays = Math.min(current[what] ?? Infinity, defaultDays?.(config) ?? Infinity);
      if (days >= currentDays) continue;
      const fromMs = currentDays === Infinity ? 0 : startMs - currentDays * dayMs - extraMs;
      const span = { from: new Date(fromMs), before: new Date(atMs - days * dayMs - extraMs) };
      total = add(total, await count(pool, organizationId, span));
    }
    if (total.count > 0) data.push({ what, days: what === "deletedKeys" ? null : days, ...total });
  }
  return { data, at: new Date(atMs).toISOString() };
}
