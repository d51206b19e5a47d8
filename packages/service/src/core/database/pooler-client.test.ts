import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";
import { startStrictPooler, type StrictPooler } from "../../../testing/strict-pooler.js";
import { buildApp } from "../../app.js";
import { readConfig } from "../config.js";
import { connectionAdvice } from "./connection-refusals.js";
import { openDatabase, poolNames, type Database } from "./pool.js";
import { transaction } from "./transaction.js";

const gatehouse = useApp();
let pooler: StrictPooler;
let database: Database;

beforeAll(async () => {
  pooler = await startStrictPooler(gatehouse.connectionString);
  database = openDatabase({
    connectionString: pooler.connectionString,
    workConnections: 2,
    isBehindPooler: true,
  });
});
afterAll(async () => {
  await database.close();
  await pooler.close();
});

test("without GATEHOUSE_DATABASE_POOLER, the service does not start on a pooler, and says what to set", async () => {
  const unaware = openDatabase({ connectionString: pooler.connectionString, workConnections: 1 });
  const error: unknown = await unaware.work.query("select 1").catch((thrown: unknown) => thrown);
  await unaware.close();
  expect(connectionAdvice(error)).toMatch(
    /unsupported startup parameter.*GATEHOUSE_DATABASE_POOLER=transaction/,
  );
});

test("imports, replays, rejected records, leads and lists work without a session", async () => {
  const partner = await importer(gatehouse);
  const { apiKey, organizationId } = partner;
  const app = await buildApp({
    config: { ...readConfig({}), trustedProxies: ["127.0.0.1"], secretKey: Buffer.alloc(32, 7) },
    database,
    logger: pino({ level: "silent" }),
    maxEventLoopDelayMs: 0,
  });
  const send = async (method: "GET" | "POST", url: string, payload?: object) => {
    const answer = await app.inject({
      method,
      url,
      headers: { "x-forwarded-proto": "https", "x-api-key": apiKey },
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: answer.statusCode, json: answer.json() };
  };
  const { work } = gatehouse.database;
  await work.query("alter table transactions add constraint no_poison check (card_type <> 'poison')");
  try {
    const transactions = [
      partner.transaction("T-1", { account: { tpReferenceId: "A-1", name: "Acme" } }),
      partner.transaction("T-2", { cardType: "poison" }),
      partner.transaction("T-3", { type: 77 }),
    ];
    for (const [created, skipped] of [
      [1, 0],
      [0, 1],
    ]) {
      const { status, json } = await send("POST", "/integrations/transactions", { transactions });
      expect([status, json.successCount, json.skippedCount, json.failedCount]).toEqual([
        200,
        created,
        skipped,
        2,
      ]);
      expect((await send("GET", `/integrations/imports/${json.referenceUuid}`)).json).toEqual(json);
    }
    expect((await send("GET", "/integrations/locations")).status).toBe(200);
    expect((await send("GET", "/integrations/imports")).json.data).toHaveLength(2);
    const { rows } = await work.query("select from transactions where organization_id = $1", [
      organizationId,
    ]);
    expect(rows).toHaveLength(1);
  } finally {
    await work.query("alter table transactions drop constraint no_poison");
    await app.close();
  }
});

test("a transaction has the usual timeouts and leaves no settings behind", async () => {
  const read = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
                       current_setting('idle_in_transaction_session_timeout') as idle`;
  for (const name of poolNames) {
    const { rows: usual } = await gatehouse.database[name].query(read);
    const within = await transaction(database[name], async (client) => (await client.query(read)).rows);
    expect(within, name).toEqual(usual);
    expect((await database[name].query(read)).rows, name).toEqual([{ statement: "0", lock: "0", idle: "0" }]);
  }
});
