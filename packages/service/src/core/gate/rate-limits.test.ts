import { generalLimit, type RateLimit } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useDatabase } from "../../../testing/harness.js";
import { RateLimiter } from "./rate-limits.js";

const file = useDatabase();
const limiter = () => new RateLimiter(file.database.gate);
let buckets = 0;
const newBucket = () => `test:${(buckets += 1)}`;

async function accepted(count: number, bucket: string, limit: RateLimit, asker = limiter()): Promise<number> {
  const states = await Promise.all(Array.from({ length: count }, () => asker.take(bucket, limit)));
  return states.filter((state) => state.accepted).length;
}

/** Shifts the times of a bucket's requests. */
async function shift(bucket: string, interval: string): Promise<void> {
  await file.database.work.query(
    `update rate_limits set moments = array(select moment + $2::interval from unnest(moments) as moment) where bucket = $1`,
    [bucket, interval],
  );
}

const perMinute = (requests: number): RateLimit => ({ requests, windowSeconds: 60, per: "organization" });

/** @covers reading 41 */
test("exactly the limit is accepted, however many limiters run concurrently", async () => {
  const bucket = newBucket();
  const one = limiter();
  const other = limiter();
  const counts = await Promise.all([
    accepted(40, bucket, perMinute(30), one),
    accepted(40, bucket, perMinute(30), other),
  ]);
  expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(30);
});

/** @covers R276, reading 41 */
test("the window slides: a request from 60 seconds ago no longer counts, one from 40 seconds ago does", async () => {
  const bucket = newBucket();
  expect(await accepted(3, bucket, generalLimit)).toBe(3);
  await shift(bucket, "-40 seconds");
  expect(await accepted(3, bucket, generalLimit)).toBe(2);
  await shift(bucket, "-20 seconds");
  expect(await accepted(9, bucket, generalLimit)).toBe(3);
  await shift(bucket, "-60 seconds");
  expect(await accepted(9, bucket, generalLimit)).toBe(5);
});

/** @covers R274, R275 */
test("a result has the remaining requests and the time when the oldest leaves the window", async () => {
  const bucket = newBucket();
  const beforeSeconds = Date.now() / 1000;
  const first = await limiter().take(bucket, perMinute(3));
  const afterSeconds = Date.now() / 1000;
  expect(first).toMatchObject({ accepted: true, limit: 3, remaining: 2 });
  expect(first.resetAtSeconds).toBeGreaterThanOrEqual(Math.floor(beforeSeconds) + 60);
  expect(first.resetAtSeconds).toBeLessThanOrEqual(Math.ceil(afterSeconds) + 60);
  await shift(bucket, "-30 seconds");
  const second = await limiter().take(bucket, perMinute(3));
  expect(second.remaining).toBe(1);
  expect(Math.abs(first.resetAtSeconds - 30 - second.resetAtSeconds)).toBeLessThanOrEqual(1);
});

test("a clock set back blocks callers for at most one window and admits none early", async () => {
  const bucket = newBucket();
  expect(await accepted(5, bucket, generalLimit)).toBe(5);
  await shift(bucket, "3 hours");
  const refused = await limiter().take(bucket, generalLimit);
  expect(refused).toMatchObject({ accepted: false, remaining: 0 });
  expect(refused.resetAtSeconds - Date.now() / 1000).toBeLessThan(62);
  await shift(bucket, "-60 seconds");
  expect(await accepted(9, bucket, generalLimit)).toBe(5);
});

test("limits above 500 are counted in time slots and never exceeded within a window", async () => {
  const bucket = newBucket();
  expect(await accepted(700, bucket, perMinute(600))).toBe(600);
  await shift(bucket, "-58 seconds");
  expect(await accepted(5, bucket, perMinute(600))).toBe(0);
  await shift(bucket, "-62 seconds");
  expect(await accepted(5, bucket, perMinute(600))).toBe(5);
  const { rows } = await file.database.work.query(
    "select cardinality(moments) as slots from rate_limits where bucket = $1",
    [bucket],
  );
  expect(rows[0].slots).toBeLessThan(5);
});

test("a full bucket is cached until it has room again", async () => {
  const bucket = newBucket();
  const asker = limiter();
  const soon: RateLimit = { requests: 1, windowSeconds: 1, per: "address" };
  expect((await asker.take(bucket, soon)).accepted).toBe(true);
  const refused = await asker.take(bucket, soon);
  expect([refused.accepted, refused.remaining]).toEqual([false, 0]);
  expect(asker.remembered(bucket)).toBeDefined();
  await expect.poll(() => asker.remembered(bucket)).toBeUndefined();
  expect((await asker.take(bucket, soon)).accepted).toBe(true);
});

test("buckets unused for a window are deleted", async () => {
  const used = newBucket();
  const unused = newBucket();
  await accepted(1, used, generalLimit);
  await accepted(1, unused, generalLimit);
  await file.database.work.query(
    "update rate_limits set expires_at = now() - interval '1 second' where bucket = $1",
    [unused],
  );
  await limiter().sweep();
  const { rows } = await file.database.work.query("select bucket from rate_limits where bucket = any ($1)", [
    [used, unused],
  ]);
  expect(rows).toEqual([{ bucket: used }]);
});

test("a sweep skips locked buckets and deletes the others", async () => {
  const [held, forgotten] = [newBucket(), newBucket()];
  for (const bucket of [held, forgotten]) await limiter().take(bucket, perMinute(5));
  await file.database.work.query("update rate_limits set expires_at = now() - interval '1 minute'");
  const holder = await file.database.work.connect();
  await holder.query("begin");
  await holder.query("select from rate_limits where bucket = $1 for update", [held]);
  await limiter()
    .sweep()
    .finally(() => holder.release(true));
  const { rows } = await file.database.work.query("select bucket from rate_limits");
  expect(rows).toEqual([{ bucket: held }]);
});

test("after a deadlock, requests are counted again without an error", async () => {
  const [first, second] = [newBucket(), newBucket()];
  const asker = limiter();
  for (const bucket of [first, second]) await asker.take(bucket, perMinute(5));
  // Another transaction locks the buckets in the opposite order and leaves the deadlock to the limiter.
  const stranger = await file.database.work.connect();
  await stranger.query("begin; set local deadlock_timeout = '1min'");
  await stranger.query("select from rate_limits where bucket = $1 for update", [second]);
  const taking = Promise.all([first, second].map((bucket) => asker.take(bucket, perMinute(5))));
  await expect
    .poll(async () => {
      const { rowCount } = await file.database.work.query("select from pg_locks where not granted");
      return rowCount;
    })
    .toBe(1);
  await stranger.query("select from rate_limits where bucket = $1 for update", [first]);
  await stranger.query("commit");
  stranger.release();
  expect((await taking).map(({ accepted, remaining }) => [accepted, remaining])).toEqual([
    [true, 3],
    [true, 3],
  ]);
});
