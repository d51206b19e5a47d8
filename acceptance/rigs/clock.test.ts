import { randomUUID } from "node:crypto";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer, Sending } from "../requests.js";
import { until } from "../running-service.js";
import { liftedLimits, startFleet, type Fleet, type Instance, type Tenant } from "./fleet.js";
import { amount, startRig, type Random } from "./rig.js";

// Two instances on one database. The wall clock of one of them jumps by hours, forward and back, while
// partners and users use both in turn. They must not notice.
const rounds = amount(2, 100);
const maxJumpHours = 12;
const hourMs = 3_600_000;
/** The maximum difference between the database's clock and an instance's estimate of it, on a busy machine. */
const toleranceMs = 5_000;
const ownPage = { "sec-fetch-site": "same-origin" };
const password = "correct horse battery staple";

let folder: string;
let fleet: Fleet;
/** One connection for all queries of the rig. */
let database: pg.Client;
let cookie: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-clocks-"));
  fleet = await startFleet(2, {
    NODE_OPTIONS: `--import=${new URL("shifted-clock.js", import.meta.url).href}`,
    SHIFTED_CLOCKS: folder,
    GATEHOUSE_LIMITS: `${liftedLimits},getImport=5/60,listLocations=3/1`,
  });
  database = new pg.Client({ connectionString: fleet.database.connectionString });
  await database.connect();
  await fleet.tell(`${password}\n`, "user", "create", "--email", "op@example.com", "--role", "operator");
  const body = { email: "op@example.com", password };
  const signedIn = await at(0).send("/console/api/session", { body, headers: ownPage });
  cookie = String(signedIn.headers["set-cookie"]).split(";")[0] as string;
});
afterAll(async () => {
  await database.end();
  await fleet.leave();
  await rm(folder, { recursive: true, force: true });
});

const at = (index: number) => (fleet.instances[index] as Instance).service;

/** Written atomically, because an instance may read it at any moment. */
async function setClock(instance: number, offsetMs: number): Promise<void> {
  const file = path.join(folder, String(at(instance).pid));
  await writeFile(`${file}.new`, String(offsetMs));
  await rename(`${file}.new`, file);
}

const databaseMs = async (): Promise<number> => {
  const { rows } = await database.query("select extract(epoch from clock_timestamp()) * 1000 as ms");
  return Number(rows[0].ms);
};

/** Requests of a console user to one of the instances. */
async function askConsole(instance: number, pathname: string, body?: unknown): Promise<Answer> {
  const sending: Sending = { headers: { ...ownPage, cookie }, ...(body === undefined ? {} : { body }) };
  return at(instance).send(`/console/api${pathname}`, sending);
}

async function newTenant(instance: number): Promise<Tenant> {
  const organization = (await askConsole(instance, "/organizations", { name: "Clock" })).json;
  const root = `/organizations/${organization.uuid}`;
  const place = { address: "1 Main St", city: "New York", state: "NY", zipcode: "10001" };
  const fields = { ...place, name: "Garage", timeZone: "America/New_York" };
  const location = (await askConsole(instance, `${root}/locations`, fields)).json;
  const key = (await askConsole(instance, `${root}/api-keys`, { name: "rig" })).json;
  return {
    organizationUuid: organization.uuid,
    locationUuid: location.uuid,
    key: key.key,
    keyUuid: key.uuid,
  };
}

const uuids = new Set<string>();
const noteNew = (uuid: string): void => {
  expect(uuids.has(uuid), uuid).toBe(false);
  uuids.add(uuid);
};

/** Consecutive runs on alternating instances are listed and dated in order. */
async function importsAreInOrder(tenant: Tenant, random: Random, jump: () => Promise<void>): Promise<void> {
  const { key, locationUuid } = tenant;
  const sent: string[] = [];
  for (let number = 0; number < 4; number += 1) {
    if (number === 2) await jump();
    const transactions = Array.from({ length: random.between(1, 20) }, () => ({
      transactionId: randomUUID(),
      locationUuid,
      type: 1,
      transactionDate: "2026-04-01T14:30:00Z",
    }));
    const before = await databaseMs();
    const answer = await at(number % 2).send("/integrations/transactions", { key, body: { transactions } });
    const after = await databaseMs();
    const run = answer.json;
    expect([answer.status, run.successCount]).toEqual([200, transactions.length]);
    expect(run.durationMs).toBeGreaterThanOrEqual(0);
    expect(Date.parse(run.completedAt) - Date.parse(run.startedAt)).toBe(run.durationMs);
    expect(Date.parse(run.startedAt)).toBeGreaterThan(before - toleranceMs);
    expect(Date.parse(run.completedAt)).toBeLessThan(after + toleranceMs);
    const created: string[] = run.results.map((result: { uuid: string }) => result.uuid);
    expect(created).toEqual(created.toSorted());
    for (const uuid of [run.referenceUuid, ...created]) noteNew(uuid);
    sent.push(run.referenceUuid);
    const replay = await at((number + 1) % 2).send("/integrations/transactions", {
      key,
      body: { transactions },
    });
    expect(replay.json.results.map((result: { uuid: string }) => result.uuid)).toEqual(created);
    expect(replay.json.skippedCount).toBe(transactions.length);
    noteNew(replay.json.referenceUuid);
    sent.push(replay.json.referenceUuid);
  }
  for (const instance of [0, 1]) {
    const listed = (await at(instance).send("/integrations/imports", { key })).json.data;
    expect(listed.map((run: { referenceUuid: string }) => run.referenceUuid)).toEqual(sent.toReversed());
  }
}

/** The limit is exact, and a caller is never blocked for longer than a window. */
async function limitsHold(tenant: Tenant, jump: () => Promise<void>): Promise<void> {
  const statuses: number[] = [];
  for (let number = 0; number < 8; number += 1) {
    if (number === 3) await jump();
    const answer = await at(number % 2).send(`/integrations/imports/${randomUUID()}`, { key: tenant.key });
    statuses.push(answer.status);
    expect(Number(answer.headers["x-ratelimit-reset"]) * 1000).toBeLessThan(
      (await databaseMs()) + 61_000 + toleranceMs,
    );
  }
  expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429, 429]);
  const list = async (instance: number) =>
    (await at(instance).send("/integrations/locations", { key: tenant.key })).status;
  for (const instance of [0, 1]) {
    await Promise.all([0, 1, 2, 3].map(() => list(instance)));
    await jump();
    await until(async () => (await list(instance)) === 200);
  }
}

/** A key has the lifetime that it was given, whichever instance created it or checks it. */
async function keysExpireOnTime({ organizationUuid }: Tenant, shifted: number): Promise<void> {
  const keys = `/organizations/${organizationUuid}/api-keys`;
  const usable = async (key: string) =>
    (await Promise.all([0, 1].map((instance) => at(instance).send("/integrations/imports", { key })))).map(
      ({ status }) => status,
    );
  const inMs = async (ms: number) => new Date((await databaseMs()) + ms).toISOString();
  const create = async (expiresAt: string) => askConsole(shifted, keys, { name: "short", expiresAt });
  expect((await create(await inMs(-60_000))).status).toBe(400);
  const made = await create(await inMs(hourMs));
  expect(made.status, made.text).toBe(200);
  expect(await usable(made.json.key)).toEqual([200, 200]);
  const rotated = await askConsole(shifted, `${keys}/${made.json.uuid}/rotate`, { overlapMs: 0 });
  expect(rotated.status, rotated.text).toBe(200);
  expect(await usable(rotated.json.key)).toEqual([200, 200]);
  expect(Math.abs(Date.parse(rotated.json.expiresAt) - (await databaseMs()) - hourMs)).toBeLessThan(60_000);
  expect(await usable(made.json.key)).toEqual([401, 401]);
  await database.query("update api_keys set expires_at = now() where id = $1", [rotated.json.uuid]);
  expect(await usable(rotated.json.key)).toEqual([401, 401]);
}

/** One lead per Idempotency-Key, and duplicates only within ten minutes, whichever instance took the first. */
async function leadsAreOnce({ key, locationUuid, organizationUuid }: Tenant, random: Random): Promise<void> {
  const submit = async (instance: number, email: string, idempotencyKey?: string) => {
    const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
    const answer = await at(instance).send("/lead/submit", { key, body: { email, locationUuid }, headers });
    expect(answer.status, answer.text).toBe(200);
    expect(Math.abs(Date.parse(answer.json.timestamp) - (await databaseMs()))).toBeLessThan(60_000);
    return answer.json.leadUuid as string;
  };
  const first = random.between(0, 1);
  const once = randomUUID();
  const leadUuid = await submit(first, `${once}@example.com`, once);
  expect(await submit(1 - first, `${once}@example.com`, once)).toBe(leadUuid);
  noteNew(leadUuid);

  const duplicateOf = async (uuid: string) => {
    const statement = "select duplicate_of from leads where organization_id = $1 and id = $2";
    return (await database.query(statement, [organizationUuid, uuid])).rows[0].duplicate_of;
  };
  const original = await submit(first, "jo@example.com");
  expect(await duplicateOf(original)).toBeNull();
  expect(await duplicateOf(await submit(1 - first, "jo@example.com"))).toBe(original);
  await database.query(
    "update leads set created_at = created_at - interval '11 minutes' where organization_id = $1",
    [organizationUuid],
  );
  expect(await duplicateOf(await submit(random.between(0, 1), "jo@example.com"))).toBeNull();
}

test("clock jumps of hours on one of two instances have no visible effect", async () => {
  const rig = startRig("clock");
  let jumps = 0;
  for (let round = 0; round < rounds; round += 1) {
    const shifted = rig.random.between(0, 1);
    await setClock(1 - shifted, 0);
    const jump = async (): Promise<void> => {
      const hours = rig.random.between(1, maxJumpHours) * rig.random.pick([-1, 1]);
      await setClock(shifted, hours * hourMs);
      jumps += 1;
    };
    await jump();
    const tenant = await newTenant(shifted);
    await importsAreInOrder(tenant, rig.random, jump);
    await limitsHold(tenant, jump);
    await keysExpireOnTime(tenant, shifted);
    await leadsAreOnce(tenant, rig.random);
    for (const instance of [0, 1]) expect((await askConsole(instance, "/session")).status).toBe(200);
  }
  await Promise.all([0, 1].map((instance) => setClock(instance, 0)));
  const headers = { ...ownPage, cookie };
  expect((await at(0).send("/console/api/session", { method: "DELETE", headers })).status).toBe(204);
  expect((await askConsole(1, "/session")).status).toBe(401);
  expect((await fleet.gatehouse("verify")).json).toMatchObject({ ok: true });
  rig.held({ rounds, jumps, "identifiers, all different": uuids.size });
}, 900_000);
