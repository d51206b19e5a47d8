import type { RateLimit } from "@gatehouse/contract";
import type pg from "pg";

/**
 * Exact sliding windows, shared by all instances: a bucket is a row with the moments of the requests accepted within
 * the window, judged and rewritten by one statement under its row lock, by the database's clock.
 *
 * A bucket that is full stays full until its oldest request leaves the window, whoever asks. So that it is full is
 * remembered for that long, and a flood is answered from memory.
 */
export interface LimitState {
  accepted: boolean;
  limit: number;
  remaining: number;
  /** Unix seconds at which the next request leaves the window. */
  resetAtSeconds: number;
}

/**
 * Above this, a bucket groups its requests by slots of time, rounded up: at the limit it may refuse by one slot early,
 * never late. Few slots keep the row small, because every request rewrites it. The published limits are all below.
 */
const maxExactRequests = 500;
const slotsOfWindow = 60;
const maxRememberedBuckets = 10_000;

/**
 * Takes one request from a bucket. Its moments are in order, so those that have left the window are the first ones,
 * and width_bucket counts them by bisection; `offset 0` keeps the planner from working them out again at each use.
 *
 * `source` is a FROM clause that yields one row if the request may be counted.
 * Parameters: $1 bucket, $2 requests, $3 window in seconds, $4 width of a slot in seconds (0: exact).
 */
export function takeFromBucket(source: string): string {
  return `
    insert into rate_limits as stored (bucket, moments, counts, accepted, expires_at)
    select $1, array[clock.slot], array[1], true, clock.slot + make_interval(secs => $3)
    from ${clock}, ${source}
    on conflict (bucket) do update set (moments, counts, accepted, expires_at) = (
      select
        case when used >= $2 or moments[cardinality(moments)] = slot then moments else moments || slot end,
        case when used >= $2 then counts
             when moments[cardinality(moments)] = slot then counts[:cardinality(counts) - 1] || counts[cardinality(counts)] + 1
             else counts || 1 end,
        used < $2,
        slot + make_interval(secs => $3)
      from (
        select moments, counts, slot, (select coalesce(sum(count), 0) from unnest(counts) as count) as used
        from (
          select past.moments[gone + 1:] as moments, stored.counts[gone + 1:] as counts, clock.slot
          from ${clock}, ${past}, width_bucket(clock.now - make_interval(secs => $3), past.moments) as gone
          offset 0
        ) as trimmed
        offset 0
      ) as recent
    )
    returning
      accepted,
      $2::int - (select sum(count) from unnest(counts) as count)::int as remaining,
      extract(epoch from moments[1]) + $3::float8 as reset_at,
      extract(epoch from moments[1] - clock_timestamp()) + $3::float8 as reset_in`;
}

const clock = `(
  select now, case when $4::float8 = 0 then now else to_timestamp(ceil(extract(epoch from now) / $4::float8) * $4::float8) end as slot
  from (select clock_timestamp() as now) as wall
) as clock`;

/**
 * After the wall clock was set back, stored moments lie in the future. They count as now, so that nobody is locked
 * out for longer than one window.
 */
const past = `lateral (
  select case when stored.moments[cardinality(stored.moments)] <= clock.slot then stored.moments
              else array(select least(moment, clock.slot) from unnest(stored.moments) as moment) end as moments
) as past`;

export interface TakenRow {
  accepted: boolean;
  remaining: number;
  reset_at: string | number;
  reset_in: string | number;
}

export function bucketParameters(bucket: string, limit: RateLimit): [string, number, number, number] {
  const slotSeconds = limit.requests <= maxExactRequests ? 0 : limit.windowSeconds / slotsOfWindow;
  return [bucket, limit.requests, limit.windowSeconds, slotSeconds];
}

export class RateLimiter {
  readonly #pool: pg.Pool;
  readonly #full = new Map<string, { untilMs: number; state: LimitState }>();
  readonly #asking = new Map<string, { inFlight: number; room: number; waiting: (() => void)[] }>();
  readonly #statement = takeFromBucket("(values (1)) as always");

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Counts one request, unless the bucket is known to be full. No more requests than the bucket has room for ask the
   * database at once: of a thousand that arrive together, the first few fill the bucket and the rest need not ask.
   */
  async take(bucket: string, limit: RateLimit, ask = this.#ask): Promise<LimitState> {
    for (;;) {
      const full = this.remembered(bucket);
      if (full) return full;
      const asking = this.#asking.get(bucket) ?? { inFlight: 0, room: limit.requests, waiting: [] };
      this.#asking.set(bucket, asking);
      if (asking.inFlight > 0 && asking.inFlight >= asking.room) {
        await new Promise<void>((resolve) => asking.waiting.push(resolve));
        continue;
      }
      asking.inFlight += 1;
      try {
        const state = this.learn(bucket, limit, await ask(bucketParameters(bucket, limit)));
        asking.room = state.remaining;
        return state;
      } finally {
        asking.inFlight -= 1;
        for (const proceed of asking.waiting.splice(0)) proceed();
        if (asking.inFlight === 0) this.#asking.delete(bucket);
      }
    }
  }

  readonly #ask = async (parameters: unknown[]): Promise<TakenRow> => {
    const { rows } = await this.#pool.query<TakenRow>({
      name: "take-from-bucket",
      text: this.#statement,
      values: parameters,
    });
    return rows[0] as TakenRow;
  };

  /** The refusal that still holds for this bucket, from memory. */
  remembered(bucket: string): LimitState | undefined {
    const full = this.#full.get(bucket);
    if (!full) return undefined;
    if (performance.now() < full.untilMs) return full.state;
    this.#full.delete(bucket);
    return undefined;
  }

  learn(bucket: string, limit: RateLimit, row: TakenRow): LimitState {
    const state: LimitState = {
      accepted: row.accepted,
      limit: limit.requests,
      remaining: Math.max(0, row.remaining),
      resetAtSeconds: Math.ceil(Number(row.reset_at)),
    };
    if (!row.accepted || state.remaining === 0) {
      if (this.#full.size >= maxRememberedBuckets)
        this.#full.delete(this.#full.keys().next().value as string);
      // The monotonic clock: a jump of the wall clock must not prolong a refusal.
      this.#full.set(bucket, {
        untilMs: performance.now() + Number(row.reset_in) * 1000,
        state: { ...state, accepted: false },
      });
    }
    return state;
  }

  /** Empties a bucket: whoever it counts starts anew. */
  async forget(bucket: string): Promise<void> {
    await this.#pool.query("delete from rate_limits where bucket = $1", [bucket]);
    this.#full.delete(bucket);
  }

  /** Removes buckets that nobody has used for a window. Any instance may do it at any time. */
  async sweep(): Promise<void> {
    await this.#pool.query("delete from rate_limits where expires_at < clock_timestamp()");
  }
}

/** What an answer says before anything was counted. */
export function untouched(limit: RateLimit): LimitState {
  return {
    accepted: true,
    limit: limit.requests,
    remaining: limit.requests,
    resetAtSeconds: Math.ceil(Date.now() / 1000) + limit.windowSeconds,
  };
}
