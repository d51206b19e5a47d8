import type pg from "pg";
import { describeStorageShortage, type StoredNow } from "../organizations/quotas.js";
import { firstIdAt } from "../paging/pages.js";
import { Refused } from "../refusals/refused.js";

const dayMs = 86_400_000;

/** Counts the leads of the last 24 hours by their identifiers, including quarantined ones, up to `atMost`. */
export async function countRecentLeads(
  pool: pg.Pool,
  { organizationId, nowMs, atMost }: { organizationId: string; nowMs: number; atMost: number },
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*) as count from (
       select from leads where organization_id = $1 and id >= $2 limit $3
     ) as recent`,
    [organizationId, firstIdAt(new Date(nowMs - dayMs)), atMost],
  );
  return rows[0]?.count ?? 0;
}

export function requireDailyLeadQuota(leadsPerDay: number, recentLeads: number): void {
  if (recentLeads < leadsPerDay) return;
  throw new Refused("quotaExceeded", {
    details: [
      `The organization has reached its quota of ${leadsPerDay.toLocaleString("en")} leads in 24 hours; this lead was not stored`,
    ],
  });
}

/** The size of the lead is not known yet. The next storage count includes it. */
export function requireStorageQuota(storageBytes: number, stored: StoredNow): void {
  const lack = describeStorageShortage(stored, storageBytes, 1);
  if (lack !== undefined)
    throw new Refused("quotaExceeded", { details: [`${lack}; this lead was not stored`] });
}
