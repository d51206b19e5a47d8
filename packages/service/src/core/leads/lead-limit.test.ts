import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openPatientDatabase, useApp } from "../../../testing/harness.js";
import { buildApp } from "../../app.js";
import { readConfig } from "../config.js";
import type { Database } from "../database/pool.js";

/** The published limits: 5 requests in 60 seconds per address. */
const gatehouse = useApp({ limits: {}, trustedProxies: ["127.0.0.1", "10.0.0.0/8", "fd00::/8"] });

interface Attempt {
  url?: string;
  key?: string | undefined;
  from?: string;
  socket?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

async function attempt(tenant: { apiKey: string; locationUuid: string }, options: Attempt = {}) {
  const { key } = { key: tenant.apiKey, ...options };
  return gatehouse.send({
    method: "POST",
    url: options.url ?? "/lead/submit",
    ...(key === undefined ? {} : { key }),
    ...(options.socket ? { remoteAddress: options.socket } : {}),
    headers: {
      "content-type": "application/json",
      ...(options.from ? { "x-forwarded-for": options.from } : {}),
      ...options.headers,
    },
    payload: JSON.stringify(options.body ?? { email: "jo@example.com", locationUuid: tenant.locationUuid }),
  });
}

async function statuses(
  count: number,
  send: (index: number) => Promise<{ status: number }>,
): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => send(index)));
  return answers.map((answer) => answer.status).toSorted();
}

const fiveOf = (count: number) => [...Array(5).fill(200), ...Array(count - 5).fill(429)];

/** @covers R267, R272-R275 */
test("the sixth request of an address within 60 seconds is rejected and stores nothing", async () => {
  const tenant = await gatehouse.tenant();
  const before = Math.floor(Date.now() / 1000);
  const remaining: unknown[] = [];
  for (let request = 0; request < 5; request += 1) {
    const answer = await attempt(tenant, { from: "203.0.113.1" });
    expect([answer.status, answer.headers["x-ratelimit-limit"]]).toEqual([200, "5"]);
    remaining.push(answer.headers["x-ratelimit-remaining"]);
  }
  expect(remaining).toEqual(["4", "3", "2", "1", "0"]);
  const sixth = await attempt(tenant, { from: "203.0.113.1" });
  expect([sixth.status, sixth.json]).toEqual([
    429,
    { success: false, message: expect.any(String), retryAfter: 60, timestamp: expect.any(String) },
  ]);
  expect(sixth.headers).toMatchObject({
    "retry-after": "60",
    "x-ratelimit-limit": "5",
    "x-ratelimit-remaining": "0",
  });
  const reset = Number(sixth.headers["x-ratelimit-reset"]);
  expect(reset).toBeGreaterThanOrEqual(before + 60);
  expect(reset).toBeLessThanOrEqual(Date.now() / 1000 + 61);
  const { rows } = await gatehouse.database.work.query("select from leads where organization_id = $1", [
    tenant.organizationId,
  ]);
  expect(rows).toHaveLength(5);
});

/** @covers R267, R268 */
test("of many concurrent requests exactly five pass, and another address is not affected", async () => {
  const tenant = await gatehouse.tenant();
  expect(await statuses(40, () => attempt(tenant, { from: "203.0.113.2" }))).toEqual(fiveOf(40));
  expect((await attempt(tenant, { from: "203.0.113.3" })).status).toBe(200);
});

/** @covers R276, reading 41 */
test("a request passes again once the oldest has left the window, and rejected ones do not count", async () => {
  const tenant = await gatehouse.tenant();
  const from = "203.0.113.4";
  for (let request = 0; request < 5; request += 1) {
    expect((await attempt(tenant, { from })).status).toBe(200);
  }
  // As if the oldest two had come 60 seconds ago. Another instance has not cached that the bucket is full.
  await gatehouse.database.work.query(
    `update rate_limits set moments = array[moments[1] - interval '60 seconds', moments[2] - interval '60 seconds'] || moments[3:]
     where bucket = $1`,
    [`submitLead:${from}`],
  );
  const outcomes = [];
  for (let request = 0; request < 4; request += 1) {
    const answer = await second.app.inject({
      method: "POST",
      url: "/lead/submit",
      headers: secondHeaders(tenant.apiKey, from),
      payload: "{}",
    });
    outcomes.push(answer.statusCode);
  }
  expect(outcomes).toEqual([400, 400, 429, 429]);
});

/** @covers R8, R269 */
test("/lead/Submit, a trailing slash and every other spelling share one bucket", async () => {
  const tenant = await gatehouse.tenant();
  const spellings = ["/lead/submit", "/lead/Submit", "/LEAD/SUBMIT", "/lead/submit/", "/lead/Submit?x=1"];
  for (const url of spellings) {
    expect((await attempt(tenant, { url, from: "203.0.113.5" })).status).toBe(200);
  }
  for (const url of spellings) {
    expect((await attempt(tenant, { url, from: "203.0.113.5" })).status).toBe(429);
  }
});

/** @covers reading 35 */
test("an address is counted before its key is checked, whatever the outcome of the request", async () => {
  const tenant = await gatehouse.tenant();
  const from = "203.0.113.6";
  const outcomes = [
    await attempt(tenant, { from, key: undefined }),
    await attempt(tenant, { from, key: "nonsense" }),
    await attempt(tenant, { from, body: {} }),
    await attempt(tenant, { from, headers: { "content-type": "text/plain" } }),
    await attempt(tenant, { from }),
    await attempt(tenant, { from, key: undefined }),
    await attempt(tenant, { from, key: "nonsense" }),
  ];
  expect(outcomes.map((answer) => answer.status)).toEqual([403, 403, 400, 415, 200, 429, 429]);
});

/** @covers reading 43 */
test("X-Forwarded-For is trusted hop by hop, from the right, and only from trusted proxies", async () => {
  const tenant = await gatehouse.tenant();
  // Entries that the client wrote to the left of its address have no effect.
  expect(
    await statuses(6, (index) => attempt(tenant, { from: `198.51.100.${index}, 203.0.113.7, 10.1.2.3` })),
  ).toEqual(fiveOf(6));
  // An untrusted address counts as the client itself.
  expect(
    await statuses(6, (index) =>
      attempt(tenant, { socket: "192.0.2.50", from: `198.51.100.${index}`, headers: {} }),
    ),
  ).toEqual(Array(6).fill(403));
  const { rows } = await gatehouse.database.work.query(
    "select bucket from rate_limits where bucket like 'submitLead:198.51.100.%' or bucket = 'submitLead:203.0.113.7'",
  );
  expect(rows).toEqual([{ bucket: "submitLead:203.0.113.7" }]);
});

/** @covers reading 43 */
test("a port after the address does not change the caller, and an invalid value counts as the proxy", async () => {
  const tenant = await gatehouse.tenant();
  expect(await statuses(6, (index) => attempt(tenant, { from: `203.0.113.8:${5000 + index}` }))).toEqual(
    fiveOf(6),
  );
  expect(await statuses(6, (index) => attempt(tenant, { from: `[2001:db8:8::1]:${5000 + index}` }))).toEqual(
    fiveOf(6),
  );
  expect(await statuses(6, (index) => attempt(tenant, { from: `nonsense-${index}` }))).toEqual(fiveOf(6));
});

/** @covers reading 43 */
test("IPv6 addresses of one /64 are one caller, and IPv4-mapped IPv6 addresses count as IPv4", async () => {
  const tenant = await gatehouse.tenant();
  expect(await statuses(6, (index) => attempt(tenant, { from: `2001:db8:0:1::${index}` }))).toEqual(
    fiveOf(6),
  );
  expect((await attempt(tenant, { from: "2001:0DB8::1:abcd:0:0:9" })).status).toBe(429);
  expect((await attempt(tenant, { from: "2001:db8:0:2::1" })).status).toBe(200);
  expect(
    await statuses(6, (index) =>
      attempt(tenant, { from: index % 2 ? "::ffff:203.0.113.10" : "203.0.113.10" }),
    ),
  ).toEqual(fiveOf(6));
});

test("a flood causes no database work: 300 concurrent requests are counted together, and the full bucket is cached for a second", async () => {
  // The clock stands still, so that a slow machine adds no seconds.
  vi.useFakeTimers({ toFake: ["performance"] });
  const tenant = await gatehouse.tenant();
  const gate = vi.spyOn(gatehouse.database.gate, "query");
  // Key usage is written independently of the requests.
  const questions = () =>
    gate.mock.calls.filter(([query]) =>
      /^(take|admit)/.test((query as unknown as { name?: string }).name ?? ""),
    );
  const work = vi.spyOn(gatehouse.database.work, "query");
  const from = "203.0.113.11";
  expect(await statuses(300, () => attempt(tenant, { from, key: "nonsense" }))).toEqual([
    ...Array(5).fill(403),
    ...Array(295).fill(429),
  ]);
  expect(questions().length).toBeLessThanOrEqual(5);
  // Whether a key has a limit override is queried once, although the address is full.
  expect((await attempt(tenant, { from })).status).toBe(429);
  const asked = questions().length;
  expect(asked).toBeLessThanOrEqual(6);
  expect(await statuses(300, () => attempt(tenant, { from }))).toEqual(Array(300).fill(429));
  expect(questions()).toHaveLength(asked);
  expect(work).not.toHaveBeenCalled();
  gate.mockRestore();
  work.mockRestore();
  vi.useRealTimers();
});

const second = { app: undefined as unknown as Awaited<ReturnType<typeof buildApp>> };
let secondDatabase: Database;
const secondHeaders = (key: string, from: string) => ({
  "content-type": "application/json",
  "x-forwarded-proto": "https",
  "x-forwarded-for": from,
  "x-api-key": key,
});

beforeAll(async () => {
  secondDatabase = openPatientDatabase({ connectionString: gatehouse.connectionString, workConnections: 4 });
  const config = { ...readConfig({}), trustedProxies: ["127.0.0.1"] };
  second.app = await buildApp({
    config,
    database: secondDatabase,
    logger: pino({ level: "silent" }),
    maxEventLoopDelayMs: 0,
  });
});
afterAll(async () => {
  await second.app.close();
  await secondDatabase.close();
});

test("two instances on one database share the limit exactly", async () => {
  const tenant = await gatehouse.tenant();
  const from = "203.0.113.12";
  const outcomes = await statuses(40, async (index) => {
    if (index % 2 === 0) return attempt(tenant, { from });
    const answer = await second.app.inject({
      method: "POST",
      url: "/lead/submit",
      headers: secondHeaders(tenant.apiKey, from),
      payload: JSON.stringify({ email: "jo@example.com", locationUuid: tenant.locationUuid }),
    });
    return { status: answer.statusCode };
  });
  expect(outcomes).toEqual(fiveOf(40));
});
