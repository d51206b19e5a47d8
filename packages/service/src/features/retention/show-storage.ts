import { quotaNames, type Quotas } from "@gatehouse-parking/contract";
import type { OrganizationStorage } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { storedEntities } from "../../core/entities/entities.js";
import { countRecentLeads } from "../../core/leads/lead-quota.js";
import { readStored, type StoredNow } from "../../core/organizations/storage-quota.js";
import type { Size } from "./measure.js";

const recordTables = new Set<string>(storedEntities.map(({ table }) => table));

/**
 * Tables are counted about once an hour. As soon as their records differ from what is stored now, one line of records
 * replaces them, so that the page never shows two figures for the same thing.
 */
function withStoredNow(sizes: Size[], { records, bytes }: StoredNow): Size[] {
  const others = sizes.filter(({ what }) => !recordTables.has(what));
  const counted = sizes.filter(({ what }) => recordTables.has(what)).reduce((sum, { rows }) => sum + rows, 0);
  if (records === null || (sizes.length > 0 && records === counted)) return sizes;
  // The request log is not part of the quota.
  const otherBytes = others
    .filter(({ what }) => what !== "request_log")
    .reduce((sum, size) => sum + size.bytes, 0);
  return [{ what: "records", rows: records, bytes: Math.max(0, (bytes ?? 0) - otherBytes) }, ...others];
}

/** What is stored now, table by table as far as the last count is still true, and the quotas. */
export async function showStorage(
  pool: pg.Pool,
  organizationId: string,
  { quotas, version }: { quotas: Quotas; version: string },
): Promise<OrganizationStorage> {
  const { rows: measured } = await pool.query<{ measured_at: Date | null; sizes: string }>(
    "select measured_at, sizes from organization_upkeep where organization_id = $1",
    [organizationId],
  );
  const stored = await readStored(pool, organizationId);
  const used = {
    records: stored.records,
    storageBytes: stored.bytes,
    leadsPerDay:
      quotas.leadsPerDay === undefined
        ? null
        : await countRecentLeads(pool, { organizationId, nowMs: nowMs(), atMost: quotas.leadsPerDay }),
  };
  return {
    measuredAt: measured[0]?.measured_at?.toISOString() ?? null,
    sizes: withStoredNow(JSON.parse(measured[0]?.sizes ?? "[]") as Size[], stored),
    quotas: quotaNames.map((quota) => ({ quota, limit: quotas[quota] ?? null, used: used[quota] })),
    version,
  };
}
