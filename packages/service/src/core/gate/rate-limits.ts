import type { OwnLimit } from "@gatehouse-parking/contract";
import type pg from "pg";
import { nowMs } from "../clock.js";
import { retryOnConflict } from "../database/transaction.js";
import { batchCalls } from "../scheduling/batch-calls.js";

/**
 * Exact sliding windows, shared by all instances: a bucket is a row with the moments of the requests accepted within
 * the window, judged and rewritten by one statement under its row lock, by the database's clock.
 *
 * A bucket that is full stays full until its oldest request leaves the window, whoever asks, unless its limit is raised.
 * So that it is full is remembered for that long, and a flood is answered from memory.
 */
export interface LimitState {
  accepted: boolean;
  limit: number;
  remaining: number;
  /** Unix seconds at which the next request leaves the window. */
  resetAtSeconds: number;
}

/**
 * Up to so many requests, a bucket keeps the moment of each. Above, it groups them by slots of time, rounded up: at the
 * limit it may refuse by one slot early, never late. Few slots keep the row small, because every request rewrites it. The
 * published limits are all below.
 */
const usualGrain = { maxExactRequests: 500, slotsOfWindow: 60 };
/** What fits a page. Only a bucket whose limit was changed again and again within one window comes near it. */
const maxMoments = 600;
const maxRememberedBuckets = 10_000;

/**
 * Takes requests from buckets. `source` is a query that yields each bucket once, with the number of requests `wanted` of
 * it and its limit: `requests` in `window_seconds`. As many as it has room for are accepted. Buckets are locked in the
 * order of their names, so that instances that take from the same ones at the same moment cannot block one another.
 *
 * Moments are in order, so those that have left the window are the first ones, and width_bucket counts them by
 * bisection; `offset 0` keeps the planner from working them out again at each use.
 *
 * The limit may be another one than the last time. What was accepted under that one counts under this one.
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

/** Now, and the moment that a request of now is kept with. `row` has the limit. */
function clock(row: string, { maxExactRequests, slotsOfWindow }: typeof usualGrain): string {
  const width = `(${row}.window_seconds / ${slotsOfWindow}::float8)`;
  return `lateral (
    select now, case when ${row}.requests <= ${maxExactRequests} then now
                     else to_timestamp(ceil(extract(epoch from now) / ${width}) * ${width}) end as slot
    from (select clock_timestamp() as now) as wall
  ) as clock`;
}

/**
 * After the wall clock was set back, stored moments lie in the future. They count as now, so that nobody is locked
 * out for longer than one window.
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
  /** How many of the requests wanted of the bucket were accepted. */
  accepted: number;
  /** The limit that they were judged by. */
  requests: number;
  window_seconds: number;
  /** What is left after them. Below 0 where the limit was lowered meanwhile. */
  remaining: number;
  reset_at: string | number;
  reset_in: string | number;
}

interface Taking {
  bucket: string;
  limit: OwnLimit;
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

  /** Counts one request, unless the bucket is known to be full. Those that arrive together are counted together. */
  async take(bucket: string, limit: OwnLimit): Promise<LimitState> {
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

  /**
   * What becomes of each request of a batch, asked in the order of their arrival: the first ones have what their
   * bucket had room for.
   */
  judge(rows: readonly TakenRow[]): (bucket: string) => LimitState {
    const taken = new Map(rows.map((row) => [row.bucket, { row, asked: 0 }]));
    for (const row of rows) {
      if (row.remaining <= 0) this.#rememberFull(row);
      // It was full under a lower limit.
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

  /**
   * The refusal that still holds for this bucket, from memory, as long as its limit is the one that it was judged by:
   * whoever relies on it asks again now and then.
   */
  remembered(bucket: string): LimitState | undefined {
    const full = this.#full.get(bucket);
    if (!full) return undefined;
    if (performance.now() < full.untilMs) return full.state;
    this.#full.delete(bucket);
    return undefined;
  }

  /** Empties a bucket: whoever it counts starts anew. */
  async forget(bucket: string): Promise<void> {
    await this.#pool.query("delete from rate_limits where bucket = $1", [bucket]);
    this.#full.delete(bucket);
  }

  /**
   * Removes buckets that nobody has used for a window. Any instance may do it at any time: it waits for nobody, since
   * a bucket that is being taken from is in use again, and it is done in pieces, so that nobody waits for it for long.
   */
  async sweep(): Promise<void> {
    for (;;) {
      const { rowCount } = await this.#pool.query(sweepStatement, [sweptAtOnce]);
      if (rowCount !== sweptAtOnce) return;
    }
  }
}

/** What an answer says before anything was counted. */
export function untouched(limit: OwnLimit): LimitState {
  return {
    accepted: true,
    limit: limit.requests,
    remaining: limit.requests,
    resetAtSeconds: Math.ceil(nowMs() / 1000) + limit.windowSeconds,
  };
}
