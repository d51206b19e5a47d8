import { setTimeout as wait } from "node:timers/promises";
import { operationNames, operations, type OperationName } from "@gatehouse-parking/contract";
import { consoleOperations, type ConsoleOperationName } from "@gatehouse-parking/contract/console";
import type { InjectOptions } from "fastify";
import type pg from "pg";
import { afterAll, afterEach, expect, test } from "vitest";
import { isLong, startRig } from "../../../../../testing/rig.js";
import { requestTo } from "../../../testing/console-requests.js";
import { ownPage, signedIn } from "../../../testing/console.js";
import { apiUrl, bodyFor, contentTypeOf } from "../../../testing/every-request.js";
import { useApp, type Answer } from "../../../testing/harness.js";
import { holdLastByte } from "../../../testing/held-back.js";
import { preparePersonalOperation } from "../../../testing/personal-operations.js";
import { renewSampleFiles } from "../../../testing/sample-files.js";
import { sampleOrganization } from "../../../testing/sample-organization.js";
import { changesByItself, digestOfRows } from "../../../testing/stored-rows.js";
import {
  waysToLose,
  waysToLoseAccess,
  waysToLoseKey,
  type WayToLoseAccess,
  type WayToLoseKey,
} from "../../../testing/taken-authority.js";
import { waitingForLocks } from "../../../testing/waiting-for-locks.js";
import { useWire, type WireAnswer } from "../../../testing/wire.js";

/**
 * A caller sends a request without its last byte, and then loses its access. When the last byte arrives, nothing may
 * be written. Covers every writing operation of both interfaces, taken from the tables that declare them.
 */
const wire = useWire();
const gatehouse = useApp({}, wire.listen);
const rig = startRig("last byte held back");
const figures = {
  "console requests that waited for a lock": 0,
  "console requests refused": 0,
  "API requests refused": 0,
  "accepted without a loss": 0,
};
// Shorter than the app's own timeouts.
afterAll(() => wire.hangUp());
afterAll(() => rig.held({ operations: consoleWrites.length + apiWrites.length, ...figures }));

const consoleWrites = (Object.keys(consoleOperations) as ConsoleOperationName[]).filter(
  (name) => consoleOperations[name].method !== "GET" && consoleOperations[name].role !== "public",
);
const apiWrites = operationNames.filter((name) => operations[name].method === "POST");

/** The long form tests every way. The short form tests one way per operation, and every way for createApiKey. */
function chosen<Way>(ways: readonly Way[], isEvery: boolean): readonly Way[] {
  return isLong || isEvery ? ways : [rig.random.pick(ways)];
}
const consoleCases = consoleWrites.flatMap((name) =>
  chosen(waysToLose(name), name === "createApiKey").map((way) => [name, way] as const),
);
const keyWays = Object.keys(waysToLoseKey) as WayToLoseKey[];
/** In the long form, the last byte is sent up to this long after access is lost. */
const longestHoldMs = 2_000;
const apiCases = apiWrites.flatMap((name) => keyWays.map((way) => [name, way] as const));

afterEach(async () => {
  // The operators' pages require two-factor authentication as soon as one organization does.
  await gatehouse.database.work.query("update organizations set requires_second_factor = false");
});

/** A request that succeeds unless access is revoked, and the data needed to revoke it. */
async function prepared(name: ConsoleOperationName) {
  const organization = await sampleOrganization(gatehouse, { isDemo: true });
  const { organizationId } = organization;
  const role = consoleOperations[name].role === "operator" ? "operator" : "admin";
  const person = await signedIn(gatehouse, role, organizationId);
  const member = await signedIn(gatehouse, "viewer", organizationId);
  if (/Upload|Mapping/.test(name)) await renewSampleFiles(gatehouse, organization, name);
  if (name === "inviteMember")
    await gatehouse.database.work.query("delete from users where email_key = 'new@example.com'");
  if (name === "cancelRetention") {
    const shorter = requestTo("changeRetention", organization, member.userId);
    await gatehouse.send({
      ...shorter,
      headers: { ...ownPage, ...shorter.headers, cookie: person.cookie },
    } as InjectOptions);
  }
  const own = await preparePersonalOperation(gatehouse, name, person, organization);
  const { headers, payload = "{}", ...rest } = { ...requestTo(name, organization, member.userId), ...own };
  const request = { ...rest, payload, headers: { ...ownPage, ...headers, cookie: person.cookie } };
  return { organization, person, request };
}

async function consoleRequest(name: ConsoleOperationName, way?: WayToLoseAccess): Promise<WireAnswer> {
  const { organization, person, request } = await prepared(name);
  return holdLastByte(wire, request, async () => {
    if (way) await lose(() => waysToLoseAccess[way]({ gatehouse, person, organization }));
  });
}

/** Sends a request that waits for `locks`. Its session ends meanwhile. */
async function sessionEndsDuringWait(
  name: ConsoleOperationName,
  locks: (userId: string) => string,
): Promise<Answer> {
  const { person, request } = await prepared(name);
  const holder = await gatehouse.database.work.connect();
  await holder.query(`begin; ${locks(person.userId)}`);
  const answer = gatehouse.send(request as InjectOptions);
  let isAnswered = false;
  void answer.finally(() => (isAnswered = true));
  await expect.poll(async () => isAnswered || (await waitingForLocks(gatehouse)) > 0).toBe(true);
  figures["console requests that waited for a lock"] += isAnswered ? 0 : 1;
  await holder.query("delete from sessions where user_id = $1", [person.userId]);
  storedAfterLoss = await digestOfRows(holder as unknown as pg.Pool);
  await holder.query("commit");
  holder.release();
  return answer;
}

async function apiRequest(name: OperationName, way?: WayToLoseKey): Promise<WireAnswer> {
  const organization = await sampleOrganization(gatehouse);
  if (name.includes("Upload")) await renewSampleFiles(gatehouse, organization, name as ConsoleOperationName);
  const { method, path } = operations[name];
  return holdLastByte(
    wire,
    {
      method,
      url: apiUrl(path, organization),
      headers: { "content-type": contentTypeOf(path), "x-api-key": organization.apiKey },
      payload: bodyFor(path, organization),
    },
    async () => {
      if (way) await lose(() => waysToLoseKey[way]({ gatehouse, organization }));
    },
  );
}

let storedAfterLoss: Record<string, string>;
async function lose(takeAway: () => Promise<unknown>): Promise<void> {
  const answer = await takeAway();
  if (typeof answer === "object" && answer !== null && "status" in answer)
    expect([200, 204], JSON.stringify(answer)).toContain(answer.status);
  storedAfterLoss = await digestOfRows(gatehouse.database.work);
  if (isLong) await wait(rig.random.between(0, longestHoldMs));
}

// The short form tests a few; access.slow.test.ts sends all of them.
const withoutLoss = isLong ? consoleWrites : rig.random.shuffled(consoleWrites).slice(0, 8);
test.each(withoutLoss)("%s succeeds with a delayed last byte while access stays valid", async (name) => {
  const { status, body } = await consoleRequest(name);
  expect([200, 204], body).toContain(status);
  figures["accepted without a loss"] += 1;
});

test.each(apiWrites)("%s succeeds with a delayed last byte while the key stays valid", async (name) => {
  const { status, body } = await apiRequest(name);
  expect(status, body).toBe(200);
  figures["accepted without a loss"] += 1;
});

test.each(consoleCases)("%s writes nothing if the last byte arrives after: %s", async (name, way) => {
  const { status, body } = await consoleRequest(name, way);
  expect([401, 403], body).toContain(status);
  expect(await digestOfRows(gatehouse.database.work)).toEqual(storedAfterLoss);
  figures["console requests refused"] += 1;
});

test.each(apiCases)("%s writes nothing if the last byte arrives after: %s", async (name, way) => {
  const { status, body } = await apiRequest(name, way);
  const isLead = name === "submitLead";
  expect(status, body).toBe(isLead || way === "permission removed" ? 403 : 401);
  expect(await digestOfRows(gatehouse.database.work)).toEqual(storedAfterLoss);
  figures["API requests refused"] += 1;
});

// Signing out needs no access.
const guardedWrites = consoleWrites.filter((name) => name !== "signOut");
/** They first lock the account and end its sessions themselves. */
const locksAccountFirst: readonly ConsoleOperationName[] = ["changePassword", "endOwnSession"];
/** They change nothing, so they wait for no lock. */
const onlyReads: readonly ConsoleOperationName[] = [
  "previewRetention",
  "previewLocationImport",
  "findPerson",
];

test.each(guardedWrites.filter((name) => ![...locksAccountFirst, ...onlyReads].includes(name)))(
  "%s writes nothing if the session ends while it waits for a lock",
  async (name) => {
    const { rows } = await gatehouse.database.work.query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = 'public' and table_name <> all ($1)`,
      [["sessions", ...changesByItself]],
    );
    const tables = rows.map((row) => row.name).join(", ");
    const { status, text } = await sessionEndsDuringWait(name, () => `lock table ${tables} in share mode`);
    expect(status, text).toBe(401);
    expect(await digestOfRows(gatehouse.database.work)).toEqual(storedAfterLoss);
  },
);

// This transaction is always rolled back.
const committingWrites = guardedWrites.filter((name) => name !== "previewLocationImport");
test.each(committingWrites)("%s writes nothing if the session ends just before the commit", async (name) => {
  const { status, text } = await sessionEndsDuringWait(
    name,
    (userId) => `select from users where id = '${userId}' for update`,
  );
  expect(status, text).toBe(401);
  expect(await digestOfRows(gatehouse.database.work)).toEqual(storedAfterLoss);
});

test("an import waiting for its organization's lock is rejected if its key is revoked meanwhile", async () => {
  const organization = await sampleOrganization(gatehouse);
  const holder = await gatehouse.database.console.connect();
  await holder.query("begin");
  await holder.query("select from import_turns where organization_id = $1 for update", [
    organization.organizationId,
  ]);
  const answer = gatehouse.post(
    "/integrations/transactions",
    organization.apiKey,
    bodyFor("/integrations/transactions", organization),
  );
  await expect.poll(() => waitingForLocks(gatehouse)).toBe(1);
  await lose(() => waysToLoseKey["key revoked"]({ gatehouse, organization }));
  await holder.query("rollback");
  holder.release();
  expect(await answer).toMatchObject({ status: 401, json: { success: false } });
  expect(await digestOfRows(gatehouse.database.work)).toEqual(storedAfterLoss);
});

test.each(keyWays)("a lead waiting for a lock is not stored after: %s", async (way) => {
  const organization = await sampleOrganization(gatehouse);
  const holder = await gatehouse.database.console.connect();
  await holder.query("begin; lock table leads in share mode");
  const { apiKey } = organization;
  const answer = gatehouse.post("/lead/submit", apiKey, JSON.parse(bodyFor("/lead/submit", organization)));
  await expect.poll(() => waitingForLocks(gatehouse)).toBe(1);
  await lose(() => waysToLoseKey[way]({ gatehouse, organization }));
  await holder.query("rollback");
  holder.release();
  expect(await answer).toMatchObject({ status: 403, json: { success: false } });
  expect(await digestOfRows(gatehouse.database.work)).toEqual(storedAfterLoss);
});
