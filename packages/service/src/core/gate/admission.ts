import type { OperationName, Permission, RateLimit } from "@gatehouse-parking/contract";
import type pg from "pg";
import { retryOnConflict } from "../database/transaction.js";
import type { Tracer } from "../telemetry/tracer.js";
import { takeFromBuckets, type LimitState, type RateLimiter, type TakenRow } from "./rate-limits.js";
import { batchCalls } from "../scheduling/batch-calls.js";

/**
 * Looks a key up and counts the request in one round trip, for all requests that arrive together. Every request asks:
 * a key that was revoked a moment ago, on any instance, is not admitted.
 */
export interface PresentedKey {
  organization_id: string;
  id: string;
  permissions: Permission[];
  lead_origins: string[];
  /** The key or the organization, whichever has a limit of its own for leads. Null: everybody's holds. */
  lead_limit_owner: string | null;
  /** The limit that holds for it at this operation. */
  requests: number;
  window_seconds: number;
  /** The columns of the organization that were asked for, each as `organization.COLUMN`. */
  [column: `organization.${string}`]: unknown;
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
  key: PresentedKey | undefined;
  spent: SpentKey | undefined;
  state: LimitState;
}

/** Why a key no longer counts; null: it does. */
export const flawOfKey =
  "case when key.revoked_at is not null then 'revoked' when key.expires_at <= clock_timestamp() then 'expired' end";

/**
 * The key with the hash `asked.hash`, for use in a lateral join: always by its index, whatever the planner knows.
 * `ownLimit` says what replaces everybody's limit; it is read here, with the key, so that it counts at once everywhere.
 */
const presentedKey = (ownLimit: string, organizationColumns: readonly string[]) => `(
  select key.organization_id, key.id, key.permissions, key.lead_origins,
         case when key.lead_limit is not null then key.id
              when organization.own_limits ? 'submitLead' then organization.id end as lead_limit_owner,
         ${ownLimit} as own_limit,
         ${flawOfKey} as flaw
         ${organizationColumns.map((column) => `, organization.${column} as "organization.${column}"`).join("")}
  from api_keys as key
  join organizations as organization on organization.id = key.organization_id
  where key.hash = asked.hash
  limit 1
)`;

/** $2 and $3 are everybody's limit. */
const limitOf = (ownLimit: string) => `
  coalesce((${ownLimit} ->> 'requests')::int, $2::int) as requests,
  coalesce((${ownLimit} ->> 'windowSeconds')::int, $3::int) as window_seconds`;

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
 * $1 are the buckets of the addresses, $4 the hashes; a request without a usable key has none, and is counted all the
 * same. Those under a limit of their own are counted apart: however many one organization lets in from an address, others
 * have what they had.
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
  /** From 1, in the order of the questions. */
  ordinal: number;
  flaw: SpentKey["flaw"] | null;
}

/** A request that takes nothing from its bucket: its key does not count, or lacks the permission. */
interface Uncounted {
  bucket: string;
  accepted: null;
}

/** A request without a usable key. */
interface Keyless {
  id: null;
}

type RowByKey = Asked & PresentedKey & (TakenRow | Uncounted);
type RowByAddress = Asked & (PresentedKey | Keyless) & TakenRow;

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
  organizationColumns: readonly string[];
}

/** For operations that are limited by organization: 401, 403 and 429 are decided by what this returns. */
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

/** For operations that are limited by address, whatever the key is worth. */
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
