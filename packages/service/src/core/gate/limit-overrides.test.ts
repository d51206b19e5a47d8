import { operations, type OperationName } from "@gatehouse-parking/contract";
import type { OrganizationLimits } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { useInstances } from "../../../testing/another-instance.js";
import { signedIn } from "../../../testing/console.js";
import { sendTo, useApp, type Answer, type Tenant } from "../../../testing/harness.js";
import { recordStatements } from "../../../testing/statements.js";
import { changeApiKey, createApiKey, rotateApiKey } from "../organizations/api-keys.js";
import { configureOrganization } from "../organizations/configure-organization.js";
import { readLimitOverrides } from "../organizations/limit-overrides.js";
import { generateApiKey } from "./api-key-format.js";
import { RateLimiter } from "./rate-limits.js";

/** Limit overrides of an organization or a key, on two instances with the default limits. */
const gatehouse = useApp({ limits: {} });
const makeInstance = useInstances(gatehouse);
let second: FastifyInstance;
beforeAll(async () => {
  ({ app: second } = await makeInstance());
});
afterEach(() => void vi.useRealTimers());

async function setLimits({ organizationId }: Tenant, ...limits: string[]): Promise<void> {
  const changes = { organizationId, limits: readLimitOverrides(limits), actor: "test" };
  await configureOrganization(gatehouse.database.work, async () => Buffer.alloc(32), changes);
}

const request = (name: OperationName, key: string, app: FastifyInstance = gatehouse.app) =>
  sendTo(app, { method: operations[name].method, url: operations[name].path, key });

const sendLead = (key: string, from: string, app: FastifyInstance = gatehouse.app) =>
  sendTo(app, {
    method: "POST",
    url: "/lead/submit",
    key,
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    payload: "{}",
  });

/** Status, limit and remaining requests. */
function told({ status, headers }: Answer): string {
  return `${status}: ${headers["x-ratelimit-remaining"]} of ${headers["x-ratelimit-limit"]}`;
}

describe("an organization's limit override", () => {
  test("applies with the next request on every instance, in headers and overview, and only to that organization", async () => {
    const [tenant, other] = [await gatehouse.tenant(), await gatehouse.tenant()];
    for (const app of [gatehouse.app, second, gatehouse.app])
      await request("listImports", tenant.apiKey, app);

    // Below what was already used.
    await setLimits(tenant, "listImports=2/3600", "importTransactions=1000/60");
    for (const app of [gatehouse.app, second])
      expect(told(await request("listImports", tenant.apiKey, app))).toBe("429: 0 of 2");
    expect(told(await request("listLocations", tenant.apiKey))).toBe("200: 299 of 300");
    expect(told(await request("listImports", other.apiKey, second))).toBe("200: 299 of 300");
    const viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
    const { data } = (await viewer.get(`/organizations/${tenant.organizationId}/limits`)).json;
    const shown = data.map(({ operation, used, own, usual }: OrganizationLimits["data"][number]) => [
      operation,
      used,
      (own ?? usual).requests,
    ]);
    expect(shown).toContainEqual(["listImports", 3, 2]);
    expect(shown).toContainEqual(["importTransactions", 0, 1000]);
    expect(shown).toContainEqual(["listLocations", 1, 300]);

    // Requests counted under one limit count under the next.
    await setLimits(tenant, "listImports=default");
    const { app: fresh } = await makeInstance();
    expect(told(await request("listImports", tenant.apiKey, fresh))).toBe("200: 296 of 300");
  });

  test("admits callers rejected from the cache within a second after it is raised", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const tenant = await gatehouse.tenant();
    await setLimits(tenant, "listImports=1/86400");
    const send = () => request("listImports", tenant.apiKey);
    expect([told(await send()), told(await send())]).toEqual(["200: 0 of 1", "429: 0 of 1"]);
    await setLimits(tenant, "listImports=1000000/1");
    // On an instance without a cached rejection, it applies immediately.
    expect(told(await request("listImports", tenant.apiKey, second))).toMatch(/^200: \d+ of 1000000$/);
    vi.advanceTimersByTime(999);
    expect(told(await send())).toBe("429: 0 of 1");
    vi.advanceTimersByTime(1);
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(200);
  });

  test("is exact across instances and shown to keys without the permission", async () => {
    const tenant = await gatehouse.tenant();
    await setLimits(tenant, "listImports=7/60");
    const apps = Array.from({ length: 30 }, (_none, index) => (index % 2 ? second : gatehouse.app));
    const answers = await Promise.all(apps.map((app) => request("listImports", tenant.apiKey, app)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    const { organizationId } = tenant;
    const reader = { organizationId, name: "reader", permissions: ["locations:read"], actor: "test" };
    const { key } = await createApiKey(gatehouse.database.work, reader);
    expect(told(await request("listImports", key))).toBe("403: 7 of 7");
  });
});

describe("buckets", () => {
  const momentsOf = async (bucket: string) => {
    const { rows } = await gatehouse.database.gate.query(
      "select cardinality(moments) as moments from rate_limits where bucket = $1",
      [bucket],
    );
    return rows[0]?.moments as number;
  };

  test("applies per organization within one statement, with exact times or time slots", async () => {
    const limiter = new RateLimiter(gatehouse.database.gate);
    const [exact, large] = [
      { requests: 20, windowSeconds: 60 },
      { requests: 501, windowSeconds: 86_400 },
    ];
    for (let round = 0; round < 5; round += 1)
      await Promise.all([limiter.take("exact", exact), limiter.take("large", large)]);
    expect(await momentsOf("exact")).toBe(5);
    // At most two: a time slot may end in between.
    expect(await momentsOf("large")).toBeLessThanOrEqual(2);
    expect(await limiter.take("large", large)).toMatchObject({ accepted: true, limit: 501, remaining: 495 });
    // A shorter window of fewer requests: times in the future, from rounded slots, count as now.
    expect(await limiter.take("large", exact)).toMatchObject({ accepted: true, limit: 20, remaining: 13 });
  });

  test("is not rejected from the cache of an earlier limit", async () => {
    const limiter = new RateLimiter(gatehouse.database.gate);
    const narrow = { requests: 1, windowSeconds: 60 };
    expect((await limiter.take("raised", narrow)).accepted).toBe(true);
    expect((await limiter.take("raised", narrow)).accepted).toBe(false);
    expect(await limiter.take("raised", { ...narrow, requests: 3 })).toMatchObject({
      accepted: true,
      remaining: 1,
    });
  });

  test("fits its row however often the limit changes", async () => {
    await gatehouse.database.gate.query(
      `insert into rate_limits (bucket, moments, counts, accepted, expires_at)
       select 'crowded', array_agg(clock_timestamp() - make_interval(secs => 3600 - n) order by n), array_agg(1), 1,
              clock_timestamp() + interval '1 day'
       from generate_series(1, 600) as n`,
    );
    const limiter = new RateLimiter(gatehouse.database.gate);
    for (const windowSeconds of [80_000, 70_000, 60_000, 50_000])
      await limiter.take("crowded", { requests: 1_000, windowSeconds });
    expect(await momentsOf("crowded")).toBe(600);
    expect(await limiter.take("crowded", { requests: 1_000, windowSeconds: 86_400 })).toMatchObject({
      remaining: 395,
    });
  });
});

describe("a limit override for leads", () => {
  test("counts per address, separately from other callers at the address", async () => {
    const [busy, other] = [await gatehouse.tenant(), await gatehouse.tenant()];
    const from = "203.0.113.10";
    await setLimits(busy, "submitLead=7/60");
    const outcomes: string[] = [];
    for (let sent = 0; sent < 6; sent += 1) outcomes.push(told(await sendLead(other.apiKey, from)));
    expect(outcomes.slice(4)).toEqual(["400: 0 of 5", "429: 0 of 5"]);
    // The address is full for all other callers, on both instances.
    expect(told(await sendLead(other.apiKey, from, second))).toBe("429: 0 of 5");
    for (let left = 6; left >= 0; left -= 1)
      expect(told(await sendLead(busy.apiKey, from, left % 2 ? second : gatehouse.app))).toBe(
        `400: ${left} of 7`,
      );
    for (const app of [gatehouse.app, second])
      expect(told(await sendLead(busy.apiKey, from, app))).toBe("429: 0 of 7");
    expect(told(await sendLead(busy.apiKey, "203.0.113.11"))).toBe("400: 6 of 7");
    // Callers without a key have the default limit.
    expect(told(await sendLead("nonsense", "203.0.113.12"))).toBe("403: 4 of 5");
  });

  test("of a key takes precedence over the organization's, and the key's successor inherits it", async () => {
    const tenant = await gatehouse.tenant();
    await setLimits(tenant, "submitLead=9/60");
    const { organizationId } = tenant;
    const site = await createApiKey(gatehouse.database.work, { organizationId, name: "site", actor: "test" });
    const leadLimit = { requests: 1, windowSeconds: 60 };
    await changeApiKey(gatehouse.database.work, { keyId: site.uuid, leadLimit, actor: "test" });
    const from = "203.0.113.20";
    expect(told(await sendLead(tenant.apiKey, from))).toBe("400: 8 of 9");
    expect(told(await sendLead(site.key, from))).toBe("400: 0 of 1");
    expect(told(await sendLead(site.key, from, second))).toBe("429: 0 of 1");
    expect(told(await request("listLocations", site.key))).toBe("200: 299 of 300");
    const rotation = { keyId: site.uuid, overlapMs: 60_000, actor: "test" };
    const successor = await rotateApiKey(gatehouse.database.work, rotation);
    expect(successor.leadLimit).toEqual(leadLimit);
    expect(told(await sendLead(successor.key, from))).toBe("400: 0 of 1");
    await changeApiKey(gatehouse.database.work, { keyId: successor.uuid, leadLimit: null, actor: "test" });
    expect(told(await sendLead(successor.key, from, second))).toBe("400: 7 of 9");
  });

  test("is found for an address that is rejected from the cache, and a flood there causes few queries", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const [tenant, stranger] = [await gatehouse.tenant(), await gatehouse.tenant()];
    const from = "203.0.113.30";
    for (let sent = 0; sent < 6; sent += 1) await sendLead(tenant.apiKey, from);
    // A second later, one request with the key queries again.
    vi.advanceTimersByTime(1_000);
    const { sent, stop } = recordStatements();
    const questions = () => sent.filter(({ text }) => text.includes("into rate_limits")).length;
    for (let flood = 0; flood < 20; flood += 1) await sendLead(tenant.apiKey, from);
    expect(questions()).toBe(1);
    for (let flood = 0; flood < 70; flood += 1)
      expect((await sendLead(generateApiKey(), from)).status).toBe(429);
    // Some keys are looked up, at most 50 per second. Earlier tests may have used some of that second's lookups.
    expect(questions()).toBeGreaterThan(1);
    expect(questions()).toBeLessThanOrEqual(51);
    stop();
    await setLimits(tenant, "submitLead=100/60");
    expect(told(await sendLead(tenant.apiKey, from))).toBe("429: 0 of 5");
    vi.advanceTimersByTime(1_000);
    expect(told(await sendLead(tenant.apiKey, from))).toBe("400: 99 of 100");
    // A key without a limit override does not benefit.
    expect(told(await sendLead(stranger.apiKey, from))).toBe("429: 0 of 5");
  });
});

describe("in the console", () => {
  test("operators set limits and members see them; a second save with an old version is rejected", async () => {
    const tenant = await gatehouse.tenant();
    const root = `/organizations/${tenant.organizationId}`;
    const [viewer, admin, operator] = [
      await signedIn(gatehouse, "viewer", tenant.organizationId),
      await signedIn(gatehouse, "admin", tenant.organizationId),
      await signedIn(gatehouse, "operator"),
    ];
    const { data: keys } = (await admin.get(`${root}/api-keys`)).json;
    const keyPath = `${root}/api-keys/${keys[0].uuid}`;
    const limits = [{ operation: "importTransactions", limit: "1000/60" }];
    for (const person of [viewer, admin]) {
      expect((await person.patch(`${root}/limits`, { limits })).status).toBe(403);
      expect((await person.patch(`${keyPath}/lead-limit`, { leadLimit: "9/60" })).status).toBe(403);
    }
    // Nor through the forms that an admin may submit.
    await admin.patch(root, {
      honeypotField: "site",
      limits: { listImports: { requests: 9, windowSeconds: 1 } },
    });
    await admin.patch(keyPath, { name: "other", leadLimit: { requests: 9, windowSeconds: 1 } });
    const { rows } = await gatehouse.database.work.query(
      `select own_limits, lead_limit from organizations join api_keys on organization_id = organizations.id
       where organizations.id = $1`,
      [tenant.organizationId],
    );
    expect(rows).toEqual([{ own_limits: null, lead_limit: null }]);

    const { version } = (await viewer.get(`${root}/limits`)).json;
    expect((await operator.patch(`${root}/limits`, { limits, version })).status).toBe(200);
    const late = { limits: [{ operation: "importTransactions", limit: null }], version };
    expect((await operator.patch(`${root}/limits`, late)).json.code).toBe("changedMeanwhile");
    const { data } = (await viewer.get(`${root}/limits`)).json;
    expect(
      data.find(({ operation }: { operation: string }) => operation === "importTransactions"),
    ).toMatchObject({
      usual: { requests: 60, windowSeconds: 60 },
      own: { requests: 1000, windowSeconds: 60 },
    });
    const key = (await viewer.get(keyPath)).json;
    const changed = await operator.patch(`${keyPath}/lead-limit`, {
      leadLimit: "100/60",
      version: key.version,
    });
    expect(changed.json.leadLimit).toEqual({ requests: 100, windowSeconds: 60 });
    const again = { leadLimit: null, version: key.version };
    expect((await operator.patch(`${keyPath}/lead-limit`, again)).status).toBe(409);
    const trail = (await admin.get(`${root}/audit`)).json.data.map(
      ({ action, actor, detail }: { action: string; actor: string; detail: string }) => [
        action,
        actor,
        JSON.parse(detail),
      ],
    );
    expect(trail).toContainEqual([
      "organization.configure",
      operator.email,
      { limits: { from: {}, to: { importTransactions: { requests: 1000, windowSeconds: 60 } } } },
    ]);
    expect(trail).toContainEqual([
      "api-key.update",
      operator.email,
      { leadLimit: { from: null, to: { requests: 100, windowSeconds: 60 } } },
    ]);
  });

  test("invalid, too small or too large numbers and unknown operations are rejected", async () => {
    const { organizationId } = await gatehouse.tenant();
    const operator = await signedIn(gatehouse, "operator");
    const path = `/organizations/${organizationId}/limits`;
    const refusal = async (operation: string, limit: unknown) => {
      const { status, json } = await operator.patch(path, { limits: [{ operation, limit }] });
      return `${status} ${json.errors?.[0]}`;
    };
    const rule =
      "400 A limit must be requests/seconds such as 1000/60, with 1 to 1000000 requests in 1 to 86400 seconds";
    for (const limit of ["0/60", "1000001/60", "1/0", "1/86401", "-1/60", "1e3/60", "60", "9".repeat(5_000)])
      expect(await refusal("listImports", limit)).toContain(rule);
    expect(await refusal("listImports", 60)).toBe("400 limits holds something that.limit must be a string");
    expect(await refusal("importBoats", "1/60")).toContain("must be one of submitLead, importTransactions");
  });
});

test("an operation that does not exist or is named twice is rejected", () => {
  expect(() => readLimitOverrides(["importBoats=1/60"])).toThrow(
    '"importBoats" is not an operation; there are submitLead',
  );
  expect(() => readLimitOverrides(["__proto__=1/60"])).toThrow("is not an operation");
  expect(() => readLimitOverrides(["listImports=1/60", "listImports=default"])).toThrow(
    "two limits for listImports",
  );
  expect(() => readLimitOverrides(["listImports"])).toThrow("must look like importTransactions=1000/60");
});
