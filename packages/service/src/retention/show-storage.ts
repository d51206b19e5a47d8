import { quotaNames, type Quotas } from "@gatehouse-parking/contract";
import type { OrganizationStorage } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { nowMs } from "../clock.js";
import { countRecentLeads } from "../leads/lead-quota.js";
import type { Size } from "./measure.js";

/** What was counted last, and what the quotas count at this moment. */
export async function showStorage(
  pool: pg.Pool,
  organizationId: string,
  { quotas, version }: { quotas: Quotas; version: string },
): Promise<OrganizationStorage> {
  const { rows: measured } = await pool.query<{ measured_at: Date | null; sizes: string }>(
    "select measured_at, sizes from organization_upkeep where organization_id = $1",
    [organizationId],
  );
  const { rows: counted } = await pool.query<{ records: number | null; bytes: number | null }>(
    `select records_base + records_net as records, greatest(0, bytes_base + bytes_net) as bytes
     from import_turns where organization_id = $1`,
    [organizationId],
  );
  const used = {
    records: counted[0]?.records ?? null,
    storageBytes: counted[0]?.bytes ?? null,
    leadsPerDay:
      quotas.leadsPerDay === undefined
        ? null
        : await countRecentLeads(pool, { organizationId, nowMs: nowMs(), atMost: quotas.leadsPerDay }),
  };
  return {
    measuredAt: measured[0]?.measured_at?.toISOString() ?? null,
    sizes: JSON.parse(measured[0]?.sizes ?? "[]") as Size[],
    quotas: quotaNames.map((quota) => ({ quota, limit: quotas[quota] ?? null, used: used[quota] })),
    version,
  };
}
