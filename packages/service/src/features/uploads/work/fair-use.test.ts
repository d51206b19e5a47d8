import { importResources } from "@gatehouse-parking/contract";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { useApp } from "../../../../testing/harness.js";
import { transactionFile, transactionHeader, uploader } from "../../../../testing/uploader.js";
import { buildApp, effectiveLimits } from "../../../app.js";
import { bucketName } from "../../../core/gate/gate.js";
import { leaseSeconds } from "../queue.js";
import { maxUploadRows } from "../limits.js";
import { awaitRateLimit, type RateLimitParts } from "./fair-use.js";
import { reasonToStop } from "./process-upload.js";
import { LeaseLost } from "./progress.js";

const gatehouse = useApp();
const { importOperation: operation } = importResources.transactions;
const limitOf = () => effectiveLimits(gatehouse.config)[operation];

test("an upload stops when its outcomes exceed the storage for uploads, and can be resumed after that", async () => {
  const by = await uploader(gatehouse);
  const other = await by.run(transactionFile(by, 1));
  const takeRoom = (bytes: number) =>
    gatehouse.database.work.query(
      "update uploads set kept_bytes = $3 where organization_id = $1 and id = $2",
      [by.organizationId, other.uuid, bytes],
    );
  const uuid = await by.receive(transactionFile(by, 3));
  await takeRoom(gatehouse.config.uploadStorageBytes);
  await by.start(uuid);
  await gatehouse.app.uploads.runUntilIdle();
  const upload = await by.show(uuid);
  expect(upload).toMatchObject({ state: "stopped", rows: 0 });
  expect(upload.problem).toMatch(
    /^The uploads of the organization and .* use .* MB of .* MB.*Remove some of them, then resume$/,
  );
  await takeRoom(0);
  await by.act(uuid, "resume");
  await gatehouse.app.uploads.runUntilIdle();
  expect(await by.show(uuid)).toMatchObject({ state: "finished", rows: 3, problem: null });
});

test("batches without valid rows count against the rate limit too", async () => {
  const by = await uploader(gatehouse);
  const bucket = bucketName(operation, by.organizationId);
  const { remaining } = await gatehouse.app.rateLimiter.take(bucket, limitOf());
  // The file does not show which of the two numbers is the month.
  const rows = Array.from({ length: 501 }, (_, index) => `T-${index},x,1,04/05/2026 10:00\n`);
  const upload = await by.run(transactionHeader + rows.join(""));
  expect(upload).toMatchObject({ state: "finished", failed: 501, runCount: 0 });
  expect(await gatehouse.app.rateLimiter.take(bucket, limitOf())).toMatchObject({ remaining: remaining - 3 });
});

test("an upload that is cancelled while it waits for the rate limit releases its slot", async () => {
  const { database } = gatehouse;
  const config = { ...gatehouse.config, limits: { [operation]: { ...limitOf(), requests: 1 } } };
  const app = await buildApp({ config, database, logger: pino({ level: "silent" }) });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const by = await uploader(gatehouse);
    const uuid = await by.receive(transactionFile(by, 501));
    await by.start(uuid);
    const working = app.uploads.runUntilIdle();
    // The second batch has to wait for a whole window.
    await expect.poll(async () => (await by.show(uuid)).rows).toBe(500);
    expect((await by.act(uuid, "cancel")).status).toBe(200);
    await vi.advanceTimersByTimeAsync(leaseSeconds * 1_000);
    await working;
    expect(app.uploads.taken).toBe(0);
    expect(await by.show(uuid)).toMatchObject({ state: "cancelled", rows: 500 });
  } finally {
    vi.useRealTimers();
    await app.close();
  }
});

const limit = { per: "organization", requests: 8, windowSeconds: 60 } as const;

/** The limiter of the app; `onPause` receives the length of each wait. */
function partsWith(
  onPause: (ms: number) => Promise<void>,
  signal = new AbortController().signal,
): RateLimitParts {
  const limits = { [operation]: limit } as Awaited<ReturnType<RateLimitParts["limitsOf"]>>;
  const { rateLimiter: limiter } = gatehouse.app;
  return { limiter, limitsOf: async () => limits, pause: onPause, signal };
}

const wait = (parts: RateLimitParts, organizationId: string, mustYield = false) =>
  awaitRateLimit(parts, { organizationId, operation }, async () => mustYield);

async function useUp(organizationId: string): Promise<void> {
  const bucket = bucketName(operation, organizationId);
  for (let request = 1; request <= limit.requests; request += 1)
    await gatehouse.app.rateLimiter.take(bucket, limit);
}

test("an upload counts against the organization's rate limit and leaves a quarter of it to partners", async () => {
  const { organizationId } = await gatehouse.tenant();
  const waits: number[] = [];
  const parts = partsWith(async (ms) => void waits.push(ms));
  for (let batch = 1; batch <= 6; batch += 1) await wait(parts, organizationId);
  expect(waits).toEqual([]);
  await wait(parts, organizationId);
  expect(waits).toHaveLength(1);
  expect(waits[0]).toBeGreaterThan(limit.windowSeconds * 500);
  // A request of a partner is still accepted.
  const bucket = bucketName(operation, organizationId);
  expect(await gatehouse.app.rateLimiter.take(bucket, limit)).toMatchObject({ accepted: true, remaining: 0 });
  // Another organization's upload continues.
  await wait(parts, (await gatehouse.tenant()).organizationId);
  expect(waits).toHaveLength(1);
});

test("a batch waits until the rate limit admits it", async () => {
  const { organizationId } = await gatehouse.tenant();
  const bucket = bucketName(operation, organizationId);
  await useUp(organizationId);
  let waits = 0;
  const parts = partsWith(async () => {
    waits += 1;
    if (waits === 2) await gatehouse.app.rateLimiter.forget(bucket);
  });
  await wait(parts, organizationId);
  expect(waits).toBe(2);
});

test("a worker that stops or has lost its lease does not wait for the rate limit", async () => {
  const { organizationId } = await gatehouse.tenant();
  const lost = new AbortController();
  const parts = partsWith(async () => lost.abort(new LeaseLost()), lost.signal);
  // The last quarter also requires a wait.
  for (let batch = 1; batch <= 6; batch += 1) await wait(parts, organizationId);
  await expect(wait(parts, organizationId)).rejects.toThrow(LeaseLost);
  await expect(wait(parts, (await gatehouse.tenant()).organizationId)).rejects.toThrow(LeaseLost);
});

test("an upload that must yield returns to the queue instead of waiting", async () => {
  const { organizationId } = await gatehouse.tenant();
  let waits = 0;
  const parts = partsWith(async () => void (waits += 1));
  await wait(parts, organizationId, true);
  await useUp(organizationId);
  await expect(wait(parts, organizationId, true)).rejects.toThrow(LeaseLost);
  expect(waits).toBe(0);
});

test("the number of rows is limited even after a resume", () => {
  const accounts = { maxRecords: 100 };
  const upload = { is_insistent: true };
  expect(reasonToStop(upload, { decidedRows: maxUploadRows - 1, failed: 0 }, accounts)).toBeUndefined();
  expect(reasonToStop(upload, { decidedRows: maxUploadRows, failed: 0 }, accounts)).toMatch(
    /more than 5,000,000 rows/,
  );
});
