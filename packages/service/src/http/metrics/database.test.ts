import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FastifyInstance } from "fastify";
import { openGateway, type Gateway } from "../../../testing/gateway.js";
import { useApp } from "../../../testing/harness.js";
import { sampleOf } from "../../../testing/metric-samples.js";
import { buildApp } from "../../app.js";
import { openDatabase, type Database } from "../../database/pool.js";

const gatehouse = useApp();
let gateway: Gateway;
let database: Database;
let app: FastifyInstance;
let isGivenUp = false;

beforeAll(async () => {
  gateway = await openGateway(gatehouse.connectionString);
  database = openDatabase({ connectionString: gateway.connectionString, workConnections: 2 });
  app = await buildApp({
    config: gatehouse.config,
    database,
    logger: pino({ level: "silent" }),
    isDatabaseGivenUp: () => isGivenUp,
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
  await gateway.close();
});

const databaseUp = () => sampleOf(app, "gatehouse_database_up");

test("gatehouse_database_up falls to 0 when the database is gone and returns to 1 with it", async () => {
  expect(await databaseUp()).toBe(1);
  gateway.cut();
  await expect.poll(databaseUp).toBe(0);
  gateway.restore();
  await expect.poll(databaseUp).toBe(1);
});

test("a database that takes connections and says nothing is not up, and a scrape does not wait for it", async () => {
  gateway.stall();
  await expect.poll(databaseUp).toBe(0);
  // However many scrapes there are, the hung one is the only question.
  await Promise.all(Array.from({ length: 10 }, databaseUp));
  expect(database.gate.totalCount + database.gate.waitingCount).toBeLessThanOrEqual(1);
  gateway.restore();
  await expect.poll(databaseUp).toBe(1);
});

test("gatehouse_embedded_database_given_up says when nobody tries to bring the database back any more", async () => {
  expect(await sampleOf(app, "gatehouse_embedded_database_given_up")).toBe(0);
  isGivenUp = true;
  expect(await sampleOf(app, "gatehouse_embedded_database_given_up")).toBe(1);
});
