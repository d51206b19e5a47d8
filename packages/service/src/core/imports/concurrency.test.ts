import type { ImportRun } from "@gatehouse-parking/contract";
import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { FastifyInstance } from "fastify";
import { buildApp } from "../../app.js";
import { readConfig } from "../config.js";
import type { Database } from "../database/pool.js";
import { openPatientDatabase, useApp } from "../../../testing/harness.js";
import { expectConsistent, importer, type Importer } from "../../../testing/importer.js";
import { waitingForLocks } from "../../../testing/waiting-for-locks.js";

const gatehouse = useApp();

/** A second instance of the service on the same database. */
let second: FastifyInstance;
let secondDatabase: Database;
beforeAll(async () => {
  secondDatabase = openPatientDatabase({ connectionString: gatehouse.connectionString, workConnections: 8 });
  const unlimited = { requests: 100_000, windowSeconds: 60 };
  second = await buildApp({
    config: {
      ...readConfig({}),
      trustedProxies: ["127.0.0.1"],
      limits: { importTransactions: unlimited, importAccounts: unlimited, importSubscriptions: unlimited },
      secretKey: Buffer.alloc(32, 7),
    },
    database: secondDatabase,
    logger: pino({ level: "silent" }),
    maxEventLoopDelayMs: 0,
  });
  await second.ready();
});
afterAll(async () => {
  await second.close();
  await secondDatabase.close();
});

async function send(app: FastifyInstance, partner: Importer, transactions: unknown[]): Promise<ImportRun> {
  const answer = await app.inject({
    method: "POST",
    url: "/integrations/transactions",
    headers: {
      "x-forwarded-proto": "https",
      "x-api-key": partner.apiKey,
      "content-type": "application/json",
    },
    payload: JSON.stringify({ transactions }),
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const run = JSON.parse(answer.body) as ImportRun;
  expectConsistent(run, "transactions", transactions.length);
  return run;
}

/** Each key is Created once over all runs and has the same uuid everywhere else, and entities are counted once. */
async function expectExactlyOnce(partner: Importer, runs: ImportRun[], keys: Set<string>): Promise<void> {
  const created = new Map<string, string>();
  const results = runs.flatMap((run) => run.results);
  for (const result of results.filter(({ status }) => status === 1)) {
    expect(created.has(result.reference), result.reference).toBe(false);
    created.set(result.reference, result.uuid as string);
  }
  expect(new Set(created.keys())).toEqual(keys);
  for (const result of results) {
    expect(result).toMatchObject({ uuid: created.get(result.reference) });
    expect([1, 3]).toContain(result.status);
  }
  expect(await partner.count("transactions")).toBe(keys.size);
  for (const table of ["accounts", "contacts", "vehicles", "subscriptions"] as const) {
    const counted = runs.reduce((sum, run) => sum + run.createdEntities[table], 0);
    expect(counted, table).toBe(await partner.count(table));
  }
}

const record = (partner: Importer, index: number) =>
  partner.transaction(`T-${index}`, {
    account: { tpReferenceId: `A-${index % 7}`, name: "Acme" },
    contact: { email: `p${index % 11}@example.com`, phoneNumber: `+1-55500${index % 5}` },
    vehicle: { licensePlate: `CAR ${index % 13}` },
    subscription: { tpReferenceId: `S-${index % 3}` },
  });
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

const batches: [string, (partner: Importer) => unknown[][]][] = [
  [
    "identical batches",
    (partner) => Array.from({ length: 6 }, () => range(0, 60).map((index) => record(partner, index))),
  ],
  [
    "batches in opposite order",
    (partner) =>
      Array.from({ length: 6 }, (_, turn) => {
        const records = range(0, 60).map((index) => record(partner, index));
        return turn % 2 === 0 ? records : records.toReversed();
      }),
  ],
  [
    "overlapping batches",
    (partner) =>
      range(0, 6).map((turn) => range(turn * 20, turn * 20 + 60).map((index) => record(partner, index))),
  ],
];

for (const [what, make] of batches) {
  for (const [where, apps] of [
    ["one instance", () => [gatehouse.app]],
    ["two instances on one database", () => [gatehouse.app, second]],
  ] as const) {
    /** @covers R67 */
    test(`${what} at once on ${where}: every key is Created exactly once, without errors`, async () => {
      const partner = await importer(gatehouse);
      const targets = apps();
      const bodies = make(partner);
      const runs = await Promise.all(
        bodies.map((body, index) => send(targets[index % targets.length] as FastifyInstance, partner, body)),
      );
      const keys = new Set(bodies.flat().map((sent) => (sent as { transactionId: string }).transactionId));
      await expectExactlyOnce(partner, runs, keys);
    });
  }
}

/** @covers R67 */
test("concurrent transactions, accounts and subscriptions create each shared entity once", async () => {
  const partner = await importer(gatehouse);
  const accounts = range(0, 7).map((index) => ({ tpReferenceId: `A-${index}`, name: "Acme" }));
  const post = (resource: "accounts" | "subscriptions", records: unknown[]) =>
    partner.post(resource, { [resource]: records });
  const [transactions, ...others] = await Promise.all([
    send(
      second,
      partner,
      range(0, 60).map((index) => record(partner, index)),
    ),
    post("accounts", accounts),
    post("accounts", accounts.toReversed()),
  ]);
  const accountRuns = others.map((answer) => answer.json as ImportRun);
  const counted =
    transactions.createdEntities.accounts + accountRuns.reduce((sum, run) => sum + run.successCount, 0);
  expect(counted).toBe(7);
  expect(await partner.count("accounts")).toBe(7);
  expect(accountRuns.every((run) => run.failedCount === 0)).toBe(true);
});

test("an import that waited for the lock skips the records that were stored meanwhile, with their uuids", async () => {
  const partner = await importer(gatehouse);
  const { organizationId } = partner;
  const before = await partner.importTransactions(partner.transaction("T-1"));
  const other = await secondDatabase.work.connect();
  onTestFinished(() => other.release(true));
  await other.query("begin");
  // If another transaction had already written the key, both would wait for each other.
  await other.query("set local deadlock_timeout = '10ms'");
  await other.query("select from import_turns where organization_id = $1 for update", [organizationId]);
  const waiting = partner.importTransactions(partner.transaction("T-2"));
  await expect.poll(() => waitingForLocks(gatehouse)).toBe(1);
  await other.query("update transactions set transaction_id = 'T-2' where organization_id = $1", [
    organizationId,
  ]);
  await other.query("commit");
  expect((await waiting).results).toMatchObject([{ status: 3, uuid: before.results[0]?.uuid }]);
});

test("the lock of one organization does not block imports of others", async () => {
  const busy = await importer(gatehouse);
  const free = await importer(gatehouse);
  const blocker = await secondDatabase.work.connect();
  await blocker.query("begin");
  await blocker.query("select from import_turns where organization_id = $1 for update", [
    busy.organizationId,
  ]);
  const waiting = busy.importTransactions(...range(0, 3).map((index) => record(busy, index)));
  const run = await free.importTransactions(...range(0, 3).map((index) => record(free, index)));
  expect(run.successCount).toBe(3);
  await blocker.query("rollback");
  blocker.release();
  expect((await waiting).successCount).toBe(3);
});
