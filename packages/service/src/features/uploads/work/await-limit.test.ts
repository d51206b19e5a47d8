import { importResources } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp } from "../../../../testing/harness.js";
import { bucketName } from "../../../core/gate/gate.js";
import { awaitLimit, type LimitParts } from "./await-limit.js";
import { problemBefore } from "./process-upload.js";
import { UploadLost } from "./progress.js";
import { maxUploadRows } from "../limits.js";

const gatehouse = useApp();
const { importOperation: operation } = importResources.accounts;
const limit = { per: "organization", requests: 8, windowSeconds: 60 } as const;

/** The limiter of the app; `onPause` is told how long a wait would take. */
function partsWith(
  onPause: (ms: number) => Promise<void>,
  signal = new AbortController().signal,
): LimitParts {
  const limits = { [operation]: limit } as Awaited<ReturnType<LimitParts["limitsOf"]>>;
  const { rateLimiter: limiter } = gatehouse.app;
  return { limiter, limitsOf: async () => limits, pause: onPause, signal };
}

const wait = (parts: LimitParts, organizationId: string, isTurnOver = false) =>
  awaitLimit(parts, { organizationId, operation }, async () => isTurnOver);

async function useUp(organizationId: string): Promise<void> {
  const bucket = bucketName(operation, organizationId);
  for (let request = 1; request <= limit.requests; request += 1)
    await gatehouse.app.rateLimiter.take(bucket, limit);
}

test("an upload counts against the organization's limit and leaves a quarter of it to the partners", async () => {
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
  // Another organization's upload goes on.
  await wait(parts, (await gatehouse.tenant()).organizationId);
  expect(waits).toHaveLength(1);
});

test("where the limit is used up, a batch waits until it is accepted", async () => {
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

test("a worker that is to stop, or whose upload is another's, does not wait for the limit", async () => {
  const { organizationId } = await gatehouse.tenant();
  const lost = new AbortController();
  const parts = partsWith(async () => lost.abort(new UploadLost()), lost.signal);
  // The last quarter is waited for, too.
  for (let batch = 1; batch <= 6; batch += 1) await wait(parts, organizationId);
  await expect(wait(parts, organizationId)).rejects.toThrow(UploadLost);
  await expect(wait(parts, (await gatehouse.tenant()).organizationId)).rejects.toThrow(UploadLost);
});

test("whose turn is over gives the upload back instead of waiting", async () => {
  const { organizationId } = await gatehouse.tenant();
  let waits = 0;
  const parts = partsWith(async () => void (waits += 1));
  await wait(parts, organizationId, true);
  await useUp(organizationId);
  await expect(wait(parts, organizationId, true)).rejects.toThrow(UploadLost);
  expect(waits).toBe(0);
});

test("a file has so many rows and no more, whoever insists", () => {
  const accounts = { maxRecords: 100 };
  const upload = { is_insistent: true };
  expect(problemBefore(upload, { decidedRows: maxUploadRows - 1, failed: 0 }, accounts)).toBeUndefined();
  expect(problemBefore(upload, { decidedRows: maxUploadRows, failed: 0 }, accounts)).toMatch(
    /more than 5,000,000 rows/,
  );
});
