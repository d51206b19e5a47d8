import type pg from "pg";
import { expect, test } from "vitest";
import { signedIn, type Visitor } from "../../../testing/console.js";
import { sendTo, useApp, type Answer } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { buildApp } from "../../app.js";
import { openDatabase, type PoolName } from "../database/pool.js";
import { Reads } from "./serializers.js";

// Writes, reads and the console have separate connection pools. A request that finds no free connection gets 503 with
// Retry-After, and has no effect.
const gatehouse = useApp();

/** Holds every connection of a pool, like slow statements, while `work` runs. */
async function without<T>(name: PoolName, work: () => Promise<T>): Promise<T> {
  const pool = gatehouse.database[name];
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const patienceMs = pool.options.connectionTimeoutMillis;
  // No connection is released meanwhile.
  pool.options.connectionTimeoutMillis = 200;
  try {
    return await work();
  } finally {
    pool.options.connectionTimeoutMillis = patienceMs;
    for (const client of taken) client.release();
  }
}

/** One request of each kind at the same moment. */
async function everything(partner: Importer, viewer: Visitor, reference: string) {
  const { apiKey, organizationId, locationUuid } = partner;
  const [imported, lead, list, run, locations, page] = await Promise.all([
    partner.post("accounts", { accounts: [{ tpReferenceId: reference, name: "Acme" }] }),
    gatehouse.post("/lead/submit", apiKey, { email: "jo@example.com", locationUuid }),
    gatehouse.send({ url: "/integrations/imports", key: apiKey }),
    gatehouse.send({ url: `/integrations/imports/${organizationId}`, key: apiKey }),
    gatehouse.send({ url: "/integrations/locations", key: apiKey }),
    viewer.get(`/organizations/${organizationId}/runs`),
  ]);
  return { stored: [imported, lead], read: [list, run, locations], console: [page] };
}

const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status);

function expectBusy(answers: Answer[]): void {
  for (const answer of answers) {
    expect(answer.status, answer.text).toBe(503);
    expect(answer.headers["retry-after"]).toBe("5");
    expect(answer.json).toMatchObject({ success: false, errors: [expect.any(String)] });
  }
}

async function visited(): Promise<[Importer, Visitor]> {
  const partner = await importer(gatehouse);
  return [partner, await signedIn(gatehouse, "viewer", partner.organizationId)];
}

test("endless reads take no connection from writes or the console", async () => {
  const [partner, viewer] = await visited();
  const answers = await without("reads", () => everything(partner, viewer, "A-1"));
  expect(statusesOf([...answers.stored, ...answers.console])).toEqual([200, 200, 200]);
  expectBusy(answers.read);
  expect(answers.read[0]?.json.message).toBe("The service is busy");
});

test("a console without free connections does not affect the API", async () => {
  const [partner, viewer] = await visited();
  const answers = await without("console", () => everything(partner, viewer, "A-1"));
  expect(statusesOf([...answers.stored, ...answers.read])).toEqual([200, 200, 200, 404, 200]);
  expectBusy(answers.console);
});

test("an import without a free connection gets 503 with Retry-After and is not recorded", async () => {
  const [partner, viewer] = await visited();
  const answers = await without("work", () => everything(partner, viewer, "A-1"));
  expect(statusesOf([...answers.read, ...answers.console])).toEqual([200, 404, 200, 200]);
  expectBusy(answers.stored);
  expect(answers.stored[0]?.json.message).toBe("The service is busy");
  expect(await partner.count("import_runs")).toBe(0);
  const validated = await without("work", () =>
    partner.post("accounts/validate" as never, { accounts: [{}] }),
  );
  expectBusy([validated]);
});

test("an import whose organization stays locked gets 503 and is not recorded", async () => {
  const partner = await importer(gatehouse);
  const { config, connectionString } = gatehouse;
  const database = openDatabase({ connectionString, workConnections: 2 });
  const app = await buildApp({ config, database, logger: gatehouse.app.log, maxLockWaitMs: 200 });
  const holder = await gatehouse.database.work.connect();
  await holder.query("begin");
  await holder.query("select from import_turns where organization_id = $1 for update", [
    partner.organizationId,
  ]);
  const answer = await sendTo(app, {
    method: "POST",
    url: "/integrations/accounts",
    key: partner.apiKey,
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ accounts: [{ tpReferenceId: "A-1", name: "Acme" }] }),
  });
  expectBusy([answer]);
  await holder.query("rollback");
  holder.release();
  expect(await partner.count("import_runs")).toBe(0);
  await app.close();
  await database.close();
});

test("an organization with slow reads leaves half of the connections to the others", async () => {
  const reads = new Reads({ options: { max: 4 } } as pg.Pool);
  let finish: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (finish = resolve));
  let begun = 0;
  const greedy = Array.from({ length: 10 }, () =>
    reads.run("greedy", () => {
      begun += 1;
      return slow;
    }),
  );
  expect(await reads.run("modest", async () => "answered")).toBe("answered");
  expect(begun).toBe(2);
  finish();
  await Promise.all(greedy);
  expect(begun).toBe(10);
});
