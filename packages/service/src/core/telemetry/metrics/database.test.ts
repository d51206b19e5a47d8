import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FastifyInstance } from "fastify";
import { openGateway, type Gateway } from "../../../../testing/gateway.js";
import { useApp } from "../../../../testing/harness.js";
import { sampleOf } from "../../../../testing/metric-samples.js";
import { buildApp } from "../../../app.js";
import { openDatabase, type Database } from "../../database/pool.js";

const gatehouse = useApp();
let gateway: Gateway;
let database: Database;
let app: FastifyInstance;
let failedRestarts = 0;

beforeAll(async () => {
  gateway = await openGateway(gatehouse.connectionString);
  database = openDatabase({ connectionString: gateway.connectionString, workConnections: 2 });
  app = await buildApp({
    config: gatehouse.config,
    database,
    logger: pino({ level: "silent" }),
    failedDatabaseRestarts: () => failedRestarts,
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
  await gateway.close();
});

const databaseUp = () => sampleOf(app, "gatehouse_database_up");

test("gatehouse_database_up is 0 while the database is down and 1 when it is back", async () => {
  expect(await databaseUp()).toBe(1);
  gateway.cut();
  await expect.poll(databaseUp).toBe(0);
  gateway.restore();
  await expect.poll(databaseUp).toBe(1);
});

test("a database that accepts connections but does not answer is not up, and a scrape does not wait for it", async () => {
  gateway.stall();
  await expect.poll(databaseUp).toBe(0);
  // However many scrapes there are, only the hung query is open.
  await Promise.all(Array.from({ length: 10 }, databaseUp));
  expect(database.gate.totalCount + database.gate.waitingCount).toBeLessThanOrEqual(1);
  gateway.restore();
  await expect.poll(databaseUp).toBe(1);
});

test("gatehouse_embedded_database_failed_restarts and /readyz show failed restarts of the database", async () => {
  expect(await sampleOf(app, "gatehouse_embedded_database_failed_restarts")).toBe(0);
  failedRestarts = 17;
  gateway.cut();
  expect(await sampleOf(app, "gatehouse_embedded_database_failed_restarts")).toBe(17);
  const readiness = await app.inject({ url: "/readyz" });
  expect(readiness.statusCode).toBe(503);
  expect(readiness.json()).toEqual({
    status: "not ready",
    reason: "the embedded database does not start: 17 attempts have failed, and it is tried again",
  });
  failedRestarts = 0;
  await expect
    .poll(async () => (await app.inject({ url: "/readyz" })).json().reason)
    .toBe("the database cannot be reached");
  gateway.restore();
  await expect.poll(async () => (await app.inject({ url: "/readyz" })).statusCode).toBe(200);
});
