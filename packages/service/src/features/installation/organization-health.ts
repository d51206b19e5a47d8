import { operationNames, type OperationName, type RateLimit } from "@gatehouse-parking/contract";
import { maxCountedRuns, type OrganizationHealth } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { readTimeZoneWarnings } from "../overview/time-zone-warnings.js";
import { readLimits } from "../../core/organizations/limit-overrides.js";
import { readLimitUse } from "../../core/organizations/limit-use.js";
import { firstIdAt } from "../../core/paging/pages.js";

const dayMs = 86_400_000;
/** Every skipped record is stored, so the number of imports that are searched is limited. */
const driftRuns = 20;
/** A key with at least this share of rejected requests needs attention, unless it is hardly used. */
const minRequests = 10;
const minRefusedShare = 0.2;
const maxFailingKeys = 10;
const nearShare = 0.8;

/** $1 organization, $2 and $3: the first identifiers of the week and of the day. */
const countRuns = `
  select count(*) as runs_week, coalesce(sum(total_submitted), 0)::int8 as records_week,
         coalesce(sum(failed_count), 0)::int8 as failed_week,
         count(*) filter (where id >= $3) as runs_day,
         coalesce(sum(total_submitted) filter (where id >= $3), 0)::int8 as records_day,
         coalesce(sum(failed_count) filter (where id >= $3), 0)::int8 as failed_day
  from (
    select id, total_submitted, failed_count from import_runs
    where organization_id = $1 and id >= $2
    order by id desc limit ${maxCountedRuns}
  ) as recent`;

const newestRun = `
  select id, started_at, status from import_runs where organization_id = $1 order by id desc limit 1`;

/**
 * The limit is inside the subquery, because no index contains the skipped count: without it, a quiet week is
 * read completely.
 */
const countDrift = `
  select count(*)::int as drifted
  from (
    select id from (
      select id, skipped_count from import_runs
      where organization_id = $1 and id >= $2
      order by id desc limit ${maxCountedRuns}
    ) as newest
    where skipped_count > 0
    order by id desc limit ${driftRuns}
  ) as recent
  left join repeated_runs as repeated on repeated.organization_id = $1 and repeated.run_id = recent.id
  join import_exceptions as exception
    on exception.organization_id = $1 and exception.run_id = coalesce(repeated.same_as, recent.id)
    and exception.differences is not null`;

const countKeyUse = `
  with used as (
    select api_key_id, sum(accepted + limited + refused)::int8 as requests,
           sum(limited + refused)::int8 as refused, sum(limited)::int8 as limited
    from api_key_usage where organization_id = $1 and hour >= $2
    group by api_key_id
  )
  select key.id as uuid, key.name, key.prefix, used.requests, used.refused,
         (sum(used.limited) over ())::int8 as limited_day,
         used.requests >= ${minRequests} and used.refused >= ${minRefusedShare} * used.requests as is_failing
  from used join api_keys as key on key.organization_id = $1 and key.id = used.api_key_id
  order by used.refused desc, key.id`;

interface RunCounts {
  runs_day: number;
  records_day: number;
  failed_day: number;
  runs_week: number;
  records_week: number;
  failed_week: number;
}
type FailingKey = OrganizationHealth["failingKeys"][number];

/** The current state of an organization. */
export interface Look extends RunCounts {
  last_run_id: string | null;
  last_run_at: Date | null;
  last_run_status: number | null;
  clock_warnings: number;
  drifted: number;
  failing_keys: FailingKey[];
  limits_near: OrganizationHealth["limitsNear"];
  limited_day: number;
}

/** Every statement reads one organization, through an index and with a limit. */
export async function readOrganizationHealth(
  pool: pg.Pool,
  organizationId: string,
  usualLimits: Record<OperationName, RateLimit>,
): Promise<Look> {
  const now = nowMs();
  const day = new Date(now - dayMs);
  const week = firstIdAt(new Date(now - 7 * dayMs));
  const counted = await pool.query<RunCounts>(countRuns, [organizationId, week, firstIdAt(day)]);
  const runs = counted.rows[0] as RunCounts;
  const newest = await pool.query<{ id: string; started_at: Date; status: number }>(newestRun, [
    organizationId,
  ]);
  const last = newest.rows[0];
  const keys = await readKeys(pool, organizationId, day);
  const limits = await readLimits(pool, organizationId, usualLimits);
  const use = await readLimitUse(pool, organizationId, limits);
  const { data: warnings } = await readTimeZoneWarnings(pool, organizationId);
  return {
    ...runs,
    last_run_id: last?.id ?? null,
    last_run_at: last?.started_at ?? null,
    last_run_status: last?.status ?? null,
    clock_warnings: warnings.length,
    drifted: runs.runs_week === 0 ? 0 : await readDrift(pool, organizationId, week),
    ...keys,
    limits_near: operationNames.flatMap((operation) => {
      const [used, limit] = [use[operation] ?? 0, limits[operation].requests];
      return used > 0 && used >= nearShare * limit ? [{ operation, used, limit }] : [];
    }),
  };
}

async function readDrift(pool: pg.Pool, organizationId: string, week: string): Promise<number> {
  const { rows } = await pool.query<{ drifted: number }>(countDrift, [organizationId, week]);
  return rows[0]?.drifted ?? 0;
}

async function readKeys(
  pool: pg.Pool,
  organizationId: string,
  since: Date,
): Promise<Pick<Look, "failing_keys" | "limited_day">> {
  const { rows } = await pool.query<FailingKey & { limited_day: number; is_failing: boolean }>(countKeyUse, [
    organizationId,
    since,
  ]);
  return {
    failing_keys: rows
      .filter((row) => row.is_failing)
      .slice(0, maxFailingKeys)
      .map(({ uuid, name, prefix, requests, refused }) => ({ uuid, name, prefix, requests, refused })),
    limited_day: rows[0]?.limited_day ?? 0,
  };
}

/** Ranks how much attention an organization needs. Problems that stop imports weigh more than risks. */
export function attentionOf(look: Look): number {
  const failedShare = look.records_day === 0 ? 0 : look.failed_day / look.records_day;
  return (
    (failedShare >= 0.5 ? 40 : failedShare >= 0.1 ? 20 : failedShare > 0 ? 5 : 0) +
    (look.last_run_status === 2 ? 20 : 0) +
    (look.failing_keys.length > 0 ? 20 : 0) +
    (look.clock_warnings > 0 ? 15 : 0) +
    (look.limits_near.length > 0 ? 10 : 0) +
    (look.drifted > 0 ? 10 : 0) +
    (look.limited_day > 0 ? 5 : 0)
  );
}
