import { afterAll, beforeAll, expect, test } from "vitest";
import { send, type Answer, type Sending } from "../requests.js";
import { startFleet, type Fleet, type Instance, type Tenant } from "./fleet.js";
import { startProxy, type Proxy } from "./proxy.js";
import { amount, startRig } from "./rig.js";

const size = amount(2, 3);
const batchesForThroughput = amount(12, 120);
const ownPage = { "sec-fetch-site": "same-origin" };

let fleet: Fleet;
let tenants: [Tenant, Tenant];
/** Hands out connections to the instances in turn, and does not look into the traffic. */
let balancer: Proxy;
beforeAll(async () => {
  // Published limits, except where throughput is measured.
  fleet = await startFleet(size, { GATEHOUSE_LIMITS: "importTransactions=1000000/60" });
  tenants = await Promise.all([fleet.newTenant("One"), fleet.newTenant("Another")]);
  let turn = 0;
  balancer = await startProxy(() => {
    turn += 1;
    const { service } = fleet.instances[turn % fleet.instances.length] as Instance;
    return Number(new URL(service.apiAddress).port);
  });
});
afterAll(async () => {
  await balancer.close();
  await fleet.leave();
});

/** Through the balancer on a new connection, so to the next instance. */
function ask(pathname: string, sending: Sending = {}): Promise<Answer> {
  const ca = (fleet.instances[0] as Instance).service.ca;
  return send(`https://127.0.0.1:${balancer.port}${pathname}`, { ca, agent: false, ...sending });
}

/** Directly to every instance. */
function askEach(pathname: string, sending: Sending = {}): Promise<Answer[]> {
  return Promise.all(fleet.instances.map(({ service }) => service.send(pathname, sending)));
}

const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status);
const timesOf = (answers: Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

/** @covers R260, R263, R267 */
test("limits hold across instances: exactly 60 imports per organization and 5 leads per address", async () => {
  const [{ key, organizationUuid, locationUuid }] = tenants;
  const { json: second } = await fleet.gatehouse(
    "api-key",
    "create",
    "--organization",
    organizationUuid,
    "--name",
    "2",
  );
  const imports = await Promise.all(
    Array.from({ length: 75 }, (_, index) =>
      ask("/integrations/accounts", {
        key: index % 2 ? key : second.key,
        body: { accounts: [{ tpReferenceId: `L-${index}`, name: "Acme" }] },
      }),
    ),
  );
  expect([timesOf(imports, 200), timesOf(imports, 429)]).toEqual([60, 15]);
  const lead = { email: "jo@example.com", locationUuid };
  const leads = await Promise.all(Array.from({ length: 9 }, () => ask("/lead/submit", { key, body: lead })));
  expect([timesOf(leads, 200), timesOf(leads, 429)]).toEqual([5, 4]);
});

test("a new key works on every instance at once, and a revoked one on none", async () => {
  const { organizationUuid } = tenants[0];
  const { json } = await fleet.gatehouse(
    "api-key",
    "create",
    "--organization",
    organizationUuid,
    "--name",
    "short",
  );
  const statuses = async () => statusesOf(await askEach("/integrations/locations", { key: json.key }));
  expect(new Set(await statuses())).toEqual(new Set([200]));
  await fleet.gatehouse("api-key", "revoke", json.uuid);
  expect(new Set(await statuses())).toEqual(new Set([401]));
});

test("a console session is shared: signed in on one instance, signed out on another, ended on all", async () => {
  const password = "correct horse battery staple";
  await fleet.tell(`${password}\n`, "user", "create", "--email", "op@example.com", "--role", "operator");
  const signedIn = await ask("/console/api/session", {
    body: { email: "op@example.com", password },
    headers: ownPage,
  });
  expect(signedIn.status, signedIn.text).toBe(200);
  const cookie = String(signedIn.headers["set-cookie"]).split(";")[0] as string;
  const headers = { ...ownPage, cookie };
  const sessions = async () => new Set(statusesOf(await askEach("/console/api/session", { headers })));
  expect(await sessions()).toEqual(new Set([200]));
  expect((await ask("/console/api/session", { method: "DELETE", headers })).status).toBe(204);
  expect(await sessions()).toEqual(new Set([401]));
});

test("deduplication holds across instances, and a run is the same on each of them", async () => {
  const [{ key, locationUuid }] = tenants;
  const transactions = [
    { transactionId: "D-1", locationUuid, type: 1, transactionDate: "2026-04-01T14:30:00Z" },
  ];
  const answers = await askEach("/integrations/transactions", { key, body: { transactions } });
  const results = answers.flatMap((answer) => answer.json.results);
  expect(results.map(({ status }) => status).toSorted()).toEqual([1, ...Array(size - 1).fill(3)]);
  expect(new Set(results.map(({ uuid }) => uuid)).size).toBe(1);
  const { referenceUuid } = (answers[0] as Answer).json;
  for (const read of await askEach(`/integrations/imports/${referenceUuid}`, { key }))
    expect(read.json).toEqual((answers[0] as Answer).json);
});

test("throughput of several instances against one is measured, not promised, because it depends on the number of cores", async () => {
  const rig = startRig("instances");
  const one = await recordsPerSecond("one", (pathname, sending) =>
    (fleet.instances[0] as Instance).service.send(pathname, sending),
  );
  const several = await recordsPerSecond("several", ask);
  expect((await fleet.gatehouse("verify")).json).toMatchObject({ ok: true });
  rig.held({
    instances: size,
    "records/s with one instance": one,
    [`records/s with ${size}`]: several,
  });
});

async function recordsPerSecond(prefix: string, through: typeof ask): Promise<number> {
  const waiting = Array.from({ length: batchesForThroughput }, (_, number) => number);
  const begunMs = performance.now();
  await Promise.all(
    [0, 1, 2, 3].map(async (client) => {
      const tenant = tenants[client % 2] as Tenant;
      for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
        const transactions = Array.from({ length: 500 }, (_, index) => ({
          transactionId: `${prefix}-${number}-${index}`,
          locationUuid: tenant.locationUuid,
          type: 1,
          transactionDate: "2026-04-01T14:30:00Z",
          amountTotal: 12.5,
          contact: { email: `${prefix}${number}-${index}@example.com` },
        }));
        const answer = await through("/integrations/transactions", {
          key: tenant.key,
          body: { transactions },
        });
        expect(answer.json.successCount).toBe(500);
      }
    }),
  );
  return Math.round((batchesForThroughput * 500) / ((performance.now() - begunMs) / 1000));
}
