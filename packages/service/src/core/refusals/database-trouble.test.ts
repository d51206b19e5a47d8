import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { openGateway, type Gateway } from "../../../testing/gateway.js";
import { sendTo, useApp, type Answer } from "../../../testing/harness.js";
import { buildApp } from "../../app.js";
import { openDatabase, type Database } from "../database/pool.js";
import { logSerializers } from "../logger.js";

const gatehouse = useApp();
const logged: Record<string, unknown>[] = [];
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  logged.length = 0;
});

/** A separate instance with its own connections and, optionally, shorter timeouts. */
async function instanceOn(
  connectionString: string,
  parameters: Record<string, string> = {},
): Promise<{ app: FastifyInstance; database: Database }> {
  const url = new URL(connectionString);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const database = openDatabase({ connectionString: url.href, workConnections: 4 });
  const logger = pino(
    { level: "debug", serializers: logSerializers },
    { write: (line: string) => void logged.push(JSON.parse(line)) },
  );
  const app = await buildApp({ config: gatehouse.config, database, logger, maxEventLoopDelayMs: 0 });
  cleanups.push(
    () => database.close(),
    () => app.close(),
  );
  return { app, database };
}

async function throughGateway(parameters?: Record<string, string>) {
  const gateway: Gateway = await openGateway(gatehouse.connectionString);
  cleanups.push(() => gateway.close());
  return { gateway, ...(await instanceOn(gateway.connectionString, parameters)) };
}

function expectUnavailable(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(answer.headers["retry-after"]).toBe("5");
  expect(answer.json).toEqual({
    success: false,
    message: "The database cannot be reached at the moment",
    errors: ["The database cannot be reached at the moment"],
    timestamp: expect.any(String),
  });
}

const batch = (reference: string) => ({
  method: "POST" as const,
  url: "/integrations/accounts",
  headers: { "content-type": "application/json" },
  payload: JSON.stringify({ accounts: [{ tpReferenceId: reference, name: "Acme" }] }),
});

test("without a database every operation gets 503, and the service recovers without a restart", async () => {
  const { apiKey } = await gatehouse.tenant();
  const { gateway, app } = await throughGateway();
  const list = () => sendTo(app, { url: "/integrations/locations", key: apiKey });
  expect((await list()).status).toBe(200);

  gateway.cut();
  expectUnavailable(await list());
  expectUnavailable(await sendTo(app, { ...batch("A-1"), key: apiKey }));
  expect((await sendTo(app, { url: "/livez" })).status).toBe(200);
  expect((await sendTo(app, { url: "/readyz" })).json).toEqual({
    status: "not ready",
    reason: "the database cannot be reached",
  });
  // Requests that need no database are still answered.
  expect((await sendTo(app, { url: "/integrations/locations" })).status).toBe(401);
  expect((await sendTo(app, { url: "/integrations/locations", key: "bad" })).status).toBe(401);
  const cause = logged.find(({ level, msg }) => level === 50 && msg === "request failed");
  expect(cause).toMatchObject({ reqId: expect.any(String), err: { message: expect.any(String) } });

  gateway.restore();
  expect((await list()).status).toBe(200);
  expect((await sendTo(app, { ...batch("A-1"), key: apiKey })).json.results).toMatchObject([{ status: 1 }]);
  await expect.poll(async () => (await sendTo(app, { url: "/readyz" })).json).toEqual({ status: "ready" });
});

test("a server that refuses connections causes a 503", async () => {
  const { apiKey } = await gatehouse.tenant();
  // The discard port is closed.
  const { app } = await instanceOn("postgres://user@127.0.0.1:9/none");
  expectUnavailable(await sendTo(app, { url: "/integrations/locations", key: apiKey }));
});

test("idle and busy connections that the server closes are replaced", async () => {
  const { apiKey } = await gatehouse.tenant();
  const { app, database } = await instanceOn(gatehouse.connectionString, { application_name: "doomed" });
  const list = () => sendTo(app, { url: "/integrations/locations", key: apiKey });
  await Promise.all(Array.from({ length: 8 }, list));
  expect(database.gate.totalCount).toBeGreaterThan(0);
  const terminate = async () => {
    const { rowCount } = await gatehouse.database.work.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'doomed'",
    );
    return rowCount;
  };
  const connections = () => database.gate.totalCount + database.work.totalCount;
  expect(await terminate()).toBeGreaterThan(0);
  await expect.poll(connections).toBe(0);
  expect((await list()).status).toBe(200);

  const locker = await gatehouse.database.work.connect();
  await locker.query("begin; lock table locations in access exclusive mode");
  const waiting = list();
  const isWaiting = async () => {
    const { rowCount } = await gatehouse.database.work.query(
      "select from pg_stat_activity where application_name = 'doomed' and wait_event_type = 'Lock'",
    );
    return rowCount;
  };
  await expect.poll(isWaiting).toBe(1);
  await terminate();
  expectUnavailable(await waiting);
  await expect.poll(connections).toBe(0);
  await locker.query("rollback");
  locker.release();
  expect((await list()).status).toBe(200);
});

test("a slow statement is cancelled, and its connection can be used again", async () => {
  const { apiKey } = await gatehouse.tenant();
  const { app } = await instanceOn(gatehouse.connectionString, { statement_timeout: "300" });
  const list = () => sendTo(app, { url: "/integrations/locations", key: apiKey });
  const locker = await gatehouse.database.work.connect();
  await locker.query("begin; lock table locations in access exclusive mode");
  expectUnavailable(await list());
  expect(logged.find(({ msg }) => msg === "request failed")?.["err"]).toMatchObject({ code: "57014" });
  await locker.query("rollback");
  locker.release();
  expect((await list()).status).toBe(200);
});

test("a server that accepts data but never answers causes a timeout", async () => {
  const { apiKey } = await gatehouse.tenant();
  const { gateway, app } = await throughGateway({ query_timeout: "300" });
  const list = () => sendTo(app, { url: "/integrations/locations", key: apiKey });
  expect((await list()).status).toBe(200);
  gateway.stall();
  expectUnavailable(await list());
  gateway.restore();
  expect((await list()).status).toBe(200);
});

test("closing the service succeeds without a database", async () => {
  const { apiKey } = await gatehouse.tenant();
  const { gateway, app } = await throughGateway();
  expect((await sendTo(app, { url: "/integrations/locations", key: apiKey })).status).toBe(200);
  gateway.cut();
  await app.close();
});

test("key checks time out sooner than writes, and reads first of all", async () => {
  const patienceOf = async (pool: Database["work"]) =>
    (await pool.query<{ statement_timeout: string }>("show statement_timeout")).rows[0]?.statement_timeout;
  expect(await patienceOf(gatehouse.database.gate)).toBe("10s");
  expect(await patienceOf(gatehouse.database.work)).toBe("30s");
  expect(await patienceOf(gatehouse.database.console)).toBe("10s");
  expect(await patienceOf(gatehouse.database.reads)).toBe("5s");
});
