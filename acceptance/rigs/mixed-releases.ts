import { createHmac } from "node:crypto";
import { expect } from "vitest";
import type { Answer } from "../requests.js";
import type { RunningService } from "../running-service.js";
import { newTenant, type Tenant } from "./fleet.js";
import type { Release } from "./releases.js";
import { startRollout, type Rollout } from "./rollout.js";

/**
 * An instance of an older release beside one of this release, on one database. The older one does not know every
 * protection. What it writes must not weaken a protection of this release.
 */
interface Scene {
  rollout: Rollout;
  older: RunningService;
  current: RunningService;
  tenant: Tenant;
}

const password = "correct horse battery staple";
const ownPage = { "sec-fetch-site": "same-origin" };
/** Published: 60 accounts imports of an organization within a minute. */
const publishedImports = 60;

/** Answers what was tried, for the page of results. */
export async function tryProtectionsBeside(olderRelease: Release, release: Release) {
  // Published limits, except for the transactions of the other attempts.
  const rollout = await startRollout(release, 1, { GATEHOUSE_LIMITS: "importTransactions=1000000/60" });
  try {
    const older = await rollout.start(olderRelease);
    const [current] = rollout.instances as [RunningService];
    const tenant = await newTenant((...words) => rollout.command(release, ...words), "Mixed");
    const scene = { rollout, older, current, tenant };
    const attempts = [secondFactor, requiredFactor, revokedKeys, sharedLimit, removedMember, undoneRun];
    for (const attempt of attempts) await attempt(scene, release);
    expect((await rollout.command(release, "verify")).json).toMatchObject({ ok: true });
    return { release: olderRelease.version, beside: release.version, "protections tried": attempts.length };
  } finally {
    await rollout.leave();
  }
}

/** A session that the older release opened without a code is signed out here, and the sign-in asks for the code. */
async function secondFactor({ rollout, older, current, tenant }: Scene, release: Release): Promise<void> {
  const person = await addAdmin(rollout, release, tenant, "factor@example.com");
  const first = sessionAt(await signIn(current, person));
  const { json: started } = await first.post(current, "/session/second-factor", {
    currentPassword: password,
  });
  const codes = authenticator(started.secret);
  expect((await first.post(current, "/session/second-factor/confirm", { code: codes(-1) })).status).toBe(200);

  const withoutCode = await signIn(older, person);
  const throughOlder =
    withoutCode.status === 200 ? withoutCode : await signIn(older, { ...person, code: codes(0) });
  expect(throughOlder.status, throughOlder.text).toBe(200);
  const session = sessionAt(throughOlder);
  const keys = `/organizations/${tenant.organizationUuid}/api-keys`;
  for (const answer of [
    await session.get(current, "/session"),
    await session.post(current, keys, { name: "key" }),
  ])
    expect([answer.status, answer.json.code], answer.text).toEqual([401, "signedOut"]);
  expect((await signIn(current, person)).json.code).toBe("secondFactorNeeded");
  const again = sessionAt(await signIn(current, { ...person, code: codes(1) }));
  expect((await again.post(current, keys, { name: "key" })).status).toBe(200);
}

/** An organization that requires a second factor shows nothing to a session of the older release without one. */
async function requiredFactor({ rollout, older, current }: Scene, release: Release): Promise<void> {
  const tenant = await newTenant((...words) => rollout.command(release, ...words), "Strict");
  const person = await addAdmin(rollout, release, tenant, "strict@example.com");
  await rollout.database.query("update organizations set requires_second_factor = true where id = $1", [
    tenant.organizationUuid,
  ]);
  const session = sessionAt(await signIn(older, person));
  const answer = await session.get(current, `/organizations/${tenant.organizationUuid}/api-keys`);
  expect([answer.status, answer.json.code], answer.text).toEqual([403, "secondFactorMissing"]);
}

/** A key that one of the two revokes is refused by both from then on. */
async function revokedKeys({ rollout, older, current, tenant }: Scene, release: Release): Promise<void> {
  const person = await addAdmin(rollout, release, tenant, "keys@example.com");
  const session = sessionAt(await signIn(older, person));
  const keys = `/organizations/${tenant.organizationUuid}/api-keys`;
  for (const [maker, revoker] of [
    [older, current],
    [current, older],
  ] as const) {
    const { json: made } = await session.post(maker, keys, { name: "short-lived" });
    const statuses = () =>
      Promise.all(
        [older, current].map(
          async (one) => (await one.send("/integrations/locations", { key: made.key })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200]);
    expect((await session.post(revoker, `${keys}/${made.uuid}/revoke`, {})).status).toBe(200);
    expect(await statuses()).toEqual([401, 401]);
  }
}

/** Requests through both count in one window. */
async function sharedLimit({ older, current, tenant }: Scene): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: publishedImports + 20 }, (_, index) =>
      (index % 2 ? older : current).send("/integrations/accounts", {
        key: tenant.key,
        body: { accounts: [{ tpReferenceId: `L-${index}`, name: "Acme" }] },
      }),
    ),
  );
  const accepted = answers.filter(({ status }) => status === 200).length;
  const limited = answers.filter(({ status }) => status === 429).length;
  expect([accepted, limited]).toEqual([publishedImports, 20]);
}

/** Somebody whom this release disables has no session at the older one, and the other way round. */
async function removedMember({ rollout, older, current, tenant }: Scene, release: Release): Promise<void> {
  const admin = sessionAt(
    await signIn(current, await addAdmin(rollout, release, tenant, "boss@example.com")),
  );
  for (const [index, [opener, remover]] of [
    [older, current],
    [current, older],
  ].entries() as IterableIterator<[number, [RunningService, RunningService]]>) {
    const person = await addAdmin(rollout, release, tenant, `member-${index}@example.com`);
    const session = sessionAt(await signIn(opener, person));
    const uuid = (await session.get(opener, "/session")).json.user.uuid;
    const path = `/organizations/${tenant.organizationUuid}/members/${uuid}`;
    const changed = await admin.patch(remover, path, { disabled: true });
    expect(changed.status, changed.text).toBe(200);
    for (const one of [older, current]) expect((await session.get(one, "/session")).status).toBe(401);
    expect((await signIn(current, person)).status).toBe(401);
  }
}

/** A run that came through the older release is undone here, and its records can then be imported through either. */
async function undoneRun({ rollout, older, current, tenant }: Scene, release: Release): Promise<void> {
  const session = sessionAt(
    await signIn(current, await addAdmin(rollout, release, tenant, "undo@example.com")),
  );
  const sendThrough = async (one: RunningService) => {
    const { key, locationUuid } = tenant;
    const transactions = [
      { transactionId: "U-1", locationUuid, type: 1, transactionDate: "2026-04-01T14:30:00Z" },
    ];
    return (await one.send("/integrations/transactions", { key, body: { transactions } })).json;
  };
  for (const [importer, replayer] of [
    [older, current],
    [current, older],
  ] as const) {
    const run = await sendThrough(importer);
    expect(run.results[0].status).toBe(1);
    expect((await sendThrough(replayer)).results[0]).toMatchObject({ status: 3, uuid: run.results[0].uuid });
    const path = `/organizations/${tenant.organizationUuid}/runs/${run.referenceUuid}/undo`;
    const { json: preview } = await session.get(current, path);
    const undone = await session.post(current, path, { version: preview.version });
    expect(undone.status, undone.text).toBe(200);
  }
  expect((await sendThrough(older)).results[0].status).toBe(1);
}

interface Person {
  email: string;
  password: string;
}

async function addAdmin(rollout: Rollout, release: Release, tenant: Tenant, email: string): Promise<Person> {
  const account = ["--email", email, "--role", "admin", "--organization", tenant.organizationUuid];
  const { exitCode, stderr } = await rollout
    .place(release)
    .gatehouse(["user", "create", ...account], password);
  expect(exitCode, stderr).toBe(0);
  return { email, password };
}

function signIn(service: RunningService, body: Person & { code?: string }): Promise<Answer> {
  return service.send("/console/api/session", { body, headers: ownPage });
}

/** The session of a sign-in. Its cookie goes under the names of all releases, as behind one host name. */
function sessionAt(signedIn: Answer) {
  const token = /-session=([\w-]+)/.exec(String(signedIn.headers["set-cookie"]))?.[1];
  const names = ["__Host-gatehouse-session", "__Secure-gatehouse-session"];
  const headers = { ...ownPage, cookie: names.map((name) => `${name}=${token}`).join("; ") };
  const send = (service: RunningService, path: string, sending = {}) =>
    service.send(`/console/api${path}`, { headers, ...sending });
  return {
    get: (service: RunningService, path: string) => send(service, path),
    post: (service: RunningService, path: string, body: object) => send(service, path, { body }),
    patch: (service: RunningService, path: string, body: object) =>
      send(service, path, { method: "PATCH", body }),
  };
}

/** An authenticator app: gives the code of so many steps from now (RFC 6238). */
function authenticator(secret: string): (stepsFromNow: number) => string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return (stepsFromNow) => {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsFromNow));
    const digest = createHmac("sha1", key).update(counter).digest();
    const offset = (digest.at(-1) as number) & 15;
    return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
  };
}
