import {
  consoleOperations,
  type ConsoleOperation,
  type ConsoleOperationName,
} from "@gatehouse-parking/contract/console";
import { expect, test } from "vitest";
import { requestTo } from "../../../../testing/console-requests.js";
import {
  consoleRoot,
  ownPage,
  signIn,
  signedIn,
  testPassword,
  type Visitor,
} from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";
import { sampleOrganization } from "../../../../testing/sample-organization.js";
import { createUser } from "../../organizations/accounts.js";

const gatehouse = useApp();

const origin = { host: "console.example", origin: "https://console.example" };

test.each([
  ["a page of another site", { "sec-fetch-site": "cross-site", ...origin }],
  ["a page of a sibling host", { "sec-fetch-site": "same-site", ...origin }],
  ["an address typed into the browser", { "sec-fetch-site": "none", ...origin }],
  ["another origin, from a browser without Sec-Fetch-Site", { ...origin, origin: "https://evil.example" }],
  ["another port of the same host", { ...origin, origin: "https://console.example:444" }],
  ["the plain page of the same host", { ...origin, origin: "http://console.example" }],
  ["a sandboxed frame", { ...origin, origin: "null" }],
  ["no page at all", { host: "console.example" }],
])("a write is rejected when it comes from %s", async (_what, headers) => {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const answer = await gatehouse.send({
    method: "POST",
    url: `${consoleRoot}/organizations/${organizationId}/api-keys`,
    headers: { cookie: admin.cookie, "content-type": "application/json", ...headers },
    payload: JSON.stringify({ name: "stolen" }),
  });
  expect(answer.status).toBe(403);
  expect(answer.json.code).toBe("crossSite");
  const { rows } = await gatehouse.database.work.query(
    "select from api_keys where organization_id = $1 and name = 'stolen'",
    [organizationId],
  );
  expect(rows).toHaveLength(0);
});

test("a write from the console's own page is accepted, with or without Sec-Fetch-Site", async () => {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  for (const headers of [ownPage, origin]) {
    const answer = await gatehouse.send({
      method: "POST",
      url: `${consoleRoot}/organizations/${organizationId}/api-keys`,
      headers: { cookie: admin.cookie, "content-type": "application/json", ...headers },
      payload: JSON.stringify({ name: "own" }),
    });
    expect(answer.status).toBe(200);
  }
});

const auditedDownloads = Object.entries<ConsoleOperation>(consoleOperations).flatMap(
  ([name, { method, audited }]) => (method === "GET" && audited ? [name as ConsoleOperationName] : []),
);

test.each(auditedDownloads)(
  "%s writes no audit entry when another site or a link in a message starts it",
  async (name) => {
    const organization = await sampleOrganization(gatehouse);
    const operator = await signedIn(gatehouse, "operator");
    const { url } = requestTo(name, organization, operator.userId);
    const download = (headers: Record<string, string>) =>
      gatehouse.send({ method: "GET", url, headers: { cookie: operator.cookie, ...headers } });
    const lines = async () => {
      const { rowCount } = await gatehouse.database.work.query("select from audit_log");
      return rowCount;
    };
    const before = await lines();
    for (const site of ["cross-site", "same-site", "none"]) {
      const answer = await download({ "sec-fetch-site": site });
      expect(answer.json, site).toMatchObject({ code: "crossSite" });
    }
    expect(await lines()).toBe(before);
    expect((await download(ownPage)).status).toBe(200);
    expect(await lines()).not.toBe(before);
  },
);

test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
  "a body that a form of another site could send (%s) is rejected",
  async (contentType) => {
    const answer = await gatehouse.send({
      method: "POST",
      url: `${consoleRoot}/session`,
      headers: { ...ownPage, "content-type": contentType },
      payload: JSON.stringify({ email: "jo@example.com", password: testPassword }),
    });
    expect(answer.status).toBe(415);
    expect(answer.json.code).toBe("unsupportedMediaType");
  },
);

test("the plain port serves the console to this machine only", async () => {
  const codes = await Promise.all(
    ["203.0.113.9", "127.0.0.1"].map(async (remoteAddress) => {
      const answer = await gatehouse.app.inject({
        method: "GET",
        url: `${consoleRoot}/session`,
        remoteAddress,
      });
      return answer.json().code;
    }),
  );
  expect(codes).toEqual(["loopbackOnly", "signedOut"]);
});

test("an account is locked after ten failed attempts from any addresses, and a correct password before that resets the count", async () => {
  const { organizationId } = await gatehouse.tenant();
  const { email } = await signedIn(gatehouse, "viewer", organizationId);
  const guess = () => signIn(gatehouse, email.toUpperCase(), "a wrong guess");
  for (let attempt = 0; attempt < 9; attempt += 1) expect((await guess()).status).toBe(401);
  expect((await signIn(gatehouse, email, testPassword)).status).toBe(200);

  for (let attempt = 0; attempt < 10; attempt += 1) expect((await guess()).status).toBe(401);
  const refused = await signIn(gatehouse, email, testPassword);
  expect(refused.status).toBe(429);
  expect(refused.json).toMatchObject({ success: false, code: "rateLimited" });
  expect(refused.json.retryAfter).toBeGreaterThan(0);
  expect(refused.json.retryAfter).toBeLessThanOrEqual(301);
  expect(refused.headers["retry-after"]).toBe(String(refused.json.retryAfter));

  const { rows } = await gatehouse.database.gate.query("select bucket from rate_limits");
  expect(rows.some(({ bucket }) => String(bucket).includes("@"))).toBe(false);
});

test("failed sign-ins of others do not keep the signed-in owner from changing the password", async () => {
  const { organizationId } = await gatehouse.tenant();
  const owner = await signedIn(gatehouse, "viewer", organizationId);
  for (let attempt = 0; attempt < 10; attempt += 1) await signIn(gatehouse, owner.email, "a wrong guess");
  expect((await signIn(gatehouse, owner.email, testPassword)).status).toBe(429);
  expect((await owner.post("/session/second-factor", { currentPassword: testPassword })).status).toBe(200);

  const change = (by: Visitor, currentPassword: string) =>
    by.post("/session/password", { currentPassword, newPassword: "chosen by its owner" });
  for (let attempt = 0; attempt < 9; attempt += 1) expect((await change(owner, "a guess")).status).toBe(400);
  expect((await change(owner, testPassword)).status).toBe(200);

  // An attacker with an unattended page has ten attempts.
  const other = await signedIn(gatehouse, "viewer", organizationId);
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await change(other, "a guess")).status).toBe(400);
  expect((await change(other, testPassword)).status).toBe(429);
});

test("all spellings of an address share one limit of attempts", async () => {
  const spellings = ["Rene\u0301e@example.com", "ren\u00e9e@example.com", " REN\u00c9E@example.com "];
  for (let attempt = 0; attempt < 10; attempt += 1)
    expect((await signIn(gatehouse, spellings[attempt % 3] as string, "guess")).status).toBe(401);
  for (const email of spellings) expect((await signIn(gatehouse, email, "guess")).status).toBe(429);
});

test("unknown accounts are throttled like known ones", async () => {
  for (let attempt = 0; attempt < 10; attempt += 1)
    expect((await signIn(gatehouse, "ghost@example.com", "guess")).status).toBe(401);
  expect((await signIn(gatehouse, "ghost@example.com", "guess")).status).toBe(429);
});

test("an unknown account takes as long as a wrong password, so timing does not reveal accounts", async () => {
  const email = "known@example.com";
  await createUser(gatehouse.database.work, {
    ...{ email, role: "operator", password: testPassword, actor: "test" },
  });
  /** CPU time of this process, which other work of the machine does not affect. The minimum of five runs. */
  const least = async (addressOf: (attempt: number) => string) => {
    let best = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const begun = process.cpuUsage();
      expect((await signIn(gatehouse, addressOf(attempt), "a wrong guess")).status).toBe(401);
      const { user, system } = process.cpuUsage(begun);
      best = Math.min(best, user + system);
    }
    return best;
  };
  const known = await least(() => email);
  const unknown = await least((attempt) => `stranger-${attempt}@example.com`);
  expect(unknown).toBeGreaterThan(known / 3);
  expect(known).toBeGreaterThan(unknown / 3);
});

test("one address has thirty attempts in five minutes, including one-time links", async () => {
  const from = { "x-forwarded-for": "203.0.113.77" };
  for (let attempt = 0; attempt < 30; attempt += 1)
    expect((await signIn(gatehouse, `guess-${attempt}@example.com`, "guess", from)).status).toBe(401);
  expect((await signIn(gatehouse, "guess-31@example.com", "guess", from)).status).toBe(429);
  const link = await gatehouse.send({
    method: "POST",
    url: `${consoleRoot}/session/link`,
    headers: { ...ownPage, ...from, "content-type": "application/json" },
    payload: JSON.stringify({ token: "x".repeat(43) }),
  });
  expect(link.status).toBe(429);
});

test("all problems of a form are reported at once", async () => {
  const answer = await gatehouse.send({
    method: "POST",
    url: `${consoleRoot}/session`,
    headers: { ...ownPage, "content-type": "application/json" },
    payload: JSON.stringify({ email: 7 }),
  });
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({
    success: false,
    code: "invalid",
    errors: ["email must be a string", "password is required"],
  });
});
