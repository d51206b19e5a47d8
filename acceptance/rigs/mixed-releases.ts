import { createHmac } from "node:crypto";
import { expect } from "vitest";
import type { Answer } from "../requests.js";
import type { CommandResult } from "../command.js";
import { until, type RunningService } from "../running-service.js";
import { newTenant, type Tenant } from "./fleet.js";
import type { Release } from "./releases.js";
import { startRollout, type Rollout } from "./rollout.js";

/**
 * An instance of an older release beside one of this release, on one database. The older one does not know
 * every protection. Its writes must not weaken a protection of this release.
 */
interface Scene {
  rollout: Rollout;
  olderRelease: Release;
  older: RunningService;
  current: RunningService;
  tenant: Tenant;
}

const password = "correct horse battery staple";
const ownPage = { "sec-fetch-site": "same-origin" };
/** Published: 60 imports of accounts per organization and minute. */
const publishedImports = 60;

/** Returns what was tried, for the results page. */
export async function tryProtectionsBeside(olderRelease: Release, release: Release) {
  // Published limits, except for the transactions of the other checks.
  const rollout = await startRollout(release, 1, { GATEHOUSE_LIMITS: "importTransactions=1000000/60" });
  try {
    const older = await rollout.start(olderRelease);
    const [current] = rollout.instances as [RunningService];
    const tenant = await newTenant((...words) => rollout.command(release, ...words), "Mixed");
    const scene = { rollout, olderRelease, older, current, tenant };
    const attempts = [
      ...[secondFactor, requiredFactor, revokedKeys, sharedLimit, removedMember, undoneRun],
      ...[linksWithoutMaker, invitationWithoutMaker, shorterPeriod, twinAddresses, weakPassword, undoneBytes],
    ];
    for (const attempt of attempts) await attempt(scene, release);
    expect((await rollout.command(release, "verify")).json).toMatchObject({ ok: true });
    return { release: olderRelease.version, beside: release.version, "protections tried": attempts.length };
  } finally {
    await rollout.leave();
  }
}

/** A session that the older release opened without a code is invalid here, and the sign-in requires the code. */
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

/** A key that one of the two revokes is rejected by both from then on. */
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

/** A user whom this release disables has no session in the older one, and vice versa. */
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

/** Links of the older release open nothing here, and neither do sessions that it opens by a link. */
async function linksWithoutMaker(
  { rollout, older, current, tenant }: Scene,
  release: Release,
): Promise<void> {
  const maker = sessionAt(await signIn(older, await addAdmin(rollout, release, tenant, "maker@example.com")));
  const target = await addAdmin(rollout, release, tenant, "target@example.com");
  const { uuid } = (await sessionAt(await signIn(older, target)).get(older, "/session")).json.user;
  const path = `/organizations/${tenant.organizationUuid}/members/${uuid}/sign-in-link`;
  const tokenFrom = async (one: RunningService) => tokenOf((await maker.post(one, path, {})).json.link.path);
  const refused = await openLink(current, await tokenFrom(older));
  expect([refused.status, refused.json.code], refused.text).toEqual([401, "linkRefused"]);
  for (const token of [await tokenFrom(older), await tokenFrom(current)]) {
    const opened = await openLink(older, token);
    expect(opened.status, opened.text).toBe(200);
    expect((await sessionAt(opened).get(current, "/session")).status).toBe(401);
  }
  expect((await openLink(current, await tokenFrom(current))).status).toBe(200);
}

/** An invitation that the older release created or renewed can be accepted only after it was renewed here. */
async function invitationWithoutMaker(
  { rollout, older, current, tenant }: Scene,
  release: Release,
): Promise<void> {
  const maker = sessionAt(await signIn(older, await addAdmin(rollout, release, tenant, "host@example.com")));
  const elsewhere = await newTenant((...words) => rollout.command(release, ...words), "Elsewhere");
  const guest = await addAdmin(rollout, release, elsewhere, "guest@example.com");
  const members = `/organizations/${tenant.organizationUuid}/members`;
  const invited = await maker.post(older, members, { email: guest.email, role: "viewer" });
  // 1.0.0 cannot invite users who have an account.
  if (invited.status !== 200) return;
  const guestHere = sessionAt(await signIn(current, guest));
  const accept = async ({ json }: Answer) =>
    (await guestHere.post(current, "/session/invitation", { token: tokenOf(json.link.path) })).status;
  const renew = (one: RunningService) =>
    maker.post(one, `${members}/${invited.json.member.uuid}/sign-in-link`, {});
  expect(await accept(invited)).toBe(401);
  await renew(current);
  expect(await accept(await renew(older))).toBe(401);
  expect(await accept(await renew(current))).toBe(200);
}

/** A shorter period that the older release sets becomes a pending change here. */
async function shorterPeriod({ rollout, older, current, tenant }: Scene, release: Release): Promise<void> {
  const admin = sessionAt(
    await signIn(older, await addAdmin(rollout, release, tenant, "keeper@example.com")),
  );
  const { key, locationUuid } = tenant;
  const lead = { email: "lead@example.com", locationUuid };
  expect((await current.send("/lead/submit", { key, body: lead })).status).toBe(200);
  const path = `/organizations/${tenant.organizationUuid}/retention`;
  const saved = await admin.patch(older, path, { days: [{ what: "leads", days: 1 }] });
  // 1.0.0 has no periods.
  if (saved.status === 404) return;
  expect(saved.status, saved.text).toBe(200);
  const here = sessionAt(await signIn(current, { email: "keeper@example.com", password }));
  const held = "select from organizations where id = $1 and pending_retention is not null";
  await until(async () => (await rollout.database.query(held, [tenant.organizationUuid])).length === 1);
  const { data, pending } = (await here.get(current, path)).json;
  expect(pending).toMatchObject([{ what: "leads", days: 1 }]);
  expect(data.find(({ what }: { what: string }) => what === "leads").ownDays).toBeNull();
}

/** Addresses that the older release stores as two accounts stay two accounts, and this release creates no third one. */
async function twinAddresses(
  { rollout, olderRelease, current, tenant }: Scene,
  release: Release,
): Promise<void> {
  const composed = "j\u00f6rg@example.com";
  for (const email of [composed, composed.normalize("NFD")]) {
    await addAdmin(rollout, olderRelease, tenant, email);
    const session = sessionAt(await signIn(current, { email, password }));
    expect((await session.get(current, "/session")).json.user.email).toBe(email);
  }
  for (const email of [composed, "\u212aate@example.com"])
    expect((await createUser(rollout, release, tenant, { email, password })).exitCode).not.toBe(0);
}

/** A weak password of the older release still works, and this release accepts no new one. */
async function weakPassword(
  { rollout, olderRelease, current, tenant }: Scene,
  release: Release,
): Promise<void> {
  const weak = { email: "weak@example.com", password: "password123456" };
  const created = await createUser(rollout, olderRelease, tenant, weak);
  if (created.exitCode === 0) expect((await signIn(current, weak)).status).toBe(200);
  const refused = await createUser(rollout, release, tenant, { ...weak, email: "weaker@example.com" });
  expect(refused.exitCode).not.toBe(0);
}

/** Storage that an undo of the older release does not subtract is subtracted by the next count. */
async function undoneBytes({ rollout, older, current }: Scene, release: Release): Promise<void> {
  const tenant = await newTenant((...words) => rollout.command(release, ...words), "Bytes");
  const session = sessionAt(
    await signIn(current, await addAdmin(rollout, release, tenant, "bytes@example.com")),
  );
  const { key, locationUuid, organizationUuid } = tenant;
  const transactions = [
    { transactionId: "B-1", locationUuid, type: 1, transactionDate: "2026-04-01T14:30:00Z" },
  ];
  const run = (await current.send("/integrations/transactions", { key, body: { transactions } })).json;
  const stored = async () => {
    const rows = await rollout.database.query(
      `select bytes_base + bytes_net as bytes, measured_at > now() - interval '1 hour' as is_counted
       from import_turns join organization_upkeep using (organization_id) where organization_id = $1`,
      [organizationUuid],
    );
    return rows[0] as { bytes: string | null; is_counted: boolean | null } | undefined;
  };
  const count = async () => {
    await rollout.database.query(
      `update organization_upkeep set sweep_at = now(), claimed_at = null, measured_at = now() - interval '2 hours'
       where organization_id = $1`,
      [organizationUuid],
    );
    await until(async () => (await stored())?.is_counted === true);
    return Number((await stored())?.bytes);
  };
  await until(async () => (await stored()) !== undefined);
  const before = await count();
  const path = `/organizations/${organizationUuid}/runs/${run.referenceUuid}/undo`;
  const { json: preview } = await session.get(older, path);
  const undone = await session.post(older, path, { version: preview.version });
  // 1.0.0 has no undo.
  if (undone.status === 404) return;
  expect(undone.status, undone.text).toBe(200);
  expect(await count()).toBeLessThan(before);
}

interface Person {
  email: string;
  password: string;
}

async function addAdmin(rollout: Rollout, release: Release, tenant: Tenant, email: string): Promise<Person> {
  const { exitCode, stderr } = await createUser(rollout, release, tenant, { email, password });
  expect(exitCode, stderr).toBe(0);
  return { email, password };
}

function createUser(
  rollout: Rollout,
  release: Release,
  tenant: Tenant,
  person: Person,
): Promise<CommandResult> {
  const account = ["--email", person.email, "--role", "admin", "--organization", tenant.organizationUuid];
  return rollout.place(release).gatehouse(["user", "create", ...account], person.password);
}

const tokenOf = (path: string) => path.split("token=")[1] as string;

function openLink(service: RunningService, token: string): Promise<Answer> {
  return service.send("/console/api/session/link", { body: { token }, headers: ownPage });
}

function signIn(service: RunningService, body: Person & { code?: string }): Promise<Answer> {
  return service.send("/console/api/session", { body, headers: ownPage });
}

/** The session of a sign-in. Its cookie is sent under the names of all releases, as behind one hostname. */
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

/** An authenticator app: returns the code of the given number of steps from now (RFC 6238). */
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
