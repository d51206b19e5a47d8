import type { RateLimit } from "@gatehouse-parking/contract";
import type pg from "pg";
import { nowMs } from "../clock.js";
import { againAfterConflict } from "../database/again-after-conflict.js";
import { askInGroups } from "../scheduling/ask-in-groups.js";

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
 * Takes requests from buckets. `source` is a query that yields each bucket once, with the number of requests wanted
 * of it; as many as it has room for are accepted. Buckets are locked in the order of their names, so that instances
 * that take from the same ones at the same moment cannot block one another.
 *
 * Moments are in order, so those that have left the window are the first ones, and width_bucket counts them by
 * bisection; `offset 0` keeps the planner from working them out again at each use.
 *
 * Parameters: $1 is the source's, $2 requests, $3 window in seconds, $4 width of a slot in seconds (0: exact).
 */
export function takeFromBuckets(source: string): string {
  return `
    insert into rate_limits as stored (bucket, moments, counts, accepted, expires_at)
    select wanted.bucket, array[clock.slot], array[least(wanted.wanted, $2)], least(wanted.wanted, $2),
           clock.slot + make_interval(secs => $3)
    from ${clock}, (${source}) as wanted
    order by wanted.bucket
    on conflict (bucket) do update set (moments, counts, accepted, expires_at) = (
      select
        case when granted = 0 or moments[cardinality(moments)] = slot then moments else moments || slot end,
        case when granted = 0 then counts
             when moments[cardinality(moments)] = slot then counts[:cardinality(counts) - 1] || counts[cardinality(counts)] + granted
             else counts || granted end,
        granted,
        slot + make_interval(secs => $3)
      from (
        select moments, counts, slot, greatest(0, least(
          excluded.accepted,
          $2 - (select coalesce(sum(count), 0) from unnest(counts) as count)
        ))::int as granted
        from (
          select past.moments[gone + 1:] as moments, stored.counts[gone + 1:] as counts, clock.slot
          from ${clock}, ${past}, width_bucket(clock.now - make_interval(secs => $3), past.moments) as gone
          offset 0
        ) as trimmed
        offset 0
      ) as recent
    )
    returning
      bucket,
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

const sweptAtOnce = 10_000;
const sweepStatement = `
  delete from rate_limits where bucket in (
    select bucket from rate_limits where expires_at < clock_timestamp() limit $1 for update skip locked
  )`;

export interface TakenRow {
  bucket: string;
  /** How many of the requests wanted of the bucket were accepted. */
  accepted: number;
  /** What is left after them. */
  remaining: number;
  reset_at: string | number;
  reset_in: string | number;
}

export function bucketParameters<Source>(source: Source, limit: RateLimit): [Source, number, number, number] {
  const slotSeconds = limit.requests <= maxExactRequests ? 0 : limit.windowSeconds / slotsOfWindow;
  return [source, limit.requests, limit.windowSeconds, slotSeconds];
}

export class RateLimiter {
  readonly #pool: pg.Pool;
  readonly #full = new Map<string, { untilMs: number; state: LimitState }>();
  readonly #takers = new Map<string, (bucket: string) => Promise<LimitState>>();
  readonly #statement = takeFromBuckets(
    "select bucket, count(*)::int as wanted from unnest($1::text[]) as bucket group by bucket",
  );

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Counts one request, unless the bucket is known to be full. Those that arrive together are counted together. */
  async take(bucket: string, limit: RateLimit): Promise<LimitState> {
    const full = this.remembered(bucket);
    if (full) return full;
    const name = `${limit.requests}/${limit.windowSeconds}`;
    const taker = this.#takers.get(name) ?? askInGroups((buckets: string[]) => this.#takeAll(buckets, limit));
    this.#takers.set(name, taker);
    return taker(bucket);
  }

  async #takeAll(buckets: string[], limit: RateLimit): Promise<LimitState[]> {
    const { rows } = await againAfterConflict(() =>
      this.#pool.query<TakenRow>({
        name: "take-from-buckets",
        text: this.#statement,
        values: bucketParameters(buckets, limit),
      }),
    );
    const judge = this.judge(limit, rows);
    return buckets.map(judge);
  }

  /**
   * What becomes of each request of a batch, asked in the order of their arrival: the first ones have what their
   * bucket had room for.
   */
  judge(limit: RateLimit, rows: readonly TakenRow[]): (bucket: string) => LimitState {
    const taken = new Map(rows.map((row) => [row.bucket, { row, asked: 0 }]));
    for (const row of rows) if (row.remaining <= 0) this.#rememberFull(limit, row);
    return (bucket) => {
      const entry = taken.get(bucket);
      if (!entry) throw new Error(`the bucket ${bucket} was not taken from`);
      const place = (entry.asked += 1);
      const { accepted, remaining, reset_at } = entry.row;
      return {
        accepted: place <= accepted,
        limit: limit.requests,
        remaining: Math.max(0, remaining + accepted - place),
        resetAtSeconds: Math.ceil(Number(reset_at)),
      };
    };
  }

  #rememberFull(limit: RateLimit, row: TakenRow): void {
    if (this.#full.size >= maxRememberedBuckets) this.#full.delete(this.#full.keys().next().value as string);
    const state = {
      accepted: false,
      limit: limit.requests,
      remaining: 0,
      resetAtSeconds: Math.ceil(Number(row.reset_at)),
    };
    // The monotonic clock: a jump of the wall clock must not prolong a refusal.
    this.#full.set(row.bucket, { untilMs: performance.now() + Number(row.reset_in) * 1000, state });
  }

  /** The refusal that still holds for this bucket, from memory. */
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
      if ((rowCount ?? 0) < sweptAtOnce) return;
    }
  }
}

/** What an answer says before anything was counted. */
export function untouched(limit: RateLimit): LimitState {
  return {
    accepted: true,
    limit: limit.requests,
    remaining: limit.requests,
    resetAtSeconds: Math.ceil(nowMs() / 1000) + limit.windowSeconds,
  };
}
