import type { ImportRun } from "@gatehouse-parking/contract";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { pino } from "pino";
import { beforeEach, expect, test, vi } from "vitest";
import { uuidv7 } from "../uuidv7.js";
import { useDatabase } from "../../../testing/harness.js";
import { createOrganization } from "../organizations/organizations.js";
import { maxQueued, maxQueuedCharacters, maxRejections, recordFailedRuns, retryMs } from "./failed-runs.js";
import { getImportRun } from "./history.js";

const file = useDatabase();
const bodyBytes = 1024 * 1024;
const log = pino({ level: "silent" });
const recordUnrecordedRun = vi.fn();
const metrics = { recordUnrecordedRun };
beforeEach(() => recordUnrecordedRun.mockClear());

function failedRun(): ImportRun {
  return {
    referenceUuid: uuidv7(),
    resource: 1,
    status: 2,
    startedAt: "2026-04-01T00:00:00.000Z",
    completedAt: "2026-04-01T00:00:01.000Z",
    durationMs: 1_000,
    totalSubmitted: 1,
    successCount: 0,
    failedCount: 1,
    skippedCount: 0,
    createdEntities: { accounts: 0, contacts: 0, vehicles: 0, subscriptions: 0 },
    results: [],
  };
}

const origin = (organizationId: string) => ({
  organizationId,
  apiKeyId: undefined,
  requestId: "request",
  metadata: undefined,
});

/** PostgreSQL rejects this value as json. */
const refused = { metadata: "{" };

async function organization(): Promise<string> {
  return (await createOrganization(file.database.work, { name: "Acme", actor: "test" })).uuid;
}

/** @covers reading 20 */
test("a run that the database keeps rejecting does not block the others", async () => {
  const failedRuns = recordFailedRuns(file.database.work, log, metrics);
  const organizationId = await organization();
  await failedRuns.record({ ...origin(organizationId), ...refused }, failedRun(), []);
  const run = failedRun();
  await failedRuns.record(origin(organizationId), run, []);
  expect(await getImportRun(file.database.work, organizationId, run.referenceUuid)).toBeDefined();
  await failedRuns.close();
});

/** @covers reading 20 */
test("a run waits for the lock of its organization, and does not block the others", async () => {
  const [busy, idle] = [await organization(), await organization()];
  const importing = await file.database.work.connect();
  await importing.query("begin");
  await importing.query("select from import_turns where organization_id = $1 for no key update", [busy]);
  const failedRuns = recordFailedRuns(file.database.work, log, metrics);
  const [waiting, next] = [failedRun(), failedRun()];
  void failedRuns.record(origin(busy), waiting, []);
  void failedRuns.record(origin(idle), next, []);
  const isRecorded = async (organizationId: string, run: ImportRun) =>
    (await getImportRun(file.database.reads, organizationId, run.referenceUuid)) !== undefined;
  await expect.poll(() => isRecorded(idle, next)).toBe(true);
  expect(await isRecorded(busy, waiting)).toBe(false);
  await importing.query("commit");
  importing.release();
  await expect.poll(() => isRecorded(busy, waiting)).toBe(true);
  expect(recordUnrecordedRun).not.toHaveBeenCalled();
  await failedRuns.close();
});

/** @covers reading 20 */
test("runs that fail while the database is unavailable are recorded once it is back, each once", async () => {
  const failedRuns = recordFailedRuns(file.database.work, log, metrics);
  const organizationId = await organization();
  const runs = Array.from({ length: 5 }, failedRun);
  const connect = vi
    .spyOn(file.database.work, "connect")
    .mockRejectedValue(new Error("Connection terminated") as never);
  await Promise.all(runs.map((run) => failedRuns.record(origin(organizationId), run, [])));
  connect.mockRestore();
  await failedRuns.close();
  const { rows } = await file.database.work.query(
    "select id from import_runs where organization_id = $1 order by id",
    [organizationId],
  );
  expect(rows.map((row) => row.id)).toEqual(runs.map((run) => run.referenceUuid));
  const { rows: counts } = await file.database.work.query(
    "select run_count from import_turns where organization_id = $1",
    [organizationId],
  );
  expect(counts).toEqual([{ run_count: 5 }]);
});

test("a failed run does not overwrite one that was committed after all", async () => {
  const failedRuns = recordFailedRuns(file.database.work, log, metrics);
  const organizationId = await organization();
  const run = failedRun();
  await failedRuns.record(origin(organizationId), { ...run, status: 1, failedCount: 0, successCount: 1 }, []);
  await failedRuns.record(origin(organizationId), run, [
    { position: 0, reference: "T-1", key: "T-1" } as never,
  ]);
  const stored = await getImportRun(file.database.work, organizationId, run.referenceUuid);
  expect(stored?.run).toMatchObject({ status: 1, successCount: 1, results: [] });
  await failedRuns.close();
});

test("a run that the database keeps rejecting is discarded after a number of attempts, which is logged and counted", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const warn = vi.spyOn(log, "warn");
  const error = vi.spyOn(log, "error");
  try {
    const failedRuns = recordFailedRuns(file.database.work, log, metrics);
    const run = failedRun();
    await failedRuns.record({ ...origin(await organization()), ...refused }, run, []);
    for (let refusals = 1; refusals < maxRejections; refusals += 1) {
      expect(recordUnrecordedRun).not.toHaveBeenCalled();
      await expect.poll(() => warn.mock.calls.length, { interval: 5 }).toBe(refusals);
      await vi.advanceTimersByTimeAsync(retryMs);
    }
    await expect.poll(() => recordUnrecordedRun.mock.calls.length).toBe(1);
    expect(error).toHaveBeenCalledWith(
      { referenceUuid: run.referenceUuid, reason: "rejected by the database" },
      "failed run discarded",
    );
    await vi.advanceTimersByTimeAsync(retryMs);
    await failedRuns.close();
    expect(warn, "no caller waits for it any more").toHaveBeenCalledTimes(maxRejections);
  } finally {
    vi.useRealTimers();
    warn.mockRestore();
    error.mockRestore();
  }
});

test("the retry queue is bounded in runs and in characters, and discards the oldest run", async () => {
  const failedRuns = recordFailedRuns(file.database.work, log, metrics);
  const organizationId = await organization();
  const connect = vi
    .spyOn(file.database.work, "connect")
    .mockRejectedValue(new Error("Connection terminated") as never);
  const metadata = "x".repeat(maxQueuedCharacters / 4);
  const large = Array.from({ length: 5 }, failedRun);
  for (const run of large) await failedRuns.record({ ...origin(organizationId), metadata }, run, []);
  expect(recordUnrecordedRun).toHaveBeenCalledTimes(1);
  const small = Array.from({ length: maxQueued }, failedRun);
  for (const run of small) await failedRuns.record(origin(organizationId), run, []);
  expect(recordUnrecordedRun, "four large ones made room").toHaveBeenCalledTimes(5);
  connect.mockRestore();
  await failedRuns.close();
  const { rows } = await file.database.work.query(
    "select id from import_runs where organization_id = $1 order by id",
    [organizationId],
  );
  expect(rows.map((row) => row.id)).toEqual(small.map((run) => run.referenceUuid));
});

test("a waiting run does not keep its request body in memory", async () => {
  const failedRuns = recordFailedRuns(file.database.work, log, metrics);
  const connect = vi
    .spyOn(file.database.work, "connect")
    .mockRejectedValue(new Error("Connection terminated") as never);
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const heapBytes = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = heapBytes();
  for (let index = 0; index < 20; index += 1) {
    const body = `{"metadata":{"n":${index}},"transactions":"${String.fromCharCode(97 + index).repeat(bodyBytes)}"}`;
    const metadata = body.slice(12, 12 + 20);
    await failedRuns.record({ ...origin(uuidv7()), metadata }, failedRun(), [
      { position: 0, reference: body.slice(40, 80), key: body.slice(40, 80) } as never,
    ]);
  }
  // The last body may still be in use.
  expect(heapBytes() - before).toBeLessThan(5 * bodyBytes);
  connect.mockRestore();
  await failedRuns.close();
});
