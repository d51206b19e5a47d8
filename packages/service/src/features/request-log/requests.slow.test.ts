import { maxBodyBytes } from "@gatehouse-parking/contract";
import type { LoggedRequest, RequestDetail, RequestsPage } from "@gatehouse-parking/contract/console";
import { describe, expect, onTestFinished, test } from "vitest";
import { signedIn } from "../../../testing/console.js";
import { sendTo, useApp, type Tenant } from "../../../testing/harness.js";
import { recordStatements } from "../../../testing/statements.js";
import { waitingForLocks } from "../../../testing/waiting-for-locks.js";
import { buildApp } from "../../app.js";
import { createApiKey, listApiKeys } from "../../core/organizations/api-keys.js";
import { uuidv7 } from "../../core/uuidv7.js";
import { maxEqualRefusals } from "./pending-lines.js";
import { RequestLogSweep } from "./sweep-request-log.js";

const gatehouse = useApp({
  limits: {
    listImports: { requests: 1, windowSeconds: 60 },
    submitLead: { requests: 2, windowSeconds: 60 },
  },
});
const account = { tpReferenceId: "A-1", name: "Acme" };

async function viewerOf({ organizationId }: Tenant) {
  const viewer = await signedIn(gatehouse, "viewer", organizationId);
  return async (query = ""): Promise<RequestsPage> => {
    const answer = await viewer.get(`/organizations/${organizationId}/requests${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json as RequestsPage;
  };
}

async function logOf(tenant: Tenant, count: number): Promise<LoggedRequest[]> {
  const list = await viewerOf(tenant);
  await expect.poll(async () => (await list()).data.length).toBe(count);
  return (await list()).data;
}

async function useOf({ organizationId }: Tenant) {
  const { rows } = await gatehouse.database.work.query(
    `select operation, sum(accepted)::int as accepted, sum(limited)::int as limited, sum(refused)::int as refused,
            sum(not_logged)::int as not_logged
     from api_key_usage where organization_id = $1 group by 1 order by 1`,
    [organizationId],
  );
  return rows;
}

/** Lines of requests that were answered at these times, oldest first. */
async function plant(
  { organizationId }: Tenant,
  lines: readonly { id: string; operation?: string; status?: number; reason?: string; key?: string }[],
): Promise<void> {
  await gatehouse.database.work.query(
    `insert into request_log (organization_id, id, api_key_id, operation, status, reason, duration_ms, request_id)
     select $1, line.id, line.key, line.operation, line.status, line.reason, 1, 'r-' || line.number
     from json_to_recordset($2) as line (id uuid, key uuid, operation text, status int, reason text, number int)`,
    [
      organizationId,
      JSON.stringify(
        lines.map((line, number) => ({
          operation: "listLocations",
          status: 200,
          key: uuidv7(),
          number,
          ...line,
        })),
      ),
    ],
  );
}

const idAtMs = (ms: number) => {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}${uuidv7().slice(13)}`;
};

test("every request with a valid key is logged with its result and reason, and an import links to its record", async () => {
  const tenant = await gatehouse.tenant();
  const { apiKey, organizationId } = tenant;
  const narrow = await createApiKey(gatehouse.database.work, {
    organizationId,
    name: "narrow",
    permissions: ["imports:read"],
    actor: "test",
  });
  const post = (url: string, body: unknown, headers: Record<string, string> = {}, key = apiKey) =>
    gatehouse.send({
      method: "POST",
      url,
      key,
      headers: { "content-type": "application/json", ...headers },
      payload: typeof body === "string" ? body : JSON.stringify(body),
    });
  const { sent, stop } = recordStatements();
  const imported = await post(
    "/integrations/accounts",
    { accounts: [account] },
    { "x-request-id": "my-own-id" },
  );
  expect(imported.status).toBe(200);
  await post("/integrations/accounts", "{");
  await post("/integrations/accounts", { accounts: [] });
  await post("/integrations/accounts", { accounts: Array.from({ length: 101 }, () => account) });
  await post("/integrations/accounts", " ".repeat(maxBodyBytes + 1));
  await post("/integrations/accounts", "{}", { "content-type": "text/plain" });
  await post("/integrations/accounts", { accounts: [account] }, {}, narrow.key);
  await gatehouse.send({ url: `/integrations/imports/${uuidv7()}`, key: apiKey });
  for (let count = 0; count < 2; count += 1)
    await gatehouse.send({ url: "/integrations/imports", key: apiKey });
  await post("/lead/submit", {});
  // These requests have no known sender.
  await gatehouse.send({ url: "/integrations/imports" });
  await gatehouse.send({ url: "/integrations/nowhere", key: apiKey });

  const lines = await logOf(tenant, 11);
  stop();
  expect(sent.filter(({ text }) => text.includes("insert into request_log")).length).toBeLessThan(5);
  expect(lines.map(({ operation, status, reason }) => [operation, status, reason]).toReversed()).toEqual([
    ["importAccounts", 200, null],
    ["importAccounts", 400, "bodyMalformed"],
    ["importAccounts", 400, "batchEmpty"],
    ["importAccounts", 413, "tooManyRecords"],
    ["importAccounts", 413, "bodyTooLarge"],
    ["importAccounts", 415, "unsupportedMediaType"],
    ["importAccounts", 403, "permissionMissing"],
    ["getImport", 404, "notFound"],
    ["listImports", 200, null],
    ["listImports", 429, "rateLimited"],
    ["submitLead", 400, "bodyInvalid"],
  ]);
  const first = lines.at(-1) as LoggedRequest;
  expect(first).toMatchObject({
    requestId: "my-own-id",
    referenceUuid: imported.json.referenceUuid,
    bodyBytes: JSON.stringify({ accounts: [account] }).length,
    apiKey: { name: "test" },
  });
  expect(first.durationMs).toBeGreaterThan(0);
  expect(lines.at(-7)).toMatchObject({ apiKey: { name: "narrow", uuid: narrow.uuid }, referenceUuid: null });
  expect(await useOf(tenant)).toMatchObject([
    { operation: "getImport", accepted: 0, refused: 1 },
    { operation: "importAccounts", accepted: 1, limited: 0, refused: 6 },
    { operation: "listImports", accepted: 1, limited: 1, refused: 0 },
    { operation: "submitLead", accepted: 0, limited: 0, refused: 1 },
  ]);
});

test("leads beyond the limit of their address are logged for their key", async () => {
  const tenant = await gatehouse.tenant();
  const submit = () =>
    gatehouse.send({
      method: "POST",
      url: "/lead/submit",
      key: tenant.apiKey,
      headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.77" },
      payload: JSON.stringify({ email: "jo@example.com", locationUuid: tenant.locationUuid }),
    });
  for (const status of [200, 200, 429, 429]) expect((await submit()).status).toBe(status);
  expect((await logOf(tenant, 4)).map(({ status }) => status)).toEqual([429, 429, 200, 200]);
});

test("a rejected request keeps what was answered, without values of the body, and only for its organization", async () => {
  const tenant = await gatehouse.tenant();
  const post = (url: string, body: unknown) =>
    gatehouse.send({
      method: "POST",
      url,
      key: tenant.apiKey,
      headers: { "content-type": "application/json" },
      payload: JSON.stringify(body),
    });
  await post("/lead/submit", { firstName: "Kim", lastName: "Secret", email: "not-an-address", phone: "5" });
  await post("/integrations/accounts", { accounts: [account] });
  const [accepted, rejected] = await logOf(tenant, 2);
  const viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
  const detail = async (uuid?: string) =>
    (await viewer.get(`/organizations/${tenant.organizationId}/requests/${uuid}`)).json as RequestDetail;
  const { answer, ...line } = await detail(rejected?.uuid);
  expect(line).toEqual(rejected);
  expect(answer?.messages.join()).toMatch(/email .*phone /s);
  expect(answer?.headers).toMatchObject({ "x-ratelimit-limit": "2" });
  expect(JSON.stringify(answer)).not.toMatch(/Secret|not-an-address/);
  expect((await detail(accepted?.uuid)).answer).toBeNull();

  const other = await signedIn(gatehouse, "viewer", (await gatehouse.tenant()).organizationId);
  const path = `requests/${rejected?.uuid}`;
  expect((await other.get(`/organizations/${tenant.organizationId}/${path}`)).status).toBe(404);
});

test("in a flood of equal rejections some are logged, the rest are counted, and other requests stay in the log", async () => {
  const tenant = await gatehouse.tenant();
  const flood = maxEqualRefusals * 2;
  const { sent, stop } = recordStatements();
  await Promise.all(
    Array.from({ length: flood + 1 }, () =>
      gatehouse.send({ url: "/integrations/imports", key: tenant.apiKey }),
    ),
  );
  await gatehouse.send({ url: "/integrations/locations", key: tenant.apiKey });
  await expect.poll(async () => (await useOf(tenant))[0]?.limited).toBe(flood);
  stop();
  const [list] = await useOf(tenant);
  const groups = sent.filter(({ text }) => text.includes("insert into request_log")).length;
  const lines = flood + 1 - (list?.not_logged as number);
  expect(lines).toBeLessThanOrEqual(1 + maxEqualRefusals * groups);
  expect(list?.not_logged).toBeGreaterThan(0);
  const logged = await logOf(tenant, lines + 1);
  expect(logged.filter(({ operation }) => operation === "listLocations")).toHaveLength(1);
});

test("a log that cannot be written does not delay requests, and is written later", async () => {
  const tenant = await gatehouse.tenant();
  const locker = await gatehouse.database.work.connect();
  onTestFinished(() => locker.release(true));
  await locker.query("begin; lock table request_log in access exclusive mode");
  const locations = () => gatehouse.send({ url: "/integrations/locations", key: tenant.apiKey });
  expect((await locations()).status).toBe(200);
  await expect.poll(() => waitingForLocks(gatehouse)).toBe(1);
  for (let count = 0; count < 20; count += 1) expect((await locations()).status).toBe(200);
  expect(await waitingForLocks(gatehouse)).toBe(1);
  await locker.query("rollback");
  await logOf(tenant, 21);
});

describe("the list", () => {
  test("filters by key, result, operation, reason, time and request id, and pages in both directions", async () => {
    const tenant = await gatehouse.tenant();
    const list = await viewerOf(tenant);
    const [key] = await listApiKeys(gatehouse.database.work, tenant.organizationId);
    const startMs = Date.parse("2026-04-01T12:00:00Z");
    await plant(tenant, [
      { id: idAtMs(startMs) },
      { id: idAtMs(startMs + 1_000), status: 429, reason: "rateLimited" },
      { id: idAtMs(startMs + 2_000), status: 400, reason: "bodyMalformed", operation: "importAccounts" },
      { id: idAtMs(startMs + 3_000), status: 503, reason: "databaseUnavailable" },
      { id: idAtMs(startMs + 4_000), ...(key ? { key: key.uuid } : {}) },
    ]);
    const found = async (query: string) => (await list(query)).data.map(({ requestId }) => requestId);
    expect(await found("")).toEqual(["r-4", "r-3", "r-2", "r-1", "r-0"]);
    expect(await found(`?apiKey=${key?.uuid}`)).toEqual(["r-4"]);
    expect(await found("?outcome=accepted")).toEqual(["r-4", "r-0"]);
    expect(await found("?outcome=error")).toEqual(["r-3", "r-2", "r-1"]);
    expect(await found("?outcome=limited")).toEqual(["r-1"]);
    expect(await found("?outcome=refused")).toEqual(["r-3", "r-2"]);
    expect(await found("?outcome=failed")).toEqual(["r-3"]);
    expect(await found("?outcome=unanswered")).toEqual([]);
    expect(await found("?operation=importAccounts")).toEqual(["r-2"]);
    expect(await found("?reason=databaseUnavailable")).toEqual(["r-3"]);
    expect(await found("?requestId=r-2")).toEqual(["r-2"]);
    expect(await found("?requestId=r-%00")).toEqual([]);
    expect(await found("?from=2026-04-01T12:00:01Z&to=2026-04-01T12:00:03Z")).toEqual(["r-2", "r-1"]);

    const newest = await list("?limit=2");
    expect(newest.previousCursor).toBeNull();
    const older = await list(`?limit=2&before=${newest.nextCursor}`);
    expect(older.data.map(({ requestId }) => requestId)).toEqual(["r-2", "r-1"]);
    const oldest = await list(`?limit=2&before=${older.nextCursor}`);
    expect(oldest).toMatchObject({ data: [{ requestId: "r-0" }], nextCursor: null });
    const newer = await list(`?limit=2&after=${oldest.previousCursor}`);
    expect(newer.data.map(({ requestId }) => requestId)).toEqual(["r-2", "r-1"]);
    expect(newer.nextCursor).toBe(older.nextCursor);
    const newestAgain = await list(`?limit=2&after=${newer.previousCursor}`);
    expect(newestAgain).toMatchObject({
      data: [{ requestId: "r-4" }, { requestId: "r-3" }],
      previousCursor: null,
    });
    const [, second] = newest.data;
    expect(second?.at).toBe("2026-04-01T12:00:03.000Z");
  });

  test("shows an organization only its own requests", async () => {
    const [one, other] = [await gatehouse.tenant(), await gatehouse.tenant()];
    await plant(other, [{ id: uuidv7() }]);
    expect((await (await viewerOf(one))()).data).toEqual([]);
  });
});

describe("the sweep", () => {
  const remaining = async ({ organizationId }: Tenant) => {
    const { rows } = await gatehouse.database.work.query<{ request_id: string }>(
      "select request_id from request_log where organization_id = $1 order by id",
      [organizationId],
    );
    return rows.map(({ request_id }) => request_id);
  };
  const dayMs = 86_400_000;

  test("deletes requests that are older than the retention period or exceed the organization's limit", async () => {
    const [old, full, small] = [await gatehouse.tenant(), await gatehouse.tenant(), await gatehouse.tenant()];
    const ago = (days: number) => idAtMs(Date.now() - days * dayMs);
    await plant(old, [{ id: ago(9) }, { id: ago(8) }, { id: ago(6) }]);
    await plant(full, [{ id: ago(5) }, { id: ago(4) }, { id: ago(3) }, { id: ago(2) }]);
    await plant(small, [{ id: ago(1) }]);
    const sweep = new RequestLogSweep(gatehouse.database.console, { days: 7, rows: 3 });
    await sweep.sweep();
    expect(await remaining(old)).toEqual(["r-2"]);
    expect(await remaining(full)).toEqual(["r-1", "r-2", "r-3"]);
    expect(await remaining(small)).toEqual(["r-0"]);
    await plant(full, [{ id: uuidv7() }]);
    await sweep.sweep();
    expect(await remaining(full)).toEqual(["r-2", "r-3", "r-0"]);
  });

  test("works in small steps next to another sweep until nothing is left", async () => {
    const tenant = await gatehouse.tenant();
    const longAgoMs = Date.now() - 90 * dayMs;
    await plant(
      tenant,
      Array.from({ length: 4_500 }, (_none, index) => ({ id: idAtMs(longAgoMs + index) })),
    );
    const { sent, stop } = recordStatements();
    const bounds = { days: 30, rows: 100_000 };
    const sweeps = [1, 2].map(() => new RequestLogSweep(gatehouse.database.console, bounds).sweep());
    await Promise.all(sweeps);
    stop();
    expect(await remaining(tenant)).toEqual([]);
    expect(sent.filter(({ text }) => text.includes("delete from request_log")).length).toBeGreaterThan(2);
  });

  test("a large backlog of one organization does not delay the cleanup of the others", async () => {
    const tenants = [await gatehouse.tenant(), await gatehouse.tenant()];
    const [endless, other] = tenants.toSorted((one, next) =>
      one.organizationId < next.organizationId ? -1 : 1,
    ) as [Tenant, Tenant];
    const longAgoMs = Date.now() - 90 * dayMs;
    const flood = () =>
      plant(
        endless,
        Array.from({ length: 4_500 }, () => ({ id: idAtMs(longAgoMs) })),
      );
    await plant(other, [{ id: idAtMs(longAgoMs) }]);
    // The planner expects very few rows, as after a quiet night, and must not run the subquery again for each
    // row.
    await gatehouse.database.work.query("analyze request_log");
    const bounds = { days: 30, rows: 100_000 };
    const sweep = new RequestLogSweep(gatehouse.database.console, bounds, 2_000);
    for (let round = 0; round < 2; round += 1) {
      await flood();
      await sweep.sweep();
    }
    expect(await remaining(other)).toEqual([]);
    expect(await remaining(endless)).toHaveLength(7_000);
  });
});

test("with a retention period of 0 days, requests are counted but not logged", async () => {
  const app = await buildApp({
    config: { ...gatehouse.config, requestLogDays: 0 },
    database: gatehouse.database,
    logger: gatehouse.app.log,
    maxEventLoopDelayMs: 0,
  });
  const tenant = await gatehouse.tenant();
  expect((await sendTo(app, { url: "/integrations/locations", key: tenant.apiKey })).status).toBe(200);
  await app.close();
  expect(await useOf(tenant)).toMatchObject([{ operation: "listLocations", accepted: 1, not_logged: 0 }]);
  expect((await (await viewerOf(tenant))()).data).toEqual([]);
});
