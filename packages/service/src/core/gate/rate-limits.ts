import type { LimitOverride } from "@gatehouse-parking/contract";
import type pg from "pg";
import { nowMs } from "../clock.js";
import { retryOnConflict } from "../database/transaction.js";
import { batchCalls } from "../scheduling/batch-calls.js";

/**
 * Exact sliding windows, shared by all instances. A bucket is a row with the times of the accepted requests in the window.
 * One statement checks and updates it under its row lock, with the database's clock.
 *
 * A full bucket stays full until its oldest request leaves the window, unless its limit is raised. So full buckets are
 * cached that long, and a flood is rejected from memory.
 */
export interface LimitState {
  accepted: boolean;
  limit: number;
  remaining: number;
  /** Unix seconds at which the next request leaves the window. */
  resetAtSeconds: number;
}

/**
 * Up to `maxExactRequests`, a bucket stores the time of each request. Above, it groups them into time slots, rounded up:
 * at the limit it may reject one slot early, never late. Few slots keep the row small, because every request rewrites
 * it. The published limits are all below.
 */
const usualGrain = { maxExactRequests: 500, slotsOfWindow: 60 };
/** Keeps a row within one page. Only a bucket whose limit changes repeatedly within one window gets near it. */
const maxMoments = 600;
const maxRememberedBuckets = 10_000;

/**
 * Takes requests from buckets. `source` is a query that yields each bucket once, with the number of requests `wanted` and
 * its limit: `requests` in `window_seconds`. Each bucket accepts as many as fit. Buckets are locked in the order of their
 * names, so that instances cannot deadlock.
 *
 * The times are sorted, so width_bucket finds the expired ones by bisection. `offset 0` keeps the planner from repeating
 * the computation.
 *
 * The limit may have changed since the last request. Requests that were accepted before count under the new limit.
 */
export function takeFromBuckets(source: string, grain = usualGrain): string {
  const window = "make_interval(secs => excluded.window_seconds)";
  return `
    insert into rate_limits as stored (bucket, moments, counts, accepted, expires_at, requests, window_seconds)
    select wanted.bucket, array[clock.slot], array[least(wanted.wanted, wanted.requests)],
           least(wanted.wanted, wanted.requests), clock.slot + make_interval(secs => wanted.window_seconds),
           wanted.requests, wanted.window_seconds
    from (${source}) as wanted, ${clock("wanted", grain)}
    order by wanted.bucket
    on conflict (bucket) do update set (moments, counts, accepted, expires_at, requests, window_seconds) = (
      select
        case when granted = 0 or last = slot then moments
             when length >= ${maxMoments} then moments[:length - 1] || slot
             else moments || slot end,
        case when granted = 0 then counts
             when last = slot or length >= ${maxMoments} then counts[:length - 1] || counts[length] + granted
             else counts || granted end,
        granted,
        slot + ${window},
        excluded.requests,
        excluded.window_seconds
      from (
        select moments, counts, slot, cardinality(moments) as length, moments[cardinality(moments)] as last,
               greatest(0, least(
                 excluded.accepted,
                 excluded.requests - (select coalesce(sum(count), 0) from unnest(counts) as count)
               ))::int as granted
        from (
          select past.moments[gone + 1:] as moments, stored.counts[gone + 1:] as counts, clock.slot
          from ${clock("excluded", grain)}, ${past}, width_bucket(clock.now - ${window}, past.moments) as gone
          offset 0
        ) as trimmed
        offset 0
      ) as recent
    )
    returning
      bucket,
      accepted,
      requests,
      window_seconds,
      requests - (select sum(count) from unnest(counts) as count)::int as remaining,
      extract(epoch from moments[1]) + window_seconds as reset_at,
      extract(epoch from moments[1] - clock_timestamp()) + window_seconds as reset_in`;
}

/** The current time, and the time slot in which it is stored. `row` has the limit. */
function clock(row: string, { maxExactRequests, slotsOfWindow }: typeof usualGrain): string {
  const width = `(${row}.window_seconds / ${slotsOfWindow}::float8)`;
  return `lateral (
    select now, case when ${row}.requests <= ${maxExactRequests} then now
                     else to_timestamp(ceil(extract(epoch from now) / ${width}) * ${width}) end as slot
    from (select clock_timestamp() as now) as wall
  ) as clock`;
}

/**
 * If the database's clock was set back, stored times are in the future. They count as now, so that a caller is locked out
 * for one window at most.
 */
const past = `lateral (
  select case when stored.moments[cardinality(stored.moments)] <= clock.slot then stored.moments
              else array(select least(moment, clock.slot) from unnest(stored.moments) as moment) end as moments
) as past`;

const sweptAtOnce = 10_000;
const sweepStatement = `
  delete from rate_limits where bucket = any (array(
    select bucket from rate_limits where expires_at < clock_timestamp() limit $1 for update skip locked
  ))`;

export interface TakenRow {
  bucket: string;
  /** How many of the wanted requests were accepted. */
  accepted: number;
  /** The limit that was applied. */
  requests: number;
  window_seconds: number;
  /** Requests left. Negative if the limit was lowered. */
  remaining: number;
  reset_at: string | number;
  reset_in: string | number;
}

interface Taking {
  bucket: string;
  limit: LimitOverride;
}

export class RateLimiter {
  readonly #pool: pg.Pool;
  readonly #full = new Map<string, { untilMs: number; windowSeconds: number; state: LimitState }>();
  readonly #take = batchCalls((wanted: Taking[]) => this.#takeAll(wanted));
  readonly #statement = takeFromBuckets(
    `select bucket, count(*)::int as wanted, min(requests) as requests, min(window_seconds) as window_seconds
     from unnest($1::text[], $2::int[], $3::int[]) as asked (bucket, requests, window_seconds) group by bucket`,
  );

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Counts one request, unless the bucket is known to be full. Concurrent calls share one round trip. */
  async take(bucket: string, limit: LimitOverride): Promise<LimitState> {
    const full = this.remembered(bucket);
    const isOfThisLimit =
      full?.limit === limit.requests && this.#full.get(bucket)?.windowSeconds === limit.windowSeconds;
    return full && isOfThisLimit ? full : this.#take({ bucket, limit });
  }

  async #takeAll(wanted: Taking[]): Promise<LimitState[]> {
    const { rows } = await retryOnConflict(() =>
      this.#pool.query<TakenRow>({
        name: "take-from-buckets",
        text: this.#statement,
        values: [
          wanted.map(({ bucket }) => bucket),
          wanted.map(({ limit }) => limit.requests),
          wanted.map(({ limit }) => limit.windowSeconds),
        ],
      }),
    );
    const judge = this.judge(rows);
    return wanted.map(({ bucket }) => judge(bucket));
  }

  /** Returns a function that decides the requests of a batch. Call it in order of arrival: the first ones are accepted. */
  judge(rows: readonly TakenRow[]): (bucket: string) => LimitState {
    const taken = new Map(rows.map((row) => [row.bucket, { row, asked: 0 }]));
    for (const row of rows) {
      if (row.remaining <= 0) this.#rememberFull(row);
      // The limit was raised.
      else this.#full.delete(row.bucket);
    }
    return (bucket) => {
      const entry = taken.get(bucket);
      if (!entry) throw new Error(`the bucket ${bucket} was not taken from`);
      const place = (entry.asked += 1);
      const { accepted, requests, remaining, reset_at } = entry.row;
      return {
        accepted: place <= accepted,
        limit: requests,
        remaining: Math.max(0, remaining + accepted - place),
        resetAtSeconds: Math.ceil(Number(reset_at)),
      };
    };
  }

  #rememberFull(row: TakenRow): void {
    if (this.#full.size >= maxRememberedBuckets) this.#full.delete(this.#full.keys().next().value as string);
    const state = {
      accepted: false,
      limit: row.requests,
      remaining: 0,
      resetAtSeconds: Math.ceil(Number(row.reset_at)),
    };
    // The monotonic clock: a jump of the wall clock must not prolong a refusal.
    const untilMs = performance.now() + Number(row.reset_in) * 1000;
    this.#full.set(row.bucket, { untilMs, windowSeconds: row.window_seconds, state });
  }

  /** The cached rejection of a full bucket. Callers must query the database now and then, in case the limit was raised. */
  remembered(bucket: string): LimitState | undefined {
    const full = this.#full.get(bucket);
    if (!full) return undefined;
    if (performance.now() < full.untilMs) return full.state;
    this.#full.delete(bucket);
    return undefined;
  }

  /** Empties a bucket. */
  async forget(bucket: string): Promise<void> {
    await this.#pool.query("delete from rate_limits where bucket = $1", [bucket]);
    this.#full.delete(bucket);
  }

  /** Deletes expired buckets in batches. It skips locked rows, so any instance can run it at any time. */
  async sweep(): Promise<void> {
    for (;;) {
      const { rowCount } = await this.#pool.query(sweepStatement, [sweptAtOnce]);
      if (rowCount !== sweptAtOnce) return;
    }
  }
}

/** The state that an answer shows before the request was counted. */
export function untouched(limit: LimitOverride): LimitState {
  return {
    accepted: true,
    limit: limit.requests,
    remaining: limit.requests,
    resetAtSeconds: Math.ceil(nowMs() / 1000) + limit.windowSeconds,
  };
}
