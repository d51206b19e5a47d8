import type { OperationName, Permission, RateLimit } from "@gatehouse-parking/contract";
import type pg from "pg";
import { retryOnConflict } from "../database/transaction.js";
import type { Tracer } from "../telemetry/tracer.js";
import { takeFromBuckets, type LimitState, type RateLimiter, type TakenRow } from "./rate-limits.js";
import { batchCalls } from "../scheduling/batch-calls.js";

/**
 * Looks up a key and counts the request in one round trip, shared by concurrent requests. No key is cached, so a
 * revocation takes effect at once on every instance.
 */
export interface PresentedKey {
  organization_id: string;
  id: string;
  permissions: Permission[];
  lead_origins: string[];
  /** The key or organization whose limit override applies to leads. Null: the default limit applies. */
  lead_limit_owner: string | null;
  /** The limit that applies to this operation. */
  requests: number;
  window_seconds: number;
  /** The requested columns of the organization, each as `organization.COLUMN`. */
  [column: `organization.${string}`]: unknown;
}

/** An expired or revoked key, for the log. */
export interface SpentKey {
  organization_id: string;
  id: string;
  flaw: "revoked" | "expired";
}

export interface Admission {
  /** Undefined: the key is unknown, expired or revoked. */
  key: PresentedKey | undefined;
  spent: SpentKey | undefined;
  /** Undefined: the request was not counted, because it has no valid key or the key lacks the permission. */
  state: LimitState | undefined;
}

export interface AddressAdmission {
  key: PresentedKey | undefined;
  spent: SpentKey | undefined;
  state: LimitState;
}

/** Why a key is invalid. Null: it is valid. */
export const flawOfKey =
  "case when key.revoked_at is not null then 'revoked' when key.expires_at <= clock_timestamp() then 'expired' end";

/**
 * The key with the hash `asked.hash`, for a lateral join, which always uses the index even without statistics.
 * The limit override is read with the key, so that a change takes effect at once on every instance.
 */
const presentedKey = (limitOverride: string, organizationColumns: readonly string[]) => `(
  select key.organization_id, key.id, key.permissions, key.lead_origins,
         case when key.lead_limit is not null then key.id
              when organization.own_limits ? 'submitLead' then organization.id end as lead_limit_owner,
         ${limitOverride} as own_limit,
         ${flawOfKey} as flaw
         ${organizationColumns.map((column) => `, organization.${column} as "organization.${column}"`).join("")}
  from api_keys as key
  join organizations as organization on organization.id = key.organization_id
  where key.hash = asked.hash
  limit 1
)`;

/** $2 and $3 are the default limit. */
const limitOf = (limitOverride: string) => `
  coalesce((${limitOverride} ->> 'requests')::int, $2::int) as requests,
  coalesce((${limitOverride} ->> 'windowSeconds')::int, $3::int) as window_seconds`;

const wantedOf = (source: string) => `
  select bucket, count(*)::int as wanted, min(requests) as requests, min(window_seconds) as window_seconds
  from ${source} group by bucket`;

/** $1 is the operation, $4 the hashes, $5 the permission. */
export const admitByKey = (organizationColumns: readonly string[]) => `
  with presented as (
    select asked.ordinal, $1::text || ':' || key.organization_id as bucket, ${limitOf("key.own_limit")}, key.*
    from unnest($4::bytea[]) with ordinality as asked (hash, ordinal)
    cross join lateral ${presentedKey("organization.own_limits -> $1::text", organizationColumns)} as key
  ), taken as (${takeFromBuckets(wantedOf("presented where flaw is null and $5 = any (permissions)"))})
  select presented.*, taken.accepted, taken.remaining, taken.reset_at, taken.reset_in
  from presented left join taken on taken.bucket = presented.bucket`;

/**
 * $1 are the buckets of the addresses, $4 the key hashes. Requests without a valid key are counted too. Requests under a
 * limit override have a separate bucket, so that one organization's override does not use up the limit of others.
 */
const admitByAddress = (organizationColumns: readonly string[]) => `
  with presented as (
    select asked.ordinal, asked.bucket || case when key.flaw is null then coalesce(':' || key.lead_limit_owner::text, '') else '' end
             as bucket,
           ${limitOf("case when key.flaw is null then key.own_limit end")}, key.*
    from unnest($1::text[], $4::bytea[]) with ordinality as asked (bucket, hash, ordinal)
    left join lateral ${presentedKey("coalesce(key.lead_limit, organization.own_limits -> 'submitLead')", organizationColumns)} as key on true
  ), taken as (${takeFromBuckets(wantedOf("presented"))})
  select presented.*, taken.accepted, taken.remaining, taken.reset_at, taken.reset_in
  from presented join taken on taken.bucket = presented.bucket`;

interface Asked {
  /** From 1, in the order of the requests. */
  ordinal: number;
  flaw: SpentKey["flaw"] | null;
}

/** A request that was not counted: its key is invalid, or lacks the permission. */
interface Uncounted {
  bucket: string;
  accepted: null;
}

/** A request without a known key. */
interface Keyless {
  id: null;
}

type RowByKey = Asked & PresentedKey & (TakenRow | Uncounted);
type RowByAddress = Asked & (PresentedKey | Keyless) & TakenRow;

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
  organizationColumns: readonly string[];
}

/** For operations that are limited per organization. The result decides between 401, 403 and 429. */
export function admitKeys(
  pool: pg.Pool,
  limiter: RateLimiter,
  { operation, permission, limit, organizationColumns }: AdmissionRule,
  tracer: Tracer,
): (keyHash: Buffer) => Promise<Admission> {
  const text = admitByKey(organizationColumns);
  return batchCalls(async (hashes) => {
    const { rows } = await retryOnConflict(() =>
      pool.query<RowByKey>({
        name: "admit-by-key",
        text,
        values: [operation, limit.requests, limit.windowSeconds, hashes, permission],
      }),
    );
    const judge = limiter.judge(distinctBuckets(rows.filter((row) => row.accepted !== null)));
    const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
    return hashes.map((_hash, index) => {
      const { key, spent } = judgeKey(byOrdinal.get(index + 1));
      return { key, spent, state: key?.permissions.includes(permission) ? judge(key.bucket) : undefined };
    });
  }, tracer);
}

/** For operations that are limited per address, whether the key is valid or not. */
export function admitAddresses(
  pool: pg.Pool,
  limiter: RateLimiter,
  { limit, organizationColumns }: Pick<AdmissionRule, "limit" | "organizationColumns">,
  tracer: Tracer,
): (question: { bucket: string; keyHash: Buffer | undefined }) => Promise<AddressAdmission> {
  const text = admitByAddress(organizationColumns);
  return batchCalls(async (questions) => {
    const buckets = questions.map(({ bucket }) => bucket);
    const hashes = questions.map(({ keyHash }) => keyHash ?? null);
    const { rows } = await retryOnConflict(() =>
      pool.query<RowByAddress>({
        name: "admit-by-address",
        text,
        values: [buckets, limit.requests, limit.windowSeconds, hashes],
      }),
    );
    const judge = limiter.judge(distinctBuckets(rows));
    const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
    return questions.map((_question, index) => {
      const row = byOrdinal.get(index + 1);
      if (!row) throw new Error("a request was not counted");
      return { ...judgeKey(row.id ? row : undefined), state: judge(row.bucket) };
    });
  }, tracer);
}

function distinctBuckets(rows: TakenRow[]): TakenRow[] {
  return [...new Map(rows.map((row) => [row.bucket, row])).values()];
}
