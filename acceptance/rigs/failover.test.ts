import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  leave,
  placeAt,
  startService,
  stop,
  until,
  type Place,
  type RunningService,
} from "../running-service.js";
import { liftedLimits, newTenant, type Tenant } from "./fleet.js";
import { acknowledgedKeys, contradictions, type Operation } from "./history.js";
import { startPair, type Pair } from "./pair.js";
import { amount, startRig, type Random } from "./rig.js";

const clients = 4;
const failovers = amount(1, 12);
/** The number of requests between two failovers. */
const peace = amount(40, 150);
const answerTimeoutMs = 60_000;

let pair: Pair;
let place: Place;
const services: RunningService[] = [];
/** Instances that exited unexpectedly, with the end of their log. */
const ended: object[] = [];
let tenant: Tenant;
beforeAll(async () => {
  pair = await startPair();
  place = placeAt(await mkdtemp(path.join(tmpdir(), "gatehouse-rig-")), {
    GATEHOUSE_DEMO: "off",
    GATEHOUSE_LIMITS: liftedLimits,
    LOG_LEVEL: "warn",
    DATABASE_URL: pair.connectionString,
  });
  for (let instance = 1; instance <= 2; instance += 1) services.push(await startWatched());
  tenant = await newTenant((...words) => place.gatehouse([...words, "--json"]), "Failover");
});

async function startWatched(): Promise<RunningService> {
  const service = await startService(place);
  void service.ended.then((how) => ended.push({ ...how, log: service.log().slice(-5) }));
  return service;
}

afterAll(async () => {
  await Promise.all(services.map(stop));
  await leave(place);
  await pair.leave();
});

interface Answered extends Operation {
  answeredMs?: number;
}

test("the primary dies under load and its standby takes over: no acknowledged record is lost or duplicated, and no instance restarts", async () => {
  const rig = startRig("failover");
  const operations: Answered[] = [];
  const over = new AbortController();
  onTestFinished(() => over.abort());
  let lastKey = 0;
  const newKey = (): number => (lastKey += 1);
  const working = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!over.signal.aborted) await importOnce(rig.random, operations, newKey);
    }),
  );
  // Errors of a client are reported below.
  working.catch(() => undefined);
  const answers = (): Answered[] => operations.filter(({ end }) => end === "ok");
  const takeoverMs: number[] = [];
  for (let failover = 1; failover <= failovers; failover += 1) {
    if (failover > 1) await pair.makeStandby();
    const atPeace = answers().length + peace;
    await until(async () => answers().length >= atPeace);
    await sleep(rig.random.between(0, 200));
    await pair.killPrimary();
    await pair.promote();
    const promotedMs = performance.now();
    const firstAnswer = () => answers().find(({ answeredMs = 0 }) => answeredMs > promotedMs);
    await until(async () => firstAnswer() !== undefined);
    const { answeredMs = 0, run } = firstAnswer() as Answered;
    takeoverMs.push(Math.round(answeredMs - promotedMs));
    if (failover === failovers) await expectFormerPrimaryLeftAlone(run?.referenceUuid ?? "");
  }
  const atEnd = answers().length + peace;
  await until(async () => answers().length >= atEnd);
  over.abort();
  await working;
  expect(ended).toEqual([]);

  expect(await findContradictions(operations)).toEqual([]);
  const acknowledged = acknowledgedKeys("transactions", operations).length;
  await replay(operations, lastKey);
  expect(await findContradictions(operations)).toEqual([]);
  expect((await place.gatehouse(["verify", "--json"])).json).toMatchObject({ ok: true });
  rig.held({
    failovers,
    "requests answered": answers().length,
    "requests of unknown end": operations.filter(({ end }) => end === "info").length,
    "transactions acknowledged": acknowledged,
    "ms from the promotion to the first acknowledged batch": takeoverMs.join(", "),
  });
}, 1_800_000);

/** A former primary that comes back accepts writes too, and is first in the list. Instances must not use it. */
async function expectFormerPrimaryLeftAlone(referenceUuid: string): Promise<void> {
  const endAgain = await pair.reviveFormerPrimary();
  const organization = ["--organization", tenant.organizationUuid];
  const shown = await place.gatehouse(["import", "show", referenceUuid, ...organization, "--json"]);
  expect(shown.json.referenceUuid).toBe(referenceUuid);
  const newcomer = await startService(place);
  try {
    const answer = await newcomer.send(`/integrations/imports/${referenceUuid}`, { key: tenant.key });
    expect(answer.status, answer.text).toBe(200);
  } finally {
    await stop(newcomer);
    await endAgain();
  }
}

/** One request of one client: new keys, and some that others send too. */
async function importOnce(random: Random, operations: Answered[], newKey: () => number): Promise<void> {
  const newest = newKey();
  const known = Array.from({ length: random.between(2, 8) }, () =>
    random.between(Math.max(1, newest - 40), newest),
  );
  const fresh = Array.from({ length: random.between(0, 10) }, newKey);
  const numbers = random.shuffled([...new Set([newest, ...known, ...fresh])]);
  const operation: Answered = { resource: "transactions", keys: numbers.map(keyOf), end: "pending" };
  operations.push(operation);
  try {
    const answer = await send(random.pick(services), numbers);
    operation.end = answer.status === 200 ? "ok" : "info";
    operation.answeredMs = performance.now();
    expect([200, 500, 503], answer.text).toContain(answer.status);
    if (answer.status !== 503) operation.run = answer.json;
  } catch (error) {
    if (!(error instanceof Error) || error.name === "AssertionError") throw error;
    operation.end = "info";
  }
  // Without a primary, every request fails at once.
  if (operation.end === "info") await sleep(10);
}

function send(service: RunningService, numbers: number[]) {
  return service.send("/integrations/transactions", {
    key: tenant.key,
    body: { transactions: numbers.map(recordOf) },
    timeout: answerTimeoutMs,
  });
}

function keyOf(number: number): string {
  return `T-${number}`;
}

/** Records depend only on their number, so all clients send the same ones. They share their relations. */
function recordOf(number: number): Record<string, unknown> {
  return {
    transactionId: keyOf(number),
    locationUuid: tenant.locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
    account: { tpReferenceId: `A-${Math.ceil(number / 2)}`, name: "Acme" },
    contact: { email: `c${number % 50}@example.com` },
    vehicle: { licensePlate: `P${number % 70}` },
  };
}

async function findContradictions(operations: Operation[]): Promise<string[]> {
  const stored = await pair.queryPrimary("select transaction_id as key, id as uuid from transactions");
  return contradictions("transactions", operations, stored);
}

/** Sends everything once more, without faults. Afterwards all of it is stored. */
async function replay(operations: Operation[], lastKey: number): Promise<void> {
  const sent = new Set(operations.flatMap(({ keys }) => keys));
  const all = Array.from({ length: lastKey }, (_, index) => index + 1).filter((one) => sent.has(keyOf(one)));
  for (let begin = 0; begin < all.length; begin += 500) {
    const part = all.slice(begin, begin + 500);
    const answer = await send(services[0] as RunningService, part);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({ failedCount: 0 });
    operations.push({ resource: "transactions", keys: part.map(keyOf), end: "ok", run: answer.json });
  }
}
