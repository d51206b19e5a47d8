import type { RateLimit } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import fc from "../../../../../testing/properties.js";
import { useDatabase } from "../../../testing/harness.js";
import { RateLimiter, takeFromBuckets, type TakenRow } from "./rate-limits.js";

const home = useDatabase();
let buckets = 0;
const newBucket = () => `bucket ${(buckets += 1)}`;
const limitOf = (requests: number, windowSeconds = 60): RateLimit => ({
  requests,
  windowSeconds,
  per: "organization",
});

const oneOf = "select $1::text as bucket, 1 as wanted, $2::int as requests, $3::int as window_seconds";

/** Ages a bucket's stored times instead of waiting. Negative: the clock was set back. */
async function pass(bucket: string, seconds: number): Promise<void> {
  await home.database.gate.query(
    `update rate_limits set
       moments = array(select moment - make_interval(secs => $2) from unnest(moments) as moment order by 1),
       expires_at = expires_at - make_interval(secs => $2)
     where bucket = $1`,
    [bucket, seconds],
  );
}

/** A limiter without a cache queries the database every time, like an instance that has just started. */
const take = (bucket: string, limit: RateLimit) => new RateLimiter(home.database.gate).take(bucket, limit);

async function takeMany(count: number, bucket: string, limit: RateLimit): Promise<number> {
  const states = await Promise.all(Array.from({ length: count }, () => take(bucket, limit)));
  return states.filter(({ accepted }) => accepted).length;
}

async function clockSeconds(): Promise<number> {
  const { rows } = await home.database.gate.query<{ now: number }>(
    "select extract(epoch from clock_timestamp())::float8 as now",
  );
  return rows[0]?.now as number;
}

/** The times between which a request was decided. */
interface Judged {
  accepted: boolean;
  earliest: number;
  latest: number;
}

/** Sends requests with these pauses in seconds, without waiting. */
async function sendWithPauses(
  pauses: number[],
  ask: (bucket: string) => Promise<boolean>,
): Promise<Judged[]> {
  const bucket = newBucket();
  const judged: Judged[] = [];
  let passed = 0;
  for (const pause of pauses) {
    passed += pause;
    await pass(bucket, pause);
    const earliest = (await clockSeconds()) + passed;
    const accepted = await ask(bucket);
    judged.push({ accepted, earliest, latest: (await clockSeconds()) + passed });
  }
  return judged;
}

/** Pauses of zero, any length, or close to the end of the window. */
const pause = fc.oneof(
  fc.constant(0),
  fc.double({ min: 0, max: 70, noNaN: true }),
  fc.constantFrom(19.95, 29.8, 30.2, 59, 59.9, 60.1),
);
const pauses = fc.array(pause, { minLength: 5, maxLength: 40 });

test("at most N requests are accepted in any window, and none is rejected while there is room", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), pauses, async (requests, between) => {
      const judged = await sendWithPauses(
        between,
        async (bucket) => (await take(bucket, limitOf(requests))).accepted,
      );
      const accepted = judged.filter((request) => request.accepted);
      for (const [index, request] of accepted.entries()) {
        const before = accepted[index - requests];
        if (before) expect(request.latest - before.earliest).toBeGreaterThanOrEqual(60);
      }
      for (const [index, request] of judged.entries()) {
        if (request.accepted) continue;
        const within = judged
          .slice(0, index)
          .filter((earlier) => earlier.accepted && earlier.latest > request.earliest - 60);
        expect(within.length).toBeGreaterThanOrEqual(requests);
      }
    }),
    { numRuns: 25 },
  );
});

test("time slots reject at most one slot early and never accept too many", async () => {
  const slotSeconds = 3;
  const statement = takeFromBuckets(oneOf, { maxExactRequests: 0, slotsOfWindow: 60 / slotSeconds });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), pauses, async (requests, between) => {
      const judged = await sendWithPauses(between, async (bucket) => {
        const { rows } = await home.database.gate.query<TakenRow>(statement, [bucket, requests, 60]);
        return rows[0]?.accepted === 1;
      });
      const accepted = judged.filter((request) => request.accepted);
      for (const [index, request] of accepted.entries()) {
        const before = accepted[index - requests];
        if (before) expect(request.latest - before.earliest).toBeGreaterThanOrEqual(60);
      }
      for (const [index, request] of judged.entries()) {
        if (request.accepted) continue;
        const within = judged
          .slice(0, index)
          .filter((earlier) => earlier.accepted && earlier.latest > request.earliest - 60 - slotSeconds);
        expect(within.length).toBeGreaterThanOrEqual(requests);
      }
    }),
    { numRuns: 25 },
  );
});

test("concurrent requests on several instances are counted one by one", async () => {
  for (const requests of [7, 501]) {
    const bucket = newBucket();
    const limit = limitOf(requests);
    expect(await takeMany(requests - 2, bucket, limit)).toBe(requests - 2);
    expect(await takeMany(50, bucket, limit)).toBe(2);
    expect(await takeMany(10, bucket, limit)).toBe(0);
  }
});

test.each([2, 600])(
  "a clock set back by hours blocks callers for at most one window (limit %i)",
  async (requests) => {
    const bucket = newBucket();
    const limit = limitOf(requests);
    expect(await takeMany(requests, bucket, limit)).toBe(requests);
    await pass(bucket, -7_200);
    const refused = await take(bucket, limit);
    expect(refused.accepted).toBe(false);
    expect(refused.resetAtSeconds - (await clockSeconds())).toBeLessThanOrEqual(62);
    await pass(bucket, 61);
    expect(await takeMany(requests + 5, bucket, limit)).toBe(requests);
  },
);

test("a clock set forward by hours does not lift the limit", async () => {
  const bucket = newBucket();
  const limit = limitOf(3);
  expect(await takeMany(3, bucket, limit)).toBe(3);
  await pass(bucket, 7_200);
  expect(await takeMany(10, bucket, limit)).toBe(3);
});

test("large limits fit their row after any clock and configuration changes", async () => {
  const large = limitOf(100_000);
  const bucket = newBucket();
  // A full exact bucket with 500 different times.
  await home.database.gate.query(
    `insert into rate_limits (bucket, moments, counts, accepted, expires_at)
     select $1, array_agg(clock_timestamp() - make_interval(secs => n * 0.001) order by n desc),
            array_agg(1), 1, clock_timestamp() + interval '1 minute'
     from generate_series(1, 500) as n`,
    [bucket],
  );
  const statement = takeFromBuckets(oneOf);
  const parameters = [bucket, large.requests, large.windowSeconds];
  // The limit is raised, a minute of traffic passes, the clock is set back by an hour, another minute passes.
  for (let second = 0; second < 118; second += 1) {
    await pass(bucket, second === 59 ? -3_600 : 1);
    await home.database.gate.query({ name: "take", text: statement, values: parameters });
  }
  await pass(bucket, 61);
  expect((await take(bucket, large)).remaining).toBe(99_999);
});
