import { operationNames, operations, type OperationName } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sendTo, useApp, type Answer, type Tenant } from "../../../testing/harness.js";
import { loadedColumns } from "../organizations/settings.js";
import { admitByKey } from "./admission.js";
import { recordStatements } from "../../../testing/statements.js";
import { buildApp } from "../../app.js";
import { createApiKey, revokeApiKey } from "../organizations/api-keys.js";

const gatehouse = useApp({ limits: {} });
const names = operationNames.filter((name) => operations[name].limit.per === "organization");

/** A request that is cheap to answer: reads find nothing, batches are malformed. */
function request(name: OperationName, key: string, app = gatehouse.app): Promise<Answer> {
  const { method, path } = operations[name];
  return sendTo(app, {
    method,
    url: path.replace(/:\w+/, "01a1dd0e-c298-72ae-9b8a-14211f028ea1"),
    key,
    ...(method === "POST" ? { payload: "{", headers: { "content-type": "application/json" } } : {}),
  });
}

/** More instances of the service on the same database, with empty caches. */
let second: FastifyInstance;
let third: FastifyInstance;
beforeAll(async () => {
  const { config, database } = gatehouse;
  const build = () =>
    buildApp({ config, database, logger: pino({ level: "silent" }), maxEventLoopDelayMs: 0 });
  [second, third] = [await build(), await build()];
});
afterAll(async () => {
  await Promise.all([second.close(), third.close()]);
});

/** Fills a bucket except for a few requests, without sending each one. */
async function use(name: OperationName, { organizationId }: Tenant, requests: number): Promise<void> {
  await gatehouse.database.gate.query(
    `insert into rate_limits (bucket, moments, counts, accepted, expires_at)
     select $1, array_agg(clock_timestamp()), array_agg(1), 1, clock_timestamp() + interval '1 minute'
     from generate_series(1, $2) on conflict (bucket) do update set moments = excluded.moments, counts = excluded.counts`,
    [`${name}:${organizationId}`, requests],
  );
}

async function pass(name: OperationName, { organizationId }: Tenant, seconds: number): Promise<void> {
  await gatehouse.database.gate.query(
    `update rate_limits set moments = array(
       select moment - make_interval(secs => $2) from unnest(moments) as moment order by 1
     ) where bucket = $1`,
    [`${name}:${organizationId}`, seconds],
  );
}

/** @covers R260-R262, R265, R266 */
test("the default limits allow 60 writes and 300 reads per 60 seconds and organization, and 600 pieces of files", () => {
  const table = Object.fromEntries(
    operationNames.map((name) => [name, Object.values(operations[name].limit).join(" ")]),
  );
  expect(table).toEqual({
    submitLead: "5 60 address",
    importTransactions: "60 60 organization",
    importAccounts: "60 60 organization",
    importSubscriptions: "60 60 organization",
    listLocations: "300 60 organization",
    listImports: "300 60 organization",
    getImport: "300 60 organization",
    validateTransactions: "60 60 organization",
    validateAccounts: "60 60 organization",
    validateSubscriptions: "60 60 organization",
    listMappings: "300 60 organization",
    createUpload: "60 60 organization",
    sendUploadPiece: "600 60 organization",
    startUpload: "60 60 organization",
    getUpload: "300 60 organization",
    listUploads: "300 60 organization",
    listUploadOutcomes: "300 60 organization",
    downloadUploadFailures: "60 60 organization",
    cancelUpload: "60 60 organization",
    removeUpload: "60 60 organization",
  });
});

/** @covers R260-R262, R265, R273, R274, reading 42 */
test.each(["importTransactions", "importAccounts", "importSubscriptions", "listLocations"] as const)(
  "%s: every allowed request is accepted, and the next one is rejected",
  async (name) => {
    const { apiKey } = await gatehouse.tenant();
    const { requests } = operations[name].limit;
    for (let sent = 1; sent <= requests; sent += 1) {
      const answer = await request(name, apiKey);
      expect(answer.status).toBe(operations[name].method === "POST" ? 400 : 200);
      expect(answer.headers).toMatchObject({
        "x-ratelimit-limit": String(requests),
        "x-ratelimit-remaining": String(requests - sent),
      });
    }
    expect((await request(name, apiKey)).status).toBe(429);
  },
);

describe.each(names)("%s", (name) => {
  const { requests } = operations[name].limit;

  /** @covers R270, R271, R275 */
  test("a rejection has the specified body and headers", async () => {
    const tenant = await gatehouse.tenant();
    await use(name, tenant, requests);
    const answer = await request(name, tenant.apiKey);
    expect(answer.status).toBe(429);
    expect(answer.json).toEqual({
      success: false,
      message: "Too many requests",
      retryAfter: 60,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "retry-after": "60",
      "x-ratelimit-limit": String(requests),
      "x-ratelimit-remaining": "0",
    });
    const reset = Number(answer.headers["x-ratelimit-reset"]) - Date.now() / 1000;
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(61);
  });

  /** @covers R276 */
  test("requests are accepted again one by one as earlier ones leave the window", async () => {
    const tenant = await gatehouse.tenant();
    await use(name, tenant, requests - 1);
    await pass(name, tenant, 30);
    expect((await request(name, tenant.apiKey)).status).not.toBe(429);
    expect((await request(name, tenant.apiKey, second)).status).toBe(429);
    await pass(name, tenant, 31);
    const answer = await request(name, tenant.apiKey, third);
    expect(answer.status).not.toBe(429);
    // The request from half a window later still counts.
    expect(answer.headers["x-ratelimit-remaining"]).toBe(String(requests - 2));
  });

  /** @covers R264, R269 */
  test("other organizations and operations are not affected", async () => {
    const [tenant, other] = [await gatehouse.tenant(), await gatehouse.tenant()];
    await use(name, tenant, requests);
    expect((await request(name, tenant.apiKey)).status).toBe(429);
    const untouched = await request(name, other.apiKey);
    expect(untouched.headers["x-ratelimit-remaining"]).toBe(String(requests - 1));
    for (const another of names.filter((candidate) => candidate !== name)) {
      const answer = await request(another, tenant.apiKey);
      expect(answer.status, another).not.toBe(429);
    }
  });
});

/** @covers R263 */
test("two keys of an organization share its limit across instances", async () => {
  const tenant = await gatehouse.tenant();
  const another = await createApiKey(gatehouse.database.work, {
    organizationId: tenant.organizationId,
    name: "another",
    actor: "test",
  });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_none, index) =>
      request(
        "importAccounts",
        index % 2 === 0 ? tenant.apiKey : another.key,
        index % 3 === 0 ? second : gatehouse.app,
      ),
    ),
  );
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(60);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
  const left = answers
    .filter(({ status }) => status === 400)
    .map(({ headers }) => headers["x-ratelimit-remaining"]);
  expect(new Set(left).size).toBe(60);
});

test("requests answered 400 count; those answered 401, 403 or 429 do not", async () => {
  const tenant = await gatehouse.tenant();
  const remaining = async () =>
    Number((await request("importAccounts", tenant.apiKey)).headers["x-ratelimit-remaining"]);
  expect(await remaining()).toBe(59);
  const { key } = await createApiKey(gatehouse.database.work, {
    organizationId: tenant.organizationId,
    name: "reads only",
    permissions: ["locations:read"],
    actor: "test",
  });
  expect((await request("importAccounts", key)).status).toBe(403);
  expect((await request("importAccounts", "bad")).status).toBe(401);
  expect(await remaining()).toBe(58);
});

/** @covers R277 */
test("a rejected import stores nothing", async () => {
  const tenant = await gatehouse.tenant();
  await use("importAccounts", tenant, 60);
  const answer = await gatehouse.post("/integrations/accounts", tenant.apiKey, {
    accounts: [{ tpReferenceId: "A-1", name: "Acme" }],
  });
  expect(answer.status).toBe(429);
  const { rows } = await gatehouse.database.work.query(
    `select from accounts where organization_id = $1
     union all select from import_runs where organization_id = $1`,
    [tenant.organizationId],
  );
  expect(rows).toEqual([]);
});

describe("a flood", () => {
  // The clock is fake, so that a slow machine does not add time.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  test("a thousand rejections cause one query per second", async () => {
    const tenant = await gatehouse.tenant();
    await use("listLocations", tenant, 300);
    await request("listLocations", tenant.apiKey);
    const { sent, stop } = recordStatements();
    const question = admitByKey(loadedColumns("imports"));
    const questions = () => sent.filter(({ text }) => text === question).length;
    for (let second = 0; second < 4; second += 1) {
      for (let round = 0; round < 5; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => request("listLocations", tenant.apiKey)),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
      }
      expect(questions()).toBe(second);
      vi.advanceTimersByTime(1_000);
    }
    stop();
  });

  test("a flood with a revoked key is noticed within a second", async () => {
    const tenant = await gatehouse.tenant();
    const doomed = await createApiKey(gatehouse.database.work, {
      organizationId: tenant.organizationId,
      name: "doomed",
      actor: "test",
    });
    await use("importAccounts", tenant, 60);
    expect((await request("importAccounts", doomed.key)).status).toBe(429);
    await revokeApiKey(gatehouse.database.work, { keyId: doomed.uuid, actor: "test" });
    vi.advanceTimersByTime(999);
    expect((await request("importAccounts", doomed.key)).status).toBe(429);
    vi.advanceTimersByTime(1);
    expect((await request("importAccounts", doomed.key)).status).toBe(401);
    expect((await request("importAccounts", doomed.key)).status).toBe(401);
    expect((await request("importAccounts", tenant.apiKey)).status).toBe(429);
  });
});

test("a key that another instance revoked, or that expired, does not count from that moment", async () => {
  const tenant = await gatehouse.tenant();
  const key = await createApiKey(gatehouse.database.work, {
    organizationId: tenant.organizationId,
    name: "short-lived",
    actor: "test",
  });
  for (const app of [gatehouse.app, second])
    expect((await request("listLocations", key.key, app)).status).toBe(200);
  await revokeApiKey(gatehouse.database.work, { keyId: key.uuid, actor: "test" });
  for (const app of [gatehouse.app, second])
    expect((await request("listLocations", key.key, app)).status).toBe(401);
});

describe("with GATEHOUSE_LIMITS", () => {
  const overridden = useApp({
    limits: {
      listLocations: { requests: 2, windowSeconds: 3600 },
      importAccounts: { requests: 700, windowSeconds: 60 },
    },
  });

  test("GATEHOUSE_LIMITS replaces the default limit of each operation that it names", async () => {
    const { apiKey } = await overridden.tenant();
    const first = await request("listLocations", apiKey, overridden.app);
    expect(first.headers).toMatchObject({ "x-ratelimit-limit": "2", "x-ratelimit-remaining": "1" });
    expect(Number(first.headers["x-ratelimit-reset"]) - Date.now() / 1000).toBeGreaterThan(3590);
    await request("listLocations", apiKey, overridden.app);
    expect((await request("listLocations", apiKey, overridden.app)).status).toBe(429);
    const imports = await request("listImports", apiKey, overridden.app);
    expect(imports.headers["x-ratelimit-limit"]).toBe("300");
  });

  test("a limit above the exact range is never exceeded", async () => {
    const { apiKey } = await overridden.tenant();
    const answers: Answer[] = [];
    for (let round = 0; round < 15; round += 1)
      answers.push(
        ...(await Promise.all(
          Array.from({ length: 50 }, () => request("importAccounts", apiKey, overridden.app)),
        )),
      );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(700);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50);
  });
});
