import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { consoleRoot, signedIn, type Visitor } from "../../../testing/console.js";
import { sendTo, useApp, type Answer } from "../../../testing/harness.js";
import { waitingForLocks } from "../../../testing/waiting-for-locks.js";
import { buildApp } from "../../app.js";
import { publishedConsoleLimits } from "./limits.js";

// `gatehouse` signs users in. `app` is a second instance whose limits the tests reach quickly.
const gatehouse = useApp();
const limits = { address: { perMinute: 12, atOnce: 6 }, person: { perMinute: 7, atOnce: 4 } };
let app: FastifyInstance;
beforeAll(async () => {
  const { config, database } = gatehouse;
  app = await buildApp({ config, database, logger: gatehouse.app.log, consoleLimits: limits });
});
afterAll(() => app.close());

let addresses = 0;
const newAddress = () => `203.0.113.${(addresses += 1)}`;

async function newViewer(): Promise<{ viewer: Visitor; root: string }> {
  const { organizationId } = await gatehouse.tenant();
  const viewer = await signedIn(gatehouse, "viewer", organizationId);
  return { viewer, root: `${consoleRoot}/organizations/${organizationId}` };
}

const get = (url: string, address: string, cookie?: string): Promise<Answer> =>
  sendTo(app, { url, headers: { "x-forwarded-for": address, ...(cookie ? { cookie } : {}) } });

function expectLimited(answer: Answer, longestSeconds: number): void {
  expect(answer.status).toBe(429);
  expect(answer.json).toMatchObject({ success: false, code: "rateLimited", requestId: expect.any(String) });
  expect(Number(answer.headers["retry-after"])).toBe(answer.json.retryAfter);
  expect(answer.json.retryAfter).toBeGreaterThanOrEqual(1);
  expect(answer.json.retryAfter).toBeLessThanOrEqual(longestSeconds);
}

test("a user has a limit of requests per minute from all addresses, and other users are not affected", async () => {
  const { viewer, root } = await newViewer();
  const other = await newViewer();
  for (let request = 0; request < limits.person.perMinute; request += 1)
    expect((await get(`${root}/runs`, newAddress(), viewer.cookie)).status).toBe(200);
  expectLimited(await get(`${root}/runs`, newAddress(), viewer.cookie), 60);
  expect((await get(`${other.root}/runs`, newAddress(), other.viewer.cookie)).status).toBe(200);

  const twoMinutesLaterMs = performance.now() + 120_000;
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    vi.advanceTimersByTime(twoMinutesLaterMs);
    expect((await get(`${root}/runs`, newAddress(), viewer.cookie)).status).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});

test("an address has a limit of requests per minute, and rejected requests do not query the database", async () => {
  const address = newAddress();
  const unknown = `gatehouse_session=${"x".repeat(43)}`;
  for (let request = 0; request < limits.address.perMinute; request += 1)
    expect((await get(`${consoleRoot}/session`, address, unknown)).status).toBe(401);
  const query = vi.spyOn(gatehouse.database.console, "query");
  expectLimited(await get(`${consoleRoot}/session`, address, unknown), 60);
  expect(query).not.toHaveBeenCalled();
  query.mockRestore();
  expect((await get(`${consoleRoot}/session`, newAddress(), unknown)).status).toBe(401);
});

test("slow answers to one user do not delay other users or the rest of the service", async () => {
  const { viewer, root } = await newViewer();
  const other = await newViewer();
  const partner = await gatehouse.tenant();
  const locker = await gatehouse.database.work.connect();
  onTestFinished(() => locker.release(true));
  await locker.query("begin; lock table api_key_usage in access exclusive mode");
  const { console: pool } = gatehouse.database;
  const ask = () => get(`${root}/overview/key-use`, newAddress(), viewer.cookie);
  // Half of the connections wait in the database. Further requests of the user wait for a permit after the
  // session lookup.
  expect(limits.person.atOnce).toBe(pool.options.max);
  const slow = Array.from({ length: pool.options.max / 2 }, ask);
  await expect.poll(() => waitingForLocks(gatehouse)).toBe(slow.length);
  const lookUps = vi.spyOn(pool, "query");
  const waiting = Array.from({ length: pool.options.max / 2 }, ask);
  const isKnown = ({ type }: { type: string }) => type === "fulfilled";
  await expect.poll(() => lookUps.mock.settledResults.filter(isKnown).length).toBe(waiting.length);
  lookUps.mockRestore();
  // Waiting requests count against the limit until they are answered.
  expectLimited(await get(`${root}/runs`, newAddress(), viewer.cookie), 1);
  expect((await get(`${other.root}/runs`, newAddress(), other.viewer.cookie)).status).toBe(200);
  const imported = await sendTo(app, {
    method: "POST",
    url: "/integrations/accounts",
    key: partner.apiKey,
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ accounts: [{ tpReferenceId: "A-1", name: "Acme" }] }),
  });
  expect(imported.status).toBe(200);
  await locker.query("rollback");
  for (const answer of await Promise.all(slow)) expect(answer.status, answer.text).toBe(200);
  // On a slow machine the five seconds of waiting for a permit may be over.
  for (const answer of await Promise.all(waiting)) expect([200, 503], answer.text).toContain(answer.status);
  expect((await get(`${root}/runs`, newAddress(), viewer.cookie)).status).toBe(200);
});

test("the published limits are far above what a browser with several pages needs", () => {
  expect(publishedConsoleLimits).toEqual({
    address: { perMinute: 3_000, atOnce: 100 },
    person: { perMinute: 600, atOnce: 20 },
  });
});
