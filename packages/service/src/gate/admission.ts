import type { OperationName, Permission, RateLimit } from "@gatehouse-parking/contract";
import type pg from "pg";
import { againAfterConflict } from "../database/again-after-conflict.js";
import type { Tracer } from "../telemetry/tracer.js";
import {
  bucketParameters,
  takeFromBuckets,
  type LimitState,
  type RateLimiter,
  type TakenRow,
} from "./rate-limits.js";
import { askInGroups } from "../scheduling/ask-in-groups.js";

/**
 * Looks a key up and counts the request in one round trip, for all requests that arrive together. Every request asks:
 * a key that was revoked a moment ago, on any instance, is not admitted.
 */
export interface PresentedKey {
  organization_id: string;
  id: string;
  permissions: Permission[];
  lead_origins: string[];
  keeps_sent_values: boolean;
}

/** A key that no longer counts, for the log. */
export interface SpentKey {
  organization_id: string;
  id: string;
  flaw: "revoked" | "expired";
}

export interface Admission {
  /** Undefined: there is no such key, or it has expired or been revoked. */
  key: PresentedKey | undefined;
  spent: SpentKey | undefined;
  /** Undefined: the request was not counted, because it had no key or its key lacks the permission. */
  state: LimitState | undefined;
}

export interface AddressAdmission {
  /** With the columns of the organization that were asked for. */
  key: (PresentedKey & Record<string, unknown>) | undefined;
  spent: SpentKey | undefined;
  state: LimitState;
}

/** The key with the hash `asked.hash`, for use in a lateral join: always by its index, whatever the planner knows. */
const presentedKey = (organizationColumns: readonly string[]) => `(
  select key.organization_id, key.id, key.permissions, key.lead_origins || organization.lead_origins as lead_origins,
         organization.keeps_sent_values,
         case when key.revoked_at is not null then 'revoked' when key.expires_at <= clock_timestamp() then 'expired' end
           as flaw
         ${organizationColumns.map((column) => `, organization.${column}`).join("")}
  from api_keys as key
  join organizations as organization on organization.id = key.organization_id
  where key.hash = asked.hash
  limit 1
)`;

/** $1 is the operation, $5 the hashes, $6 the permission. */
export const admitByKey = `
  with presented as (
    select asked.ordinal, $1::text || ':' || key.organization_id as bucket, key.*
    from unnest($5::bytea[]) with ordinality as asked (hash, ordinal)
    cross join lateral ${presentedKey([])} as key
  ), taken as (${takeFromBuckets(
    "select bucket, count(*)::int as wanted from presented where flaw is null and $6 = any (permissions) group by bucket",
  )})
  select presented.*, taken.accepted, taken.remaining, taken.reset_at, taken.reset_in
  from presented left join taken on taken.bucket = presented.bucket`;

/** $1 are the buckets, $5 the hashes; a request without a usable key has none, and is counted all the same. */
const admitByAddress = (organizationColumns: readonly string[]) => `
  with asked as (
    select * from unnest($1::text[], $5::bytea[]) with ordinality as asked (bucket, hash, ordinal)
  ), taken as (${takeFromBuckets("select bucket, count(*)::int as wanted from asked group by bucket")})
  select asked.ordinal, key.*, taken.*
  from asked
  join taken on taken.bucket = asked.bucket
  left join lateral ${presentedKey(organizationColumns)} as key on true`;

interface Asked {
  /** From 1, in the order of the questions. */
  ordinal: number;
  flaw: SpentKey["flaw"] | null;
}

/** A key counts only if nothing is wrong with it. */
function judgeKey<Row extends PresentedKey & Asked>(
  row: Row | undefined,
): { key: Row | undefined; spent: SpentKey | undefined } {
  if (!row || row.flaw === null) return { key: row, spent: undefined };
  return { key: undefined, spent: { organization_id: row.organization_id, id: row.id, flaw: row.flaw } };
}

export interface AdmissionRule {
  operation: OperationName;
  permission: Permission;
  limit: RateLimit;
}

/** For operations that are limited by organization: 401, 403 and 429 are decided by what this returns. */
export function admitKeys(
  pool: pg.Pool,
  limiter: RateLimiter,
  { operation, permission, limit }: AdmissionRule,
  tracer: Tracer,
): (keyHash: Buffer) => Promise<Admission> {
  return askInGroups(async (hashes) => {
    const { rows } = await againAfterConflict(() =>
      pool.query<Asked & PresentedKey & TakenRow & { accepted: number | null }>({
        name: "admit-by-key",
        text: admitByKey,
        values: [...bucketParameters(operation, limit), hashes, permission],
      }),
    );
    const judge = limiter.judge(limit, distinctBuckets(rows.filter((row) => row.accepted !== null)));
    const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
    return hashes.map((_hash, index) => {
      const { key, spent } = judgeKey(byOrdinal.get(index + 1));
      return { key, spent, state: key?.permissions.includes(permission) ? judge(key.bucket) : undefined };
    });
  }, tracer);
}

/** For operations that are limited by address, whatever the key is worth. */
export function admitAddresses(
  pool: pg.Pool,
  limiter: RateLimiter,
  { limit, organizationColumns }: { limit: RateLimit; organizationColumns: readonly string[] },
  tracer: Tracer,
): (question: { bucket: string; keyHash: Buffer | undefined }) => Promise<AddressAdmission> {
  const text = admitByAddress(organizationColumns);
  return askInGroups(async (questions) => {
    const buckets = questions.map(({ bucket }) => bucket);
    const hashes = questions.map(({ keyHash }) => keyHash ?? null);
    const { rows } = await againAfterConflict(() =>
      pool.query<Asked & PresentedKey & TakenRow & { id: string | null } & Record<string, unknown>>({
        name: "admit-by-address",
        text,
        values: [...bucketParameters(buckets, limit), hashes],
      }),
    );
    const judge = limiter.judge(limit, distinctBuckets(rows));
    const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
    return questions.map(({ bucket }, index) => {
      const row = byOrdinal.get(index + 1);
      return { ...judgeKey(row?.id ? row : undefined), state: judge(bucket) };
    });
  }, tracer);
}

function distinctBuckets(rows: TakenRow[]): TakenRow[] {
  return [...new Map(rows.map((row) => [row.bucket, row])).values()];
}
