import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../running-service.js";
import { startFleet, type Fleet, type Instance, type Tenant } from "./fleet.js";
import { amount, startRig } from "./rig.js";

const rounds = amount(2, 20);
const clients = 6;

let fleet: Fleet;
let instance: Instance;
let tenant: Tenant;
beforeAll(async () => {
  fleet = await startFleet(1);
  instance = fleet.instances[0] as Instance;
  tenant = await fleet.newTenant("Shutdown");
});
afterAll(() => fleet.leave());

let lastNumber = 0;
function newBatch(): { keys: string[]; body: unknown } {
  const keys = Array.from({ length: 5 }, () => `A-${(lastNumber += 1)}`);
  return { keys, body: { accounts: keys.map((tpReferenceId) => ({ tpReferenceId, name: "Acme" })) } };
}

/** On a new connection, to see whether the service still accepts one. */
function importOnce(body: unknown) {
  return instance.service.send("/integrations/accounts", { key: tenant.key, body, agent: false });
}

test("SIGTERM while imports wait in the database: they are answered, new ones are rejected, exit 0", async () => {
  const holder = new pg.Client({ connectionString: fleet.database.connectionString });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from import_turns where organization_id = $1 for update", [
    tenant.organizationUuid,
  ]);
  // The first waits in the database, the others wait for the first.
  const batches = [newBatch(), newBatch(), newBatch()];
  const answers = batches.map(({ body }) => importOnce(body));
  await until(async () => {
    const waiting = await fleet.database.query("select from pg_stat_activity where wait_event_type = 'Lock'");
    return waiting.length > 0;
  });
  await until(async () => {
    const [taken] = await fleet.database.query(
      "select sum(count)::int as requests from rate_limits, unnest(counts) as count where bucket = $1",
      [`importAccounts:${tenant.organizationUuid}`],
    );
    return taken.requests === batches.length;
  });

  instance.service.kill("SIGTERM");
  await until(() =>
    importOnce(newBatch().body).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === "ECONNREFUSED",
    ),
  );
  await holder.query("commit");
  await holder.end();
  for (const answer of await Promise.all(answers)) {
    expect(answer).toMatchObject({ status: 200, headers: { connection: "close" } });
    expect(answer.json).toMatchObject({ status: 1, successCount: 5 });
  }
  expect(await instance.service.ended).toEqual({ exitCode: 0, signal: null });
  await instance.start();
});

test("SIGTERM at any moment: every request is answered, or was never accepted and stored nothing", async () => {
  const rig = startRig("shutdown");
  let answered = 0;
  let refused = 0;
  for (let round = 0; round < rounds; round += 1) {
    const dropped: string[] = [];
    const acknowledged: string[] = [];
    const working = Promise.all(
      Array.from({ length: clients }, async () => {
        for (let isUp = true; isUp;) {
          const { keys, body } = newBatch();
          const status = await importOnce(body).then(
            (answer) => answer.status,
            () => undefined,
          );
          (status === 200 ? acknowledged : dropped).push(...keys);
          isUp = status === 200;
        }
      }),
    );
    await sleep(rig.random.between(100, 400));
    instance.service.kill("SIGTERM");
    await working;
    expect(await instance.service.ended).toEqual({ exitCode: 0, signal: null });
    const rows = await fleet.database.query("select tp_reference_id as key from accounts");
    const stored = new Set(rows.map(({ key }) => key));
    expect(dropped.filter((key) => stored.has(key))).toEqual([]);
    expect(acknowledged.filter((key) => !stored.has(key))).toEqual([]);
    answered += acknowledged.length / 5;
    refused += dropped.length / 5;
    await instance.start();
  }
  expect((await fleet.gatehouse("verify")).json).toMatchObject({ ok: true });
  rig.held({ shutdowns: rounds + 1, "requests answered": answered, "requests refused": refused });
});
