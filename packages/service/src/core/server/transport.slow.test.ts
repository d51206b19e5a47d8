import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { Agent, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, expect, test } from "vitest";
import { amount, startRig } from "../../../../../acceptance/rigs/rig.js";
import { signedIn } from "../../../testing/console.js";
import { attacks, pipelineOf, read, type Ending, type World } from "../../../testing/attacks.js";
import { everyRequest } from "../../../testing/every-request.js";
import { useApp, type Tenant } from "../../../testing/harness.js";
import { sampleOrganization } from "../../../testing/sample-organization.js";
import { useWire } from "../../../testing/wire.js";
import { poolNames } from "../database/pool.js";
import { maxOutstandingRequests } from "./connections.js";

/**
 * Clients that misuse connections in every way: they pipeline requests and read all, some or none of the answers,
 * disconnect at any byte, send slowly, stop, close one side, and send garbage. Meanwhile another client works, and
 * afterwards the process holds no resources of the misbehaving clients.
 */
const wire = useWire({
  headersTimeout: 1_500,
  // The timeout includes the wait behind other requests of the connection, which a busy machine answers late.
  requestTimeout: 6_000,
  keepAliveTimeout: 2_000,
  connectionsCheckingInterval: 50,
  lingerTimeout: 300,
  unreadTimeout: 500,
});
const gatehouse = useApp({}, wire.listen);
// Shorter than the app's own timeouts.
afterAll(() => wire.hangUp());

const rounds = amount(1, 60);
const attacksPerRound = amount(50, 150);
const allowedGrowthMegabytes = 48;

/** Another client that works continuously. Returns how long each request took, once all were answered 200. */
function neighbour({ apiKey, locationUuid }: Tenant): { leave(): Promise<number[]> } {
  // One connection per request: a kept connection may close just when it is used again.
  const agent = new Agent({ ca: wire.ca });
  const leaving = new AbortController();

  async function ask(method: string, path: string, body?: object): Promise<number> {
    const begunMs = performance.now();
    const status = await new Promise((resolve, reject) => {
      const sent = request(`https://localhost:${wire.httpsPort}${path}`, {
        method,
        agent,
        headers: { "x-api-key": apiKey, "content-type": "application/json" },
      });
      sent.on("response", (answer) => answer.on("end", () => resolve(answer.statusCode)).resume());
      sent.on("error", reject);
      sent.end(body && JSON.stringify(body));
    });
    expect(status, path).toBe(200);
    return performance.now() - begunMs;
  }

  const working = (async () => {
    const tookMs: number[] = [];
    while (!leaving.signal.aborted) {
      const transaction = { locationUuid, type: 1, transactionDate: "2026-04-01T14:30:00.000Z" };
      const batch = { transactions: [{ ...transaction, transactionId: randomUUID() }] };
      tookMs.push(await ask("POST", "/integrations/transactions", batch));
      tookMs.push(await ask("POST", "/lead/submit", { email: "jo@example.com", locationUuid }));
      tookMs.push(await ask("GET", "/integrations/locations"));
      await sleep(20);
    }
    return tookMs;
  })();
  return {
    leave: () => {
      leaving.abort();
      return working.finally(() => agent.destroy());
    },
  };
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Resources of the process that clients could leak. */
async function holdings() {
  const pools = poolNames.map((name) => gatehouse.database[name]);
  const sum = (count: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0);
  const resources = process.getActiveResourcesInfo();
  const sockets = resources.filter((name) => name === "TCPSocketWrap").length;
  return {
    connections: await wire.openConnections(),
    sockets: sockets - sum((pool) => pool.totalCount),
    files: existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").filter(isFile).length : 0,
    places: await takenPlaces(),
    statements: sum((pool) => pool.waitingCount),
  };
}

function isFile(descriptor: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith("/");
  } catch {
    return false;
  }
}

async function takenPlaces(): Promise<number> {
  const metric = await gatehouse.app.metrics.registry.getSingleMetric("gatehouse_import_places")?.get();
  expect(metric?.values.length).toBe(10);
  return metric?.values.reduce((sum, { value }) => sum + value, 0) ?? Number.NaN;
}

function memoryMegabytes(): number {
  gatehouse.logged.length = 0;
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return Math.round((heapUsed + external) / 1024 / 1024);
}

test("clients that misuse connections leak nothing, delay no other client and cause no errors", async () => {
  const rig = startRig("transport");
  const target = await sampleOrganization(gatehouse);
  const { cookie } = await signedIn(gatehouse, "operator");
  const requests = everyRequest(gatehouse.app, { target, cookie });
  const large = requests.filter(({ url, method }) => method === "GET" && /^\/docs$|openapi/.test(url));
  const world: World = { wire, random: rig.random, requests, large };
  const statuses: Record<string, number> = {};
  function count(ending: Ending | void): void {
    for (const { status, headers } of ending?.answers ?? []) {
      const isOperation = headers["x-ratelimit-limit"] !== undefined;
      const name = status === 503 && isOperation ? "503 of an operation" : String(status);
      statuses[name] = (statuses[name] ?? 0) + 1;
    }
  }
  const attack = async (): Promise<void> =>
    count(await rig.random.pick(attacks)(world, rig.random.fraction() < 0.5));
  async function round(): Promise<void> {
    await Promise.all(Array.from({ length: attacksPerRound }, () => attack()));
  }
  const allGone = async (): Promise<void> => {
    await expect.poll(() => wire.openConnections()).toBe(0);
  };

  // Every route on both ports. Caches are filled before the count.
  for (const plain of [false, true])
    for (let at = 0; at < requests.length; at += maxOutstandingRequests)
      count(await read(world, pipelineOf(requests.slice(at, at + maxOutstandingRequests)), plain));
  await round();
  await allGone();
  // Complete requests are processed to the end, even if the client has disconnected.
  await expect.poll(holdings).toMatchObject({ connections: 0, sockets: 0, places: 0, statements: 0 });
  const before = await holdings();
  const memoryBefore = memoryMegabytes();

  const faults: unknown[] = [];
  const tookMs: number[] = [];
  for (let done = 0; done < rounds; done += 1) {
    const other = neighbour(await gatehouse.tenant());
    await round().finally(async () => tookMs.push(...(await other.leave())));
    await allGone();
    faults.push(...gatehouse.logged.filter(({ level }) => Number(level) >= 50));
    gatehouse.logged.length = 0;
  }

  await expect.poll(holdings).toEqual(before);
  const memoryAfter = memoryMegabytes();
  expect(memoryAfter - memoryBefore).toBeLessThan(allowedGrowthMegabytes);
  expect(faults).toEqual([]);
  // 501 answers an unknown transfer coding, and 503 too many concurrent requests of one console user. Any other 5xx is
  // an error of the service.
  const meant = new Set(["501", "503"]);
  const isFault = (name: string) => Number.parseInt(name) >= 500 && !meant.has(name);
  expect(Object.keys(statuses).filter(isFault)).toEqual([]);
  const slowest = tookMs.toSorted((one, another) => one - another);
  rig.held({
    routes: new Set(requests.map(({ method, url }) => `${method} ${url}`)).size,
    "connections attacked with": (1 + rounds) * attacksPerRound,
    ...Object.fromEntries(Object.entries(statuses).map(([status, count]) => [`answers ${status}`, count])),
    "requests of the neighbour": tookMs.length,
    "their median, ms": Math.round(slowest[Math.floor(slowest.length / 2)] ?? 0),
    "their p95, ms": Math.round(slowest[Math.floor(slowest.length * 0.95)] ?? 0),
    "memory before, MB": memoryBefore,
    "memory afterwards, MB": memoryAfter,
    "files open before and afterwards": before.files,
    "places taken afterwards": 0,
  });
}, 900_000);
