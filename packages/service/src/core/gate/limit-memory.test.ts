import type { RateLimit } from "@gatehouse-parking/contract";
import type pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { useDatabase } from "../../../testing/harness.js";
import { RateLimiter, untouched, type TakenRow } from "./rate-limits.js";
import { RejectedCallerCache, UnknownKeyLimiter } from "./rejected-caller-cache.js";

/** The limiter's cache: bounded, cleared on request, and decided in order of arrival. */
const file = useDatabase();
const limit: RateLimit = { requests: 2, windowSeconds: 60, per: "organization" };
const remembered = 10_000;
const full = (bucket: string): TakenRow => ({
  bucket,
  accepted: 0,
  requests: 2,
  window_seconds: 60,
  remaining: 0,
  reset_at: 100.2,
  reset_in: 60,
});

afterEach(() => {
  vi.restoreAllMocks();
});

test("concurrent requests with the same limit share a statement", async () => {
  const limiter = new RateLimiter(file.database.gate);
  const asked = vi.spyOn(file.database.gate, "query");
  const larger = { ...limit, requests: 5 };
  const taken = await Promise.all([
    ...["p", "q", "r"].map((bucket) => limiter.take(bucket, limit)),
    ...["s", "t"].map((bucket) => limiter.take(bucket, larger)),
  ]);
  expect(taken.map((state) => [state.limit, state.remaining])).toEqual([
    [2, 1],
    [2, 1],
    [2, 1],
    [5, 4],
    [5, 4],
  ]);
  // The first request of a limit is sent at once; the others share the next statement.
  expect(asked.mock.calls.length).toBeLessThanOrEqual(4);
});

test("a bucket counts as emptied once the database has emptied it", async () => {
  let answer = (): void => undefined;
  const pool = { query: () => new Promise<void>((resolve) => void (answer = resolve)) };
  const forgotten = vi.fn();
  const forgetting = new RateLimiter(pool as unknown as pg.Pool).forget("some").finally(forgotten);
  await new Promise(setImmediate);
  expect(forgotten).not.toHaveBeenCalled();
  answer();
  await forgetting;
});

test("an emptied bucket has its full limit again at once, in memory and in the database", async () => {
  const limiter = new RateLimiter(file.database.gate);
  for (const accepted of [true, true, false])
    expect(await limiter.take("forgotten", limit)).toMatchObject({ accepted });
  expect(limiter.remembered("forgotten")).toMatchObject({ accepted: false, limit: 2, remaining: 0 });
  await limiter.forget("forgotten");
  expect(limiter.remembered("forgotten")).toBeUndefined();
  expect(await limiter.take("forgotten", limit)).toMatchObject({ accepted: true, remaining: 1 });
  expect(await new RateLimiter(file.database.gate).take("forgotten", limit)).toMatchObject({ remaining: 0 });
});

test("a sweep keeps buckets used within a window", async () => {
  const limiter = new RateLimiter(file.database.gate);
  await limiter.take("old", limit);
  await limiter.take("new", limit);
  await file.database.work.query(
    "update rate_limits set expires_at = now() - interval '1 s' where bucket = 'old'",
  );
  await limiter.sweep();
  const { rows } = await file.database.work.query(
    "select bucket from rate_limits where bucket in ('old', 'new')",
  );
  expect(rows).toEqual([{ bucket: "new" }]);
});

test("requests of a batch are accepted in order while the bucket has room", () => {
  const limiter = new RateLimiter(file.database.gate);
  const ask = limiter.judge([{ ...full("some"), accepted: 2, remaining: 0 }]);
  const states = [ask("some"), ask("some"), ask("some")];
  expect(states.map(({ accepted, remaining }) => [accepted, remaining])).toEqual([
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
  expect(states[0]).toMatchObject({ limit: 2, resetAtSeconds: 101 });
  expect(() => ask("another")).toThrow("the bucket another was not taken from");
  limiter.judge([{ ...full("room"), remaining: 1 }]);
  expect(limiter.remembered("room")).toBeUndefined();
});

test("at most ten thousand full buckets are cached, and the oldest is evicted first", () => {
  const limiter = new RateLimiter(file.database.gate);
  for (let index = 0; index < remembered; index += 1) limiter.judge([full(`b${index}`)]);
  expect(limiter.remembered("b0")).toBeDefined();
  limiter.judge([full("one more")]);
  expect(limiter.remembered("b0")).toBeUndefined();
  expect(limiter.remembered("b1")).toBeDefined();
  expect(limiter.remembered("one more")).toBeDefined();
});

test("a full bucket is cached until its oldest request leaves the window", () => {
  const limiter = new RateLimiter(file.database.gate);
  limiter.judge([{ ...full("over"), reset_in: 0 }]);
  expect(limiter.remembered("over")).toBeUndefined();
  limiter.judge([{ ...full("lasting"), reset_in: "3600" }]);
  expect(limiter.remembered("lasting")).toEqual({
    accepted: false,
    limit: 2,
    remaining: 0,
    resetAtSeconds: 101,
  });
});

test("at most ten thousand callers are cached, and the oldest is evicted first", () => {
  const rejected = new RejectedCallerCache();
  const caller = {
    organizationId: "o",
    apiKeyId: "k",
    permissions: [],
    leadOrigins: [],
    organization: {},
  };
  const hash = (index: number): Buffer => Buffer.from(`hash ${index}`);
  for (let index = 0; index < remembered; index += 1) rejected.remember(hash(index), caller);
  expect(rejected.recall(hash(0))).toBe(caller);
  rejected.remember(hash(remembered), caller);
  expect(rejected.recall(hash(0))).toBeUndefined();
  expect(rejected.recall(hash(1))).toBe(caller);
  expect(rejected.recall(hash(remembered))).toBe(caller);
  rejected.forget(hash(remembered));
  expect(rejected.recall(hash(remembered))).toBeUndefined();
});

test("a cached rejection lasts a second; then one request checks again while the others use the cache", () => {
  const now = vi.spyOn(performance, "now");
  const rejected = new RejectedCallerCache();
  const caller = {
    organizationId: "o",
    apiKeyId: "k",
    permissions: [],
    leadOrigins: [],
    organization: {},
  };
  const [one, other] = [Buffer.from("one"), Buffer.from("other")];
  const recalled = (ms: number): boolean => {
    now.mockReturnValue(ms);
    return rejected.recall(one) !== undefined;
  };
  now.mockReturnValue(0);
  rejected.remember(one, caller);
  rejected.remember(other, caller);
  expect([0, 999, 1_000, 1_000, 1_999, 2_000, 2_001].map(recalled)).toEqual([
    ...[true, true, false, true, true, false, true],
  ]);
  expect(rejected.recall(Buffer.from("unknown"))).toBeUndefined();
});

test("a bucket with room under a raised limit is not rejected from the cache", () => {
  const limiter = new RateLimiter(file.database.gate);
  limiter.judge([full("raised")]);
  expect(limiter.remembered("raised")).toBeDefined();
  limiter.judge([{ ...full("raised"), requests: 5, remaining: 3 }]);
  expect(limiter.remembered("raised")).toBeUndefined();
});

test("at most 50 unknown keys are looked up per second", () => {
  const now = vi.spyOn(performance, "now");
  const unknownKeys = new UnknownKeyLimiter();
  const asked = (ms: number) => {
    now.mockReturnValue(ms);
    return Array.from({ length: 80 }, () => unknownKeys.mayLookUp()).filter(Boolean).length;
  };
  expect([10, 1_009, 1_010].map(asked)).toEqual([50, 0, 50]);
});

test("before the first request, headers show the whole limit and the end of a window", () => {
  const nowSeconds = Math.ceil(Date.now() / 1000);
  const state = untouched(limit);
  expect(state).toMatchObject({ accepted: true, limit: 2, remaining: 2 });
  expect([60, 61, 62]).toContain(state.resetAtSeconds - nowSeconds);
});
