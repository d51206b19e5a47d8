import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFaultProxy, type FaultProxy } from "../../testing/fault-proxy.js";
import { sendTo, useApp, type Answer } from "../../testing/harness.js";
import { importer, type Importer } from "../../testing/importer.js";
import { sampleOf } from "../../testing/metric-samples.js";
import { buildApp } from "../app.js";
import { openDatabase, type Database } from "../database/pool.js";

// The service under test reaches its database through a proxy; `gatehouse` is a healthy instance beside it.
const gatehouse = useApp();
let proxy: FaultProxy;
let database: Database;
let app: FastifyInstance;

beforeAll(async () => {
  proxy = await startFaultProxy(gatehouse.connectionString);
  database = openDatabase({ connectionString: proxy.connectionString, workConnections: 3 });
  // Keys and limits are looked up directly: it is the import that is spoiled, not the way to it.
  const parts = { work: database.work, gate: gatehouse.database.gate, close: async () => undefined };
  app = await buildApp({ config: gatehouse.config, database: parts, logger: pino({ level: "silent" }) });
});
afterAll(async () => {
  await app.close();
  await database.close();
  await proxy.close();
});

const unknownEnds = () => sampleOf(app, "gatehouse_runs_unknown_end_total");

function post(partner: Importer, transactionId: string): Promise<Answer> {
  return sendTo(app, {
    method: "POST",
    url: "/integrations/transactions",
    key: partner.apiKey,
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ transactions: [partner.transaction(transactionId)] }),
  });
}

/** An import's last step is its commit. */
async function stepsOfImport(partner: Importer): Promise<number> {
  proxy.spoil(Number.MAX_SAFE_INTEGER, "failed", false);
  expect((await post(partner, "healthy")).status).toBe(200);
  return proxy.heal().steps;
}

test("a run whose commit brought no answer is counted if nobody can say how it ended, and only then", async () => {
  const partner = await importer(gatehouse);
  const commit = await stepsOfImport(partner);
  expect(await unknownEnds()).toBe(0);

  // The database is asked, and says that the commit has arrived.
  proxy.spoil(commit, "cut after", false);
  expect(await post(partner, "settled")).toMatchObject({ status: 200, json: { successCount: 1 } });
  proxy.heal();
  expect(await unknownEnds()).toBe(0);

  // The commit arrives, but its answer is lost and the database with it.
  proxy.spoil(commit, "cut after", true);
  expect(await post(partner, "unknown")).toMatchObject({ status: 500, json: { failedCount: 1 } });
  proxy.heal();
  expect(await unknownEnds()).toBe(1);
  expect(await post(partner, "unknown")).toMatchObject({ status: 200, json: { skippedCount: 1 } });
  expect(await unknownEnds()).toBe(1);
});
