import type { ImportRun } from "@gatehouse-parking/contract";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { uuidv7 } from "../uuidv7.js";
import { useDatabase } from "../../testing/harness.js";
import { createOrganization } from "../organizations/organizations.js";
import { recordFailedRuns } from "./failed-runs.js";
import { getImportRun } from "./history.js";

const file = useDatabase();
const log = pino({ level: "silent" });

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

async function organization(): Promise<string> {
  return (await createOrganization(file.database.work, { name: "Acme", actor: "test" })).uuid;
}

test("reading 20: a run that the database refuses for good does not keep the others from being recorded", async () => {
  const failedRuns = recordFailedRuns(file.database.work, log);
  const organizationId = await organization();
  await failedRuns.record(origin(uuidv7()), failedRun(), []);
  const run = failedRun();
  await failedRuns.record(origin(organizationId), run, []);
  expect(await getImportRun(file.database.work, organizationId, run.referenceUuid)).toBeDefined();
  await failedRuns.close();
});

test("reading 20: runs that fail while the database is away are recorded when it is back, each once", async () => {
  const failedRuns = recordFailedRuns(file.database.work, log);
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

test("a run that was committed after all stands as it is", async () => {
  const failedRuns = recordFailedRuns(file.database.work, log);
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
