import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { requestTo } from "../../../testing/console-requests.js";
import { consoleRoot, ownPage, signedIn, type Visitor } from "../../../testing/console.js";
import { useApp, type Answer } from "../../../testing/harness.js";
import { isPersonalOperation, preparePersonalOperation } from "../../../testing/personal-operations.js";
import { schemaProblems } from "../../../testing/schema-problems.js";
import { renewSampleFiles } from "../../../testing/sample-files.js";
import { sampleOrganization, type SampleOrganization } from "../../../testing/sample-organization.js";
import {
  consoleOperations,
  type ConsoleOperation,
  type ConsoleOperationName,
} from "@gatehouse-parking/contract/console";

/**
 * The access matrix: every route of the table with every role, with members of another organization, and
 * without a session.
 */
const gatehouse = useApp();
let organization: SampleOrganization;
let memberUuid: string;
const people: Record<string, Visitor> = {};

const names = Object.keys(consoleOperations) as ConsoleOperationName[];
const behindSession = names.filter((name) => consoleOperations[name].role !== "public");
const ofOrganization = names.filter((name) => consoleOperations[name].path.includes(":organizationUuid"));
const ranks = { public: 0, viewer: 1, admin: 2, operator: 3 };

beforeAll(async () => {
  organization = await sampleOrganization(gatehouse, { isDemo: true });
  const other = await gatehouse.tenant();
  people["viewer"] = await signedIn(gatehouse, "viewer", organization.organizationId);
  people["admin"] = await signedIn(gatehouse, "admin", organization.organizationId);
  people["operator"] = await signedIn(gatehouse, "operator");
  people["viewer elsewhere"] = await signedIn(gatehouse, "viewer", other.organizationId);
  people["admin elsewhere"] = await signedIn(gatehouse, "admin", other.organizationId);
  memberUuid = (await signedIn(gatehouse, "viewer", organization.organizationId)).userId;
});

function send(
  name: ConsoleOperationName,
  cookie?: string,
  target = organization,
  changes: { url?: string; payload?: string } = {},
): Promise<Answer> {
  const request = requestTo(name, target, memberUuid);
  return gatehouse.send({
    ...request,
    ...changes,
    headers: { ...ownPage, ...request.headers, ...(cookie ? { cookie } : {}) },
  } as Parameters<typeof gatehouse.send>[0]);
}

/** Everything stored, except counters of attempts and session activity. */
async function fingerprint(): Promise<string> {
  const tables = await gatehouse.database.work.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_name not in ('rate_limits', 'sessions') order by 1`,
  );
  const parts = await Promise.all(
    tables.rows.map(async ({ name }) => {
      // Every download is recorded in the audit log, for all roles.
      const except = name === "audit_log" ? "where action !~ '[.]download'" : "";
      const { rows } = await gatehouse.database.work.query(
        `select md5(coalesce(string_agg(row::text, ',' order by row::text), '')) as digest from ${name} as row ${except}`,
      );
      return `${name} ${rows[0].digest}`;
    }),
  );
  return parts.join("\n");
}

/**
 * Key usage is written some time after the requests. Waits for the usage of the requests that created the
 * organization.
 */
async function usageIsWritten(): Promise<void> {
  const used = gatehouse.logged.filter((line) => line["apiKeyId"] !== undefined).length;
  await vi.waitFor(
    async () => {
      const { rows } = await gatehouse.database.work.query(
        "select coalesce(sum(accepted + limited + refused), 0)::int as written from api_key_usage",
      );
      expect(rows[0].written).toBe(used);
    },
    { timeout: 180_000 },
  );
}

async function auditLines(): Promise<number> {
  const { rows } = await gatehouse.database.work.query("select count(*)::int as lines from audit_log");
  return rows[0].lines;
}

test("every registered route of the console is in the table, and the table's routes are registered", () => {
  const paths = new Set(
    names.map((name) => `${consoleOperations[name].method} ${consoleOperations[name].path}`),
  );
  expect(paths.size).toBe(names.length);
  const registered = gatehouse.app.declaredRoutes.filter(({ url }) => url.startsWith(consoleRoot));
  expect(registered.map(({ config }) => config?.consoleOperation).toSorted()).toEqual(names.toSorted());
  for (const name of names) {
    const { method, path } = consoleOperations[name];
    expect(gatehouse.app.hasRoute({ method, url: path }), name).toBe(true);
  }
});

test("every operation that changes an organization for others needs at least the role admin", () => {
  const open = ofOrganization.filter(
    (name) =>
      consoleOperations[name].method !== "GET" &&
      ranks[consoleOperations[name].role] < ranks.admin &&
      !isPersonalOperation(name),
  );
  expect(open).toEqual([]);
});

describe("requests without a session leave the database unchanged", () => {
  let before: string;
  beforeAll(async () => {
    await usageIsWritten();
    before = await fingerprint();
  });
  afterAll(async () => expect(await fingerprint()).toBe(before));

  test.each(behindSession)("%s without a session: 401", async (name) => {
    const answer = await send(name);
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe('Session realm="Gatehouse console"');
    expect(answer.json).toMatchObject({ success: false, code: "signedOut" });
  });

  test.each(
    ofOrganization.flatMap((name) => [
      [name, "viewer elsewhere"] as const,
      [name, "admin elsewhere"] as const,
    ]),
  )("%s for a member of another organization (%s): 404, as if it did not exist", async (name, who) => {
    const answer = await send(name, people[who]?.cookie);
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ code: "notFound", errors: ["There is nothing at this address"] });
  });
});

test("members see only their own organization in the list, and operators see both", async () => {
  const own = (await people["viewer elsewhere"]?.get("/organizations"))?.json.data;
  expect(own).toHaveLength(1);
  expect(own[0].uuid).not.toBe(organization.organizationId);
  expect((await people["operator"]?.get("/organizations"))?.json.data).toHaveLength(2);
});

test("a viewer changes nothing: every route leaves the database unchanged", async () => {
  await usageIsWritten();
  const before = await fingerprint();
  const harmless = behindSession.filter((name) => !isPersonalOperation(name));
  for (const name of harmless) await send(name, people["viewer"]?.cookie);
  expect(await fingerprint()).toBe(before);
});

/** These operations delete objects that the other tests need. */
const destructive = new Set<ConsoleOperationName>(["resetSandbox", "undoRun"]);

const matrix = (["viewer", "admin", "operator"] as const).flatMap((role) =>
  behindSession.map((name) => [role, name, ranks[role] >= ranks[consoleOperations[name].role]] as const),
);

// The answer has exactly the fields that the operation declares. The audit log gets an entry only if the
// operation declares one.
test.each(matrix)("%s on %s is allowed: %s", async (role, name, isAllowed) => {
  const target = destructive.has(name) ? await sampleOrganization(gatehouse, { isDemo: true }) : organization;
  // Operations that change a user's own sign-in or end a session need a user whom no other test uses.
  const visitor =
    destructive.has(name) || isPersonalOperation(name)
      ? await signedIn(gatehouse, role, target.organizationId)
      : (people[role] as Visitor);
  if (name === "inviteMember")
    await gatehouse.database.work.query("delete from users where email_key = 'new@example.com'");
  if (name === "changeApiKey" || name === "rotateApiKey")
    await gatehouse.database.work.query(
      "update api_keys set revoked_at = null, expires_at = null, replaced_by = null",
    );
  if (/Upload|Mapping/.test(name)) await renewSampleFiles(gatehouse, target, name);
  const prepared =
    name === "removeMember"
      ? await someoneToRemove()
      : await preparePersonalOperation(gatehouse, name, visitor, target);
  const linesBefore = await auditLines();
  const answer = await send(name, visitor.cookie, target, prepared);
  const { audited }: ConsoleOperation = consoleOperations[name];
  // A sample creates keys if there are none yet, and the audit log records that.
  if (name !== "runSample")
    expect((await auditLines()) > linesBefore, "audited").toBe(isAllowed && audited === true);
  if (!isAllowed) {
    expect(answer.json, answer.text).toMatchObject({ code: "roleMissing" });
    expect(answer.status).toBe(403);
    return;
  }
  expect(answer.status, answer.text).toBe(answersNothing(name) ? 204 : 200);
  const isJson = String(answer.headers["content-type"]).startsWith("application/json");
  expect(isJson ? schemaProblems(consoleOperations[name].answer, answer.json) : [], name).toEqual([]);
  expect(answer.headers["cache-control"]).toBe("no-store");
});

/** The other operations use the member that all tests share. */
async function someoneToRemove(): Promise<{ url: string }> {
  const { userId } = await signedIn(gatehouse, "viewer", organization.organizationId);
  return { url: requestTo("removeMember", organization, userId).url };
}

function answersNothing(name: ConsoleOperationName): boolean {
  return (consoleOperations[name].answer as { type?: string }).type === "void";
}

test("an object of one organization cannot be reached through the path of another organization", async () => {
  const admin = people["admin elsewhere"] as Visitor;
  const own = (await admin.get("/session")).json.organizations[0];
  const foreign = [
    `/runs/${organization.runUuid}`,
    `/runs/${organization.runUuid}/failures.csv`,
    `/records/transactions/${organization.transactionUuid}`,
    `/records/accounts/${organization.accountUuid}`,
    `/leads/${organization.leadUuid}`,
    `/locations/${organization.locationUuid}`,
    `/uploads/${organization.uploadUuid}`,
    `/uploads/${organization.uploadUuid}/runs`,
    `/uploads/${organization.uploadUuid}/undo`,
    `/uploads/${organization.uploadUuid}/failures`,
    `/uploads/${organization.uploadUuid}/outcomes.csv`,
    `/uploads/${organization.uploadUuid}/failures.csv`,
    `/mappings/${organization.mappingUuid}`,
    `/mappings/${organization.mappingUuid}/mapping.json`,
  ];
  await renewSampleFiles(gatehouse, organization);
  for (const path of foreign)
    expect((await admin.get(`/organizations/${own.uuid}${path}`)).status, path).toBe(404);
  const writes = [
    ["post", `/api-keys/${organization.keyId}/revoke`, {}],
    ["post", `/api-keys/${organization.keyId}/rotate`, { overlapMs: 0 }],
    ["post", `/members/${memberUuid}/sign-in-link`, {}],
    ["patch", `/members/${memberUuid}`, { role: "admin" }],
    ["patch", `/leads/${organization.leadUuid}`, { state: "accepted" }],
    ["post", `/leads/${organization.leadUuid}/notes`, { text: "Mine" }],
    ["post", "/leads/changes", { leads: [{ uuid: organization.leadUuid }], workState: "closed" }],
    ["patch", `/locations/${organization.locationUuid}`, { name: "Mine" }],
    ["post", `/uploads/${organization.uploadUuid}/start`, { validateOnly: false }],
    ["post", `/uploads/${organization.uploadUuid}/cancel`, {}],
    ["post", `/uploads/${organization.uploadUuid}/undo`, {}],
    ["patch", `/mappings/${organization.mappingUuid}`, { name: "Mine" }],
  ] as const;
  for (const [method, path, body] of writes)
    expect((await admin[method](`/organizations/${own.uuid}${path}`, body)).status, path).toBe(404);
  for (const path of [
    `/leads?location=${organization.locationUuid}`,
    `/records/transactions?location=${organization.locationUuid}`,
    `/records/transactions?run=${organization.runUuid}`,
    `/runs?key=${organization.keyId}`,
  ])
    expect((await admin.get(`/organizations/${own.uuid}${path}`)).json.data, path).toEqual([]);
  for (const q of ["T-1", "A-1", "lead@example.com", organization.runUuid, organization.transactionUuid]) {
    const { json } = await admin.get(`/organizations/${own.uuid}/search?q=${q}`);
    expect(json, q).toMatchObject({ hits: [], unstored: [] });
  }
});

test("the log records who was denied which operation, with identifiers only", async () => {
  const viewer = people["viewer"] as Visitor;
  const answer = await send("createApiKey", viewer.cookie);
  const line = gatehouse.logged.find(({ reqId }) => reqId === answer.headers["x-request-id"]);
  expect(line).toMatchObject({
    route: consoleOperations.createApiKey.path,
    organizationId: organization.organizationId,
    userUuid: viewer.userId,
    status: 403,
    outcome: "roleMissing",
  });
  expect(JSON.stringify(line)).not.toContain(viewer.email);
});

test("an unknown path of the console's interface is a 404, not a page", async () => {
  const answer = await gatehouse.send({
    method: "GET",
    url: `${consoleRoot}/nothing`,
    headers: { accept: "text/html" },
  });
  expect(answer.status).toBe(404);
  expect(answer.json.success).toBe(false);
});
