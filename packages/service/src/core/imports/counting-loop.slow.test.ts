import type { ImportRun } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isLong } from "../../../../../testing/seed.js";
import { startFaultProxy, type Fault, type FaultProxy } from "../../../testing/fault-proxy.js";
import { openPatientDatabase, useApp, type Answer } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { connectPreparing } from "../../../testing/preparing-client.js";
import { buildApp } from "../../app.js";
import { readConfig } from "../config.js";
import type { Database } from "../database/pool.js";
import { features } from "../../features.js";
import { consistencyChecks } from "../verify/verify.js";
import { retryMs } from "./failed-runs.js";

// Breaks the 1st, 2nd, 3rd ... step of an import until an import completes undisturbed, and replays each of
// them. The service under test reaches its database through a proxy; `gatehouse` is a healthy instance that
// replays and checks.
const gatehouse = useApp();
const poison = "poison";
let proxy: FaultProxy;
let database: Database;
let app: FastifyInstance;
/** For the many `verify` checks: their statements are planned once. */
let checker: pg.Client;

beforeAll(async () => {
  checker = await connectPreparing(gatehouse.connectionString);
  proxy = await startFaultProxy(gatehouse.connectionString);
  database = openPatientDatabase({ connectionString: proxy.connectionString, workConnections: 3 });
  const config = {
    ...readConfig({ GATEHOUSE_LIMITS: "importTransactions=100000/60,importAccounts=100000/60" }),
    trustedProxies: ["127.0.0.1"],
    secretKey: Buffer.alloc(32, 7),
  };
  // Keys and limits use a direct connection, because only the import should fail.
  const parts = { ...gatehouse.database, work: database.work };
  // Otherwise periodic work, such as recording earlier failed runs, would count among the steps of an import.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  app = await buildApp({
    config,
    database: parts,
    logger: pino({ level: "silent" }),
    maxEventLoopDelayMs: 0,
    commitCheckTimeoutMs: 0,
  });
  // The database rejects one card type, so a record with it makes the import bisect the batch with
  // savepoints.
  await gatehouse.database.work.query(
    `alter table transactions add constraint no_poison check (card_type <> '${poison}')`,
  );
});
afterAll(async () => {
  await app.close();
  vi.useRealTimers();
  await database.close();
  await proxy.close();
  await checker.end();
});

const faults: { fault: Fault; forEver: boolean }[] = [
  { fault: "failed", forEver: false },
  { fault: "refused", forEver: false },
  { fault: "cut before", forEver: false },
  { fault: "cut after", forEver: false },
  { fault: "lost by a pooler", forEver: false },
  { fault: "cut, runs late", forEver: false },
  { fault: "failed", forEver: true },
  { fault: "refused", forEver: true },
  { fault: "cut before", forEver: true },
  { fault: "cut after", forEver: true },
];

/** All steps of a test share an organization, so the identifiers in a batch name the step. */
type MakeBatch = (partner: Importer, step: number) => Record<string, unknown>[];

const storedBefore = (step: number) => `stored before ${step}`;

/** A batch that uses every path of an import: it creates all related entities, skips with differences, and fails. */
const mixedBatch: MakeBatch = (partner, step) => [
  partner.transaction(`T-1 ${step}`, related(`one-${step}`)),
  partner.transaction(`T-2 ${step}`, related(`one-${step}`)),
  partner.transaction(`T-3 ${step}`, related(`three-${step}`)),
  partner.transaction(`T-1 ${step}`, { amountTotal: 5 }),
  partner.transaction(storedBefore(step), { amountTotal: 5 }),
  partner.transaction(`T-4 ${step}`, { type: 9 }),
];

const newBatch: MakeBatch = (partner, step) => [
  partner.transaction(`T-1 ${step}`, related(`one-${step}`)),
  partner.transaction(`T-2 ${step}`),
];

const replayedBatch: MakeBatch = (partner, step) => [
  partner.transaction(storedBefore(step)),
  partner.transaction(storedBefore(step)),
];

const poisonedBatch: MakeBatch = (partner, step) => [
  partner.transaction(`T-1 ${step}`, { cardType: poison }),
  partner.transaction(`T-2 ${step}`, related(`one-${step}`)),
];

function related(name: string): object {
  return {
    account: { tpReferenceId: `A-${name}`, name: "Acme" },
    contact: { email: `${name}@example.com` },
    vehicle: { licensePlate: `PLATE ${name}` },
    subscription: { tpReferenceId: `S-${name}` },
  };
}

const hardest = new Set(["cut after", "cut, runs late"]);
/** Permanent faults end in the same answers as these; the long form tests them. */
const alike = new Set<Fault>(["refused", "cut before"]);
for (const { fault, forEver } of faults) {
  if (!isLong && forEver && alike.has(fault)) continue;
  const name = `${fault}${forEver ? ", and everything after it" : ""}`;
  const isCut = fault.startsWith("cut");

  test(`whichever step of an import fails (${name}), data is stored once, without orphans or lost connections`, async () => {
    const steps = await spoilEveryStep({ fault, forEver, expected: [1, 1, 1, 3, 3, 4] }, mixedBatch);
    expect(steps).toBeGreaterThan(15);
  });

  // The mixed batch takes every step of the others. In the short form, the others only get the faults that
  // are hardest to detect: the answer to a step is lost, or the step runs after the client has given up.
  if (!isLong && !hardest.has(name)) continue;
  test(`the same for a batch in which every record is a replay (${name})`, async () => {
    const steps = await spoilEveryStep({ fault, forEver, expected: [3, 3] }, replayedBatch);
    expect(steps).toBeGreaterThan(7);
  });

  test(`the same for a batch in which every record is created (${name})`, async () => {
    const steps = await spoilEveryStep({ fault, forEver, expected: [1, 1] }, newBatch);
    expect(steps).toBeGreaterThan(12);
  });

  if (!isLong && fault !== "cut after") continue;
  test(`the same for a batch that is bisected because of a rejected record (${name})`, async () => {
    // An error of the server during bisection can fail the run, or give a record a 99.
    const expected = isCut ? [4, 1] : undefined;
    const steps = await spoilEveryStep({ fault, forEver, expected }, poisonedBatch);
    expect(steps).toBeGreaterThan(25);
  });
}

interface Spoiling {
  fault: Fault;
  forEver: boolean;
  /** The outcomes of an answered run; undefined if they may differ and the run may fail. */
  expected: number[] | undefined;
}

/** Returns how many steps an undisturbed import takes. */
async function spoilEveryStep({ fault, forEver, expected }: Spoiling, makeBatch: MakeBatch): Promise<number> {
  const partner = await importer(gatehouse);
  const told: Told = new Map();
  const runs: { run: ImportRun; where: string }[] = [];
  for (let nth = 1; ; nth += 1) {
    const where = `step ${nth}`;
    const before = await partner.importTransactions(partner.transaction(storedBefore(nth)));
    learn(told, before, where);
    const batch = makeBatch(partner, nth);

    proxy.spoil(nth, fault, forEver);
    const answer = await post(partner, batch);
    const { steps, spoiled } = proxy.heal();
    // The request recovers from a single fault. A permanent fault is reported, and then nothing was stored,
    // unless everything was stored and the database cannot be asked. Without a connection from the start,
    // there is no run.
    if (expected) {
      const possible = forEver && spoiled > 0 ? [500, 503] : [200];
      expect(possible, `${where}: ${answer.status} ${answer.text}`).toContain(answer.status);
      if (answer.status === 200) expect(statusesOf(answer.json), where).toEqual(expected);
    }
    if (answer.status === 503 || (answer.status === 500 && fault !== "cut after"))
      expect(await partner.count("transactions"), where).toBe(told.size);
    const answered = answer.status === 503 ? [] : [answer.json];
    await expectExactlyOnce(partner, { batch, answered: [before, ...answered], told, where });
    await expectNoConnectionLeaked(where);
    runs.push({ run: answer.status === 503 ? before : answer.json, where });
    if (spoiled > 0) continue;
    for (const one of runs) await expectRecorded(partner, one);
    await expectNothingDangling(partner);
    return steps;
  }
}

function statusesOf(run: ImportRun): number[] {
  return run.results.map(({ status }) => status);
}

async function post(partner: Importer, transactions: unknown[]): Promise<Answer> {
  const answer = await app.inject({
    method: "POST",
    url: "/integrations/transactions",
    headers: {
      "x-forwarded-proto": "https",
      "x-api-key": partner.apiKey,
      "content-type": "application/json",
    },
    payload: { transactions },
  });
  return { status: answer.statusCode, headers: {}, text: answer.body, json: answer.json() };
}

/** The first reported uuid for each key of the organization. */
type Told = Map<string, string>;

function learn(told: Told, { results }: ImportRun, where: string): void {
  for (const { reference, uuid } of results) {
    if (uuid === undefined) continue;
    expect(told.get(reference) ?? uuid, `${where}: the uuid of ${reference}`).toBe(uuid);
    told.set(reference, uuid);
  }
}

/** Whatever the answer was, resending the batch leaves every key stored once, under the first reported uuid. */
async function expectExactlyOnce(
  partner: Importer,
  {
    batch,
    answered,
    told,
    where,
  }: { batch: Record<string, unknown>[]; answered: ImportRun[]; told: Told; where: string },
): Promise<void> {
  const all = [...answered, await partner.importTransactions(...batch)];
  for (const run of all) learn(told, run, where);
  const created = all
    .flatMap(({ results }) => results)
    .filter(({ status }) => status === 1)
    .map(({ reference }) => reference);
  expect(created, where).toEqual([...new Set(created)]);

  const stored = await partner.rows("transactions");
  expect(new Map(stored.map((row) => [row["transaction_id"], row["id"]])), where).toEqual(told);
  expect(stored, where).toHaveLength(told.size);
}

/** The history has a run as it was answered; a run that failed as a whole appears as soon as the database is back. */
async function expectRecorded(
  partner: Importer,
  { run, where }: { run: ImportRun; where: string },
): Promise<void> {
  const { referenceUuid, results } = run;
  const status = async () => {
    vi.advanceTimersByTime(retryMs);
    return (await partner.get(referenceUuid)).status;
  };
  await expect.poll(status, { interval: 5, message: where }).toBe(200);
  const { json } = await partner.get(referenceUuid);
  if (results.some(({ reasonCode }) => reasonCode !== 99)) expect(json, where).toEqual(run);
}

/** Every reference in the organization has a target, and every counter is correct. */
async function expectNothingDangling(partner: Importer): Promise<void> {
  for (const check of await consistencyChecks(features))
    expect(await check.run(checker, partner.organizationId), check.name).toMatchObject({ violations: 0 });
}

async function expectNoConnectionLeaked(where: string): Promise<void> {
  const { work } = database;
  await expect
    .poll(() => work.totalCount - work.idleCount + work.waitingCount, { interval: 5, message: where })
    .toBe(0);
  // A backend whose connection was cut needs a moment to notice.
  await expect.poll(transactionsLeftOpen, { interval: 5, message: where }).toBe(0);
}

async function transactionsLeftOpen(): Promise<number | undefined> {
  const { rows } = await gatehouse.database.work.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
  );
  return rows[0]?.count;
}
