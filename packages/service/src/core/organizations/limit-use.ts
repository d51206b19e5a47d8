import { operationNames, type OperationName, type RateLimit } from "@gatehouse-parking/contract";
import type pg from "pg";
import { bucketName } from "../gate/gate.js";

interface BucketRow {
  bucket: string;
  used: number;
}

/**
 * The requests in the current window of each limit. Null: the limit counts per client address. Reading does not count as
 * a request.
 */
export async function readLimitUse(
  pool: pg.Pool,
  organizationId: string,
  limits: Record<OperationName, RateLimit>,
): Promise<Record<OperationName, number | null>> {
  const wanted = operationNames
    .filter((name) => limits[name].per === "organization")
    .map((name) => ({ bucket: bucketName(name, organizationId), window: limits[name].windowSeconds }));
  const { rows } = await pool.query<BucketRow>(
    `select wanted.bucket, coalesce(sum(hit.count), 0)::int as used
     from json_to_recordset($1) as wanted (bucket text, "window" float8)
     join rate_limits as stored on stored.bucket = wanted.bucket
     cross join lateral unnest(stored.moments, stored.counts) as hit (moment, count)
     where hit.moment > clock_timestamp() - make_interval(secs => wanted."window")
     group by wanted.bucket`,
    [JSON.stringify(wanted)],
  );
  const used = new Map(rows.map((row) => [row.bucket, row.used]));
  return Object.fromEntries(
    operationNames.map((name) => [
      name,
      limits[name].per === "organization" ? (used.get(bucketName(name, organizationId)) ?? 0) : null,
    ]),
  ) as Record<OperationName, number | null>;
}
