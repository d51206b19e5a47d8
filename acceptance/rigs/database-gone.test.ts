import { rename, symlink, unlink } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer } from "../requests.js";
import { until } from "../running-service.js";
import { startDatabase } from "./database.js";
import { startProxiedFleet, type Fleet, type Instance, type Tenant } from "./fleet.js";
import { isLong, startRig } from "./rig.js";

let fleet: Fleet;
/** The path of the database server's files. */
let folder: string;
let instance: Instance;
let tenant: Tenant;
beforeAll(async () => {
  const database = await startDatabase();
  ({ folder } = database);
  fleet = await startProxiedFleet(1, async () => database);
  instance = fleet.instances[0] as Instance;
  tenant = await fleet.newTenant("Trouble");
});
afterAll(() => fleet.leave());

/** Requests must not wait for a database that is down. The limit is far above what they take. */
const boundMs = 60_000;

function batchOf(prefix: string): unknown {
  const transactions = Array.from({ length: 5 }, (_, index) => ({
    transactionId: `${prefix}-${index}`,
    locationUuid: tenant.locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
    vehicle: { licensePlate: `${prefix} ${index}` },
  }));
  return { transactions };
}

const importBatch = (body: unknown): Promise<Answer> =>
  instance.service.send("/integrations/transactions", { key: tenant.key, body });
const read = (pathname: string): Promise<Answer> => instance.service.send(pathname, { key: tenant.key });

function expectFailedAsAWhole(answer: Answer): void {
  expect(answer.status, answer.text).toBe(500);
  expect(answer.json).toMatchObject({ status: 2, totalSubmitted: 5, failedCount: 5 });
  expect(answer.json.referenceUuid).toMatch(/^[0-9a-f-]{36}$/);
  for (const result of answer.json.results) expect(result).toMatchObject({ status: 4, reasonCode: 99 });
}

/** The failed run is in the history, its records are not stored, and sending it again stores them. */
async function expectHealed(failed: Answer, body: unknown): Promise<void> {
  const { referenceUuid } = failed.json;
  await until(async () => (await read(`/integrations/imports/${referenceUuid}`)).status === 200);
  expect((await read(`/integrations/imports/${referenceUuid}`)).json).toEqual(failed.json);
  const replay = await importBatch(body);
  expect(replay.json, replay.text).toMatchObject({
    status: 1,
    successCount: 5,
    createdEntities: { vehicles: 5 },
  });
  expect((await fleet.gatehouse("verify")).json).toMatchObject({ ok: true });
}

// First, while the table is still empty: see below.
/** @covers R199, R200 */
test("disk full during a batch: 500 with the run, reads continue, and it recovers without a restart", async () => {
  const rig = startRig("disk full");
  const { pid } = instance.service;
  const body = batchOf("FULL");
  const freeSpace = await fillDisk("transactions");
  const failed = await importBatch(body);
  expectFailedAsAWhole(failed);
  expect(JSON.stringify(instance.service.log())).toContain("No space left on device");
  expect((await read("/integrations/imports")).status).toBe(200);
  await freeSpace();
  await expectHealed(failed, body);
  expect(instance.service.pid).toBe(pid);
  rig.held({ "records that failed": 5, "records stored by the replay": 5 });
});

/**
 * Makes the operating system report "no space left" (ENOSPC) when PostgreSQL extends the table, without the
 * rights to mount a small disk: the empty file of the table becomes the device that is always full.
 */
async function fillDisk(table: string): Promise<() => Promise<void>> {
  const { database } = fleet;
  const [{ size, file }] = await database.query(
    "select pg_relation_size($1)::int as size, pg_relation_filepath($1) as file",
    [table],
  );
  expect(size).toBe(0);
  const absolute = path.join(folder, "postgres", file);
  const closeFiles = (): Promise<unknown> =>
    database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'gatehouse%'",
    );
  await rename(absolute, `${absolute}.aside`);
  await symlink("/dev/full", absolute);
  await closeFiles();
  return async () => {
    await unlink(absolute);
    await rename(`${absolute}.aside`, absolute);
    await closeFiles();
  };
}

/** @covers R199, R200 */
test("database lost during a batch: 500 with the run, reads get 503, and it recovers without a restart", async () => {
  const rig = startRig("database gone");
  const { pid } = instance.service;
  const body = batchOf("GONE");
  // Holds the organization's row, so that the import is running when the server stops.
  const holder = new pg.Client({ connectionString: fleet.database.connectionString });
  holder.on("error", () => undefined);
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from import_turns where organization_id = $1 for update", [
    tenant.organizationUuid,
  ]);
  const answering = importBatch(body);
  await until(async () => {
    const waiting = await fleet.database.query("select from pg_stat_activity where wait_event_type = 'Lock'");
    return waiting.length > 0;
  });

  const begunMs = performance.now();
  await fleet.database.crash();
  const failed = await answering;
  const answeredMs = performance.now() - begunMs;
  expectFailedAsAWhole(failed);
  for (const pathname of ["/integrations/imports", "/integrations/locations", "/readyz"]) {
    const answer = await read(pathname);
    expect(answer.status, pathname).toBe(503);
    expect(answer.headers["retry-after"], pathname).toBeDefined();
  }
  expect((await importBatch(body)).status).toBe(503);
  expect((await read("/livez")).status).toBe(200);
  if (isLong) expect(performance.now() - begunMs).toBeLessThan(boundMs);

  await fleet.database.start();
  await until(() => instance.isReady());
  await expectHealed(failed, body);
  expect(instance.service.pid).toBe(pid);
  rig.held({ "answered after ms": Math.round(answeredMs), "records stored by the replay": 5 });
});
