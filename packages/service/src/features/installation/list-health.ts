import type { AnswerOf, HealthOrder, OrganizationHealth } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { naturalOrder } from "../../core/database/sql.js";
import { toPage, type PageRequest } from "../../core/operations/paging.js";
import { matchesName, nameParameters } from "../../core/organizations/organizations.js";
import { readStored, type StoredNow } from "../../core/organizations/quotas.js";

interface HealthRow {
  id: string;
  name: string;
  is_demo: boolean;
  looked_at: Date | null;
  last_run_id: string | null;
  last_run_at: Date | null;
  last_run_status: 1 | 2 | 3 | null;
  runs_day: number;
  records_day: number;
  failed_day: number;
  runs_week: number;
  records_week: number;
  failed_week: number;
  clock_warnings: number;
  drifted: number;
  failing_keys: string;
  limits_near: string;
  limited_day: number;
  attention: number;
}

const share = (span: "day" | "week") =>
  `coalesce(health.failed_${span}::float8 / nullif(health.records_${span}, 0), 0)`;

const byName = naturalOrder("organization.name");

const orders: Record<HealthOrder, string> = {
  attention: `coalesce(health.attention, 0) desc, ${share("day")} desc, ${byName}`,
  name: byName,
  lastRun: `health.last_run_at desc nulls last, ${byName}`,
  failedDay: `${share("day")} desc, health.failed_day desc nulls last, ${byName}`,
  stored: `stored.bytes desc nulls last, ${byName}`,
  failedWeek: `${share("week")} desc, health.failed_week desc nulls last, ${byName}`,
};

const from = `
  from organizations as organization
  left join organization_health as health on health.organization_id = organization.id`;

/** Reads all shards, because operators may sort by size. One small row per organization. */
export const findStoredBytes = `
  select organization_id, greatest(0, bytes_base + bytes_net) as bytes from import_turns where bytes_base is not null`;

/** One small row per organization, all on the first node, so thousands are sorted quickly. */
export async function listOrganizationHealth(
  pool: pg.Pool,
  {
    text = "",
    sort = "attention",
    page,
  }: { text: string | undefined; sort: HealthOrder | undefined; page: PageRequest },
): Promise<AnswerOf<"listOrganizationHealth">> {
  const values = nameParameters(text);
  const where = `where ${matchesName("organization", 1)}`;
  const total = await pool.query<{ count: number }>(`select count(*) as count ${from} ${where}`, values);
  const stored =
    sort === "stored"
      ? (await pool.query<{ organization_id: string; bytes: number }>(findStoredBytes)).rows
      : [];
  const { rows } = await pool.query<HealthRow>(
    `select organization.id, organization.name, organization.is_demo, health.looked_at, health.last_run_id,
            health.last_run_at, health.last_run_status, coalesce(health.runs_day, 0) as runs_day,
            coalesce(health.records_day, 0) as records_day, coalesce(health.failed_day, 0) as failed_day,
            coalesce(health.runs_week, 0) as runs_week, coalesce(health.records_week, 0) as records_week,
            coalesce(health.failed_week, 0) as failed_week, coalesce(health.clock_warnings, 0) as clock_warnings,
            coalesce(health.drifted, 0) as drifted, coalesce(health.failing_keys, '[]') as failing_keys,
            coalesce(health.limits_near, '[]') as limits_near, coalesce(health.limited_day, 0) as limited_day,
            coalesce(health.attention, 0) as attention
     ${from}
     left join unnest($6::uuid[], $7::bigint[]) as stored (organization_id, bytes) on stored.organization_id = organization.id
     ${where} order by ${orders[sort]}, organization.id limit $4 offset $5`,
    [
      ...[...values, page.pageSize, (page.page - 1) * page.pageSize],
      ...[stored.map((row) => row.organization_id), stored.map((row) => row.bytes)],
    ],
  );
  const oldest = await pool.query<{ looked_at: Date | null }>(
    `select case when count(*) = count(health.looked_at) then min(health.looked_at) end as looked_at ${from}`,
  );
  const shown: OrganizationHealth[] = [];
  // One by one, because each organization may be on another machine. A page has few of them.
  for (const row of rows) shown.push(toHealth(row, await readStored(pool, row.id)));
  return {
    ...toPage(shown, (total.rows[0] as { count: number }).count, page),
    oldestLook: oldest.rows[0]?.looked_at?.toISOString() ?? null,
  };
}

function toHealth(row: HealthRow, { records, bytes }: StoredNow): OrganizationHealth {
  return {
    uuid: row.id,
    name: row.name,
    isDemo: row.is_demo,
    lookedAt: row.looked_at?.toISOString() ?? null,
    lastRun: row.last_run_id
      ? {
          referenceUuid: row.last_run_id,
          startedAt: (row.last_run_at as Date).toISOString(),
          status: row.last_run_status as 1 | 2 | 3,
        }
      : null,
    day: { runs: row.runs_day, records: row.records_day, failed: row.failed_day },
    week: { runs: row.runs_week, records: row.records_week, failed: row.failed_week },
    clockWarnings: row.clock_warnings,
    drifted: row.drifted,
    failingKeys: JSON.parse(row.failing_keys) as OrganizationHealth["failingKeys"],
    limitsNear: JSON.parse(row.limits_near) as OrganizationHealth["limitsNear"],
    limitedDay: row.limited_day,
    stored: records === null || bytes === null ? null : { records, bytes },
    attention: row.attention,
  };
}
