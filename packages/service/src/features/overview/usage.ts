import { operationNames, operations, type OperationName, type RateLimit } from "@gatehouse-parking/contract";
import type pg from "pg";
import { bucketName } from "../../core/gate/gate.js";
import { readLimits } from "../../core/organizations/limit-overrides.js";
import type { KeyUse, LimitUse } from "@gatehouse-parking/contract/console";

interface BucketRow {
  bucket: string;
  used: number;
  oldest: Date | null;
}

/** The current use of each rate limit. Reading does not count as a request. */
export async function readLimitUse(
  pool: pg.Pool,
  organizationId: string,
  usualLimits: Record<OperationName, RateLimit>,
): Promise<LimitUse> {
  const limits = await readLimits(pool, organizationId, usualLimits);
  const wanted = operationNames
    .filter((name) => limits[name].per === "organization")
    .map((name) => ({ bucket: bucketName(name, organizationId), window: limits[name].windowSeconds }));
  const { rows } = await pool.query<BucketRow>(
    `select wanted.bucket, coalesce(sum(hit.count), 0)::int as used, min(hit.moment) as oldest
     from json_to_recordset($1) as wanted (bucket text, "window" float8)
     join rate_limits as stored on stored.bucket = wanted.bucket
     cross join lateral unnest(stored.moments, stored.counts) as hit (moment, count)
     where hit.moment > clock_timestamp() - make_interval(secs => wanted."window")
     group by wanted.bucket`,
    [JSON.stringify(wanted)],
  );
  const found = new Map(rows.map((row) => [row.bucket, row]));
  return {
    data: operationNames.map((operation) => {
      const { method, path } = operations[operation];
      const { requests, windowSeconds, per } = limits[operation];
      const row = found.get(bucketName(operation, organizationId));
      const used = per === "organization" ? (row?.used ?? 0) : null;
      return {
        operation,
        method,
        path,
        per,
        limit: requests,
        windowSeconds,
        used,
        remaining: used === null ? null : Math.max(0, requests - used),
        resetAt: row?.oldest ? new Date(row.oldest.getTime() + windowSeconds * 1000).toISOString() : null,
      };
    }),
  };
}

interface UseRow {
  api_key_id: string;
  name: string | null;
  prefix: string | null;
  operation: string;
  hour: Date;
  accepted: number;
  limited: number;
  refused: number;
  not_logged: number;
}

const maxUseRows = 20_000;

/** Requests by key, operation and hour. */
export async function readKeyUse(
  pool: pg.Pool,
  input: { organizationId: string; from: Date; to: Date; apiKeyId: string | undefined },
): Promise<KeyUse> {
  const { rows } = await pool.query<UseRow>(
    `select usage.api_key_id, key.name, key.prefix, usage.operation, usage.hour, usage.accepted, usage.limited,
            usage.refused, usage.not_logged
     from api_key_usage as usage
     left join api_keys as key on key.organization_id = usage.organization_id and key.id = usage.api_key_id
     where usage.organization_id = $1 and usage.hour >= date_trunc('hour', $2::timestamptz) and usage.hour < $3
       and ($4::uuid is null or usage.api_key_id = $4)
     order by usage.hour desc, usage.api_key_id, usage.operation limit ${maxUseRows}`,
    [input.organizationId, input.from, input.to, input.apiKeyId ?? null],
  );
  return {
    from: input.from.toISOString(),
    to: input.to.toISOString(),
    data: rows.map((row) => ({
      apiKeyUuid: row.api_key_id,
      name: row.name ?? "",
      prefix: row.prefix ?? "",
      operation: row.operation,
      hour: row.hour.toISOString(),
      accepted: row.accepted,
      limited: row.limited,
      refused: row.refused,
      notLogged: row.not_logged,
    })),
  };
}
