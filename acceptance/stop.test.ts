import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:https";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, onTestFinished } from "vitest";
import { environment, flags } from "./command.js";
import { answerTo, begin, send } from "./requests.js";
import {
  databaseServers,
  leave,
  newPlaceWithDatabase,
  startService,
  until,
  type Place,
  type RunningService,
} from "./running-service.js";

let place: Place;
let key: string;
/**
 * Open connections are destroyed when a quarter of the time is left. The rest has to suffice for closing
 * everything, on a busy machine too.
 */
const shutdownSeconds = 20;
const checkout = fileURLToPath(new URL("..", import.meta.url));

beforeAll(async () => {
  place = await newPlaceWithDatabase({
    GATEHOUSE_SHUTDOWN_SECONDS: String(shutdownSeconds),
    GATEHOUSE_DEMO: "off",
  });
  await place.gatehouse(["migrate"]);
  const { json: organization } = await place.gatehouse([
    "organization",
    "create",
    "--name",
    "Acme",
    "--json",
  ]);
  const { json } = await place.gatehouse([
    "api-key",
    "create",
    ...flags({ organization: organization.uuid, name: "test" }),
    "--json",
  ]);
  key = json.key;
});
afterAll(() => leave(place));

/** Starts an import with a body of that length. The service has accepted it with 100 Continue. */
async function beginImport(service: RunningService, length: number) {
  const request = begin(`${service.apiAddress}/integrations/accounts`, {
    method: "POST",
    ca: service.ca,
    key,
    headers: {
      "content-type": "application/json",
      "content-length": length,
      expect: "100-continue",
    },
  });
  const answer = answerTo(request);
  request.flushHeaders();
  await once(request, "continue");
  return { request, answer };
}

/** An import whose body is only half sent. */
async function halfSentImport(service: RunningService) {
  const body = JSON.stringify({ accounts: [{ tpReferenceId: `A-${Date.now()}`, name: "Acme" }] });
  const { request, answer } = await beginImport(service, body.length);
  request.write(body.slice(0, 10));
  return { answer, finish: () => request.end(body.slice(10)) };
}

/** An import whose body arrives fast enough to be waited for and outlasts the shutdown. */
async function endlessImport(service: RunningService): Promise<{ answer: Promise<unknown> }> {
  const { request, answer } = await beginImport(service, 5_000_000);
  const portions = setInterval(() => request.write(" ".repeat(1024)), 1_000);
  return { answer: answer.catch((error: Error) => error).finally(() => clearInterval(portions)) };
}

const cutMessage = "shutdown is slow, destroying open connections";
const messagesOf = (service: RunningService): unknown[] => service.log().map(({ msg }) => msg);

async function refused(service: RunningService): Promise<boolean> {
  return send(`${service.apiAddress}/livez`, { ca: service.ca, agent: false }).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "ECONNREFUSED",
  );
}

async function expectNoDatabaseServer(): Promise<void> {
  expect(await databaseServers(place.variables["GATEHOUSE_DATA_DIR"] as string)).toEqual([]);
}

test("SIGTERM: an import in progress is answered, new requests are rejected, idle connections do not delay the exit", async () => {
  const service = await startService(place);
  // A keep-alive connection that was used and is idle, a busy one, and one that never sends anything.
  const agent = new Agent({ keepAlive: true });
  await service.send("/livez", { agent });
  const silent = connect(Number(new URL(service.apiAddress).port), "127.0.0.1").on("error", () => {});
  const { answer, finish } = await halfSentImport(service);

  service.kill("SIGTERM");
  await until(() => refused(service));
  const readiness = await send(`${service.plainAddress}/readyz`);
  expect(readiness.status).toBe(503);
  expect(readiness.json).toEqual({ status: "not ready", reason: "shutting down" });
  const plainApi = await send(`${service.plainAddress}/integrations/locations`);
  expect(plainApi.status).toBe(503);
  expect(plainApi.json).toMatchObject({ success: false, message: "The service is shutting down" });

  finish();
  expect(await answer).toMatchObject({ status: 200, headers: { connection: "close" } });
  expect(await service.ended).toEqual({ exitCode: 0, signal: null });
  // A connection that delayed the shutdown would have been destroyed.
  expect(messagesOf(service)).not.toContain(cutMessage);
  await expectNoDatabaseServer();
  agent.destroy();
  silent.destroy();
});

function draining(drainSeconds: number): Place {
  return { ...place, variables: { ...place.variables, GATEHOUSE_DRAIN_SECONDS: String(drainSeconds) } };
}

/** An import that is sent at once, on a new connection or on one of the agent's. */
async function importAccount(service: RunningService, agent: Agent | false): Promise<number> {
  const body = { accounts: [{ tpReferenceId: `D-${performance.now()}`, name: "Acme" }] };
  return (await service.send("/integrations/accounts", { key, body, agent })).status;
}

test("SIGTERM with drain time: /readyz returns 503 at once, and imports are still accepted, also on new connections", async () => {
  const service = await startService(draining(600));
  onTestFinished(() => service.kill("SIGKILL"));
  const agent = new Agent({ keepAlive: true });
  expect(await importAccount(service, agent)).toBe(200);
  service.kill("SIGTERM");
  for (const address of [service.plainAddress, service.apiAddress]) {
    const readyz = () => send(`${address}/readyz`, { ca: service.ca, agent: false });
    await until(async () => (await readyz()).status === 503);
    expect((await readyz()).json).toEqual({ status: "not ready", reason: "shutting down" });
  }
  for (const connection of [false, agent] as const)
    expect(await importAccount(service, connection)).toBe(200);
  // The answer closes the connection, so the client's next request may reach another instance.
  const alive = await send(`${service.plainAddress}/livez`);
  expect(alive).toMatchObject({ status: 200, headers: { connection: "close" } });
  agent.destroy();

  // A second signal skips the drain time. Signals within a second after the first count as the same.
  let hasEnded = false;
  void service.ended.then(() => (hasEnded = true));
  await until(async () => {
    service.kill("SIGTERM");
    return hasEnded;
  });
  expect(await service.ended).toEqual({ exitCode: 1, signal: null });
});

test("after the drain time the shutdown has its full time, and a request that never ends is cut within it", async () => {
  const service = await startService(draining(1));
  const begunMs = performance.now();
  const { answer } = await endlessImport(service);
  service.kill("SIGTERM");
  // A shutdown that exceeds its time is aborted and exits with 1.
  expect(await service.ended).toEqual({ exitCode: 0, signal: null });
  // Draining took no time from the shutdown.
  expect(performance.now() - begunMs).toBeGreaterThanOrEqual(1_000 + shutdownSeconds * 750);
  expect(await answer).toBeInstanceOf(Error);
  const order = [
    "draining: no longer ready, still serving requests",
    "shutting down",
    cutMessage,
    "shutdown complete",
  ];
  expect(messagesOf(service).filter((message) => order.includes(String(message)))).toEqual(order);
  await expectNoDatabaseServer();
});

test("Ctrl-C does not drain, because a user at the terminal waits for it", async () => {
  const service = await startService(draining(600));
  service.kill("SIGINT");
  expect(await service.ended).toEqual({ exitCode: 0, signal: null });
  expect(service.log().map(({ msg }) => msg)).not.toContain(
    "draining: no longer ready, still serving requests",
  );
  await expectNoDatabaseServer();
});

/** `npm start` in a separate process group, as in a terminal. */
async function npmStart(): Promise<ChildProcess> {
  const npm = spawn("npm", ["start"], {
    cwd: checkout,
    env: environment(place.variables),
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: npm.stdout })) {
    if (line.includes('"msg":"ready"')) break;
  }
  return npm;
}

test("Ctrl-C under npm start, which reaches the service twice, stops everything and counts once", async () => {
  const npm = await npmStart();
  process.kill(-(npm.pid as number), "SIGINT");
  expect(await once(npm, "exit")).toEqual([0, null]);
  await expectNoDatabaseServer();
});

test("SIGTERM to npm alone stops everything", async () => {
  const npm = await npmStart();
  npm.kill("SIGTERM");
  expect(await once(npm, "exit")).toEqual([0, null]);
  await expectNoDatabaseServer();
});

test("a second signal later ends the process at once", async () => {
  const service = await startService(place);
  const { answer } = await endlessImport(service);
  service.kill("SIGTERM");
  await until(async () => messagesOf(service).includes("shutting down"));
  await sleep(1_100);
  service.kill("SIGTERM");
  expect(await service.ended).toEqual({ exitCode: 1, signal: null });
  expect(await answer).toBeInstanceOf(Error);
});
