import { afterAll, beforeAll, expect, test } from "vitest";
import {
  attack,
  bystander,
  startProduction,
  watchMemory,
  type RawConnection,
  type Reported,
} from "./hostile-clients.js";
import { liftedLimits } from "./fleet.js";
import { percentile95 } from "./percentile.js";
import { amount, isLong, startRig, type Rig } from "./rig.js";
import { consoleTable, interfaceRoutes, type DeclaredRoute } from "./routes.js";
import { leave, stop, type Place, type RunningService } from "../running-service.js";

// Clients that frame their requests as unfavourably as HTTP allows, against the built product with the memory
// limit of production. Another client imports meanwhile.

const variables = { GATEHOUSE_LIMITS: liftedLimits };
const password = "correct horse battery staple";
const chunkSizes = [1, 1, 2, 7, 64, 1_024, 16_384, 65_536];
const unknownUuid = "00000000-0000-7000-8000-000000000000";
/** The number of requests of one user that are handled at the same time. Others wait before their bodies are read. */
const routesOfPerson = 2;
const people = 6;
/** Memory per byte of a flood in one-byte chunks. */
const allowedFloodBytes = 30;
/** The maximum duration of the other client's requests in the short form, on a machine that answers quickly when quiet. */
const allowedSlowestMs = 2_000;
/** The memory that an attack may take in any case, and the additional amount per received byte. */
const allowedMegabytes = 128;
const allowedBytesPerByte = 3;
/** The other client's p95 in the long form, which has the machine to itself, and its slowest request, relative to a quiet service. */
const allowedSlowdown = 20;

let place: Place;
let service: RunningService;
beforeAll(async () => {
  ({ place, service } = await startProduction(variables));
});
afterAll(async () => {
  await stop(service);
  await leave(place);
});

test("bodies in chunks of any size, slow and unfinished, on every route: memory and the latency of others are bounded", async () => {
  const rig = startRig("hostile framing");
  const routes = [...interfaceRoutes, ...consoleTable].filter(({ method }) => method !== "GET");
  const cookies = await Promise.all(Array.from({ length: people }, (_, index) => signIn(index)));
  const rounds = amount(1, 10);
  const notTaken: string[] = [];
  await judge(rig, { routes: routes.length }, async (send) => {
    for (let round = 0; round < rounds; round += 1)
      for (let at = 0; at < routes.length; at += people * routesOfPerson) {
        const some = routes.slice(at, at + people * routesOfPerson);
        const connections = some.map((route, index) =>
          unfinished(rig, route, cookies[index % people] as string),
        );
        const { taken } = await send(connections);
        for (const [index, { method, path }] of some.entries())
          if (!taken[index]) notTaken.push(`${method} ${path}`);
      }
  });
  expect(notTaken, "routes that took no body").toEqual([]);
});

test("bodies in one-byte chunks: memory per byte is bounded", async () => {
  const rig = startRig("one-byte chunks");
  const signIns = { method: "POST", path: "/console/api/session", caller: "anyone" } as const;
  const imports = { method: "POST", path: "/integrations/transactions", caller: "key" } as const;
  const flood = (route: DeclaredRoute, connections: number, times: number) =>
    Array.from({ length: connections }, () => ({
      ...unfinished(rig, route, ""),
      ...{ repeated: chunkOf(1), times, isSlow: false },
    }));
  // The console limits the connections per address.
  await judge(rig, { "bytes of memory for a byte, at most": allowedFloodBytes }, async (send) => {
    await send(flood(signIns, amount(48, 96), amount(24_000, 60_000)));
    await send(flood(imports, amount(1, 3), amount(300_000, 2_000_000)));
    if (!isLong) return;
    // They stop in the middle: the service closes them when they fall below the minimum rate.
    const stopped = flood(imports, 8, 100).map((connection) => ({ ...connection, isHeld: true }));
    expect((await send(stopped)).held).toBe(stopped.length);
  });
});

test("pipelined requests of any number with unread answers: the service survives, and memory and the latency of others are bounded", async () => {
  const rig = startRig("pipelines");
  const lengths = amount(1, 3) === 1 ? [2_000] : [100, 2_000, 10_000];
  const sizes = amount(1, 3) === 1 ? [200] : [1, 16, 64, 256];
  await judge(rig, { "requests in a write": lengths.join(" ") }, async (send) => {
    for (const times of lengths)
      for (const size of sizes)
        await send(
          Array.from({ length: size }, (_, index) => {
            const isPlain = index % 8 === 7;
            const path = rig.random.pick(["/livez", "/livez", "/openapi.json", "/absent"]);
            const repeated = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
            return { port: portOf(isPlain), isPlain, head: "", repeated, times, isDeaf: true };
          }),
        );
  });
});

type Attack = (connections: RawConnection[]) => Promise<Reported>;

/** Runs the attacks beside another client, and compares memory and its latency with a quiet service. */
async function judge(
  rig: Rig,
  facts: Record<string, number | string> & { "bytes of memory for a byte, at most"?: number },
  attacks: (send: Attack) => Promise<void>,
): Promise<void> {
  const other = bystander(service);
  for (let count = 0; count < amount(10, 100); count += 1) await other.ask();
  const quiet = other.tookMs.splice(0);
  const memory = watchMemory(service);
  const reported: Reported[] = [];
  await attacks(async (connections) => {
    const one = await attack(service, connections, () => other.ask());
    reported.push(one);
    return one;
  });
  await other.ask();
  other.leave();
  const sum = (count: (each: Reported) => number) => reported.reduce((total, each) => total + count(each), 0);
  const grownMegabytes = memory.peakMegabytes() - memory.beforeMegabytes;
  const slowdown = percentile95(other.tookMs) / percentile95(quiet);
  const bytes = sum((each) => each.bytes);
  const megabytes = Math.round(bytes / 1024 / 1024);
  const bytesPerByte = (grownMegabytes * 1024 * 1024) / bytes;
  const measured = {
    ...facts,
    "MB sent": megabytes,
    "bytes of memory for each": Number(bytesPerByte.toFixed(1)),
    "answered by an error": sum(({ statuses }) =>
      Object.entries(statuses).reduce((total, [status, count]) => total + (status >= "400" ? count : 0), 0),
    ),
    "memory before, MB": memory.beforeMegabytes,
    "memory at its peak, MB": memory.beforeMegabytes + grownMegabytes,
    "requests of another client": other.tookMs.length,
    "their p95 when quiet, ms": Math.round(percentile95(quiet)),
    "their p95 beside it, ms": Math.round(percentile95(other.tookMs)),
    "the slowest, ms": Math.round(Math.max(...other.tookMs)),
  };
  const told = JSON.stringify(measured);
  expect(grownMegabytes, told).toBeLessThan(allowedMegabytes + allowedBytesPerByte * megabytes);
  expect(bytesPerByte, told).toBeLessThan(
    facts["bytes of memory for a byte, at most"] ?? Number.POSITIVE_INFINITY,
  );
  if (isLong) expect(slowdown, told).toBeLessThan(allowedSlowdown);
  else
    expect(Math.max(...other.tookMs), told).toBeLessThan(
      Math.max(allowedSlowestMs, allowedSlowdown * percentile95(quiet)),
    );
  rig.held(measured);
}

/** A request to the route with an endless body in chunks of random size. */
function unfinished(rig: Rig, route: DeclaredRoute, cookie: string): RawConnection {
  const chunkBytes = rig.random.pick(chunkSizes);
  const bodyBytes = rig.random.between(4_000, amount(12_000, 60_000));
  const { key = "", organizationUuid = unknownUuid, locationUuid = unknownUuid } = service.demo ?? {};
  const known: Record<string, string> = { organizationUuid, locationUuid };
  const path = route.path.replaceAll(/:(\w+)/g, (_part, name: string) => known[name] ?? unknownUuid);
  const head = [
    `${route.method} ${path} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    "Expect: 100-continue",
    "Sec-Fetch-Site: same-origin",
    "Transfer-Encoding: chunked",
    ...(route.caller === "key" ? [`X-API-KEY: ${key}`] : []),
    ...(route.caller === "session" ? [`Cookie: ${cookie}`] : []),
    "",
    "",
  ].join("\r\n");
  return {
    port: portOf(false),
    isPlain: false,
    head,
    repeated: chunkOf(chunkBytes),
    times: Math.ceil(bodyBytes / chunkBytes),
    isSlow: rig.random.fraction() < 0.25,
    asksFirst: true,
  };
}

function chunkOf(bytes: number): string {
  return `${bytes.toString(16)}\r\n${" ".repeat(bytes)}\r\n`;
}

function portOf(isPlain: boolean): number {
  const { apiAddress, plainAddress } = service;
  return Number(new URL(isPlain ? plainAddress : apiAddress).port);
}

async function signIn(index: number): Promise<string> {
  const email = `operator-${index}@example.com`;
  await place.gatehouse(["user", "create", "--email", email, "--role", "operator"], `${password}\n`);
  const answer = await service.send("/console/api/session", {
    body: { email, password },
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect(answer.status, answer.text).toBe(200);
  return String(answer.headers["set-cookie"]).split(";")[0] as string;
}
