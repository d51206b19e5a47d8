import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { FastifyInstance } from "fastify";
import { consoleRoot, signedIn } from "../../../testing/console.js";
import { sendTo, useApp } from "../../../testing/harness.js";
import { cookiesOf, pendingName, publicUrl, useProviderApp } from "../../../testing/provider-app.js";
import { useCommands } from "../../../testing/run-command.js";
import { setUpSecondFactor } from "../../../testing/second-factor.js";
import { openSession } from "../../core/console/sessions/sessions.js";
import { transaction } from "../../core/database/transaction.js";

const gatehouse = useApp();
const at = useProviderApp(gatehouse);
const run = useCommands(gatehouse);
const { claims, appWith, post, begin, signInAs, invited } = at;

test("an invited user signs in with the provider without a password, and it is audited", async () => {
  const { email, userId, organizationId } = await invited();
  claims.set("ann", { email: email.toUpperCase(), email_verified: true });
  const answer = await signInAs("ann");
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json).toMatchObject({
    user: { uuid: userId, hasPassword: false },
    organizations: [{ uuid: organizationId }],
    byProvider: true,
    byLink: false,
  });
  const cookies = cookiesOf(answer);
  expect(cookies["__Host-gatehouse-session"]).toMatch(/^[\w-]{43}$/);
  expect(cookies[pendingName]).toBe("");
  const { rows } = await gatehouse.database.work.query(
    "select action, actor, address is not null as has_address, detail from audit_log where subject_id = $1 order by id",
    [userId],
  );
  expect(rows.slice(1).map((row) => ({ ...row, detail: JSON.parse(row.detail) }))).toEqual([
    {
      action: "user.bind-provider",
      actor: email,
      has_address: true,
      detail: { issuer: at.provider.issuer, subject: "ann" },
    },
    { action: "user.sign-in", actor: email, has_address: true, detail: { by: "provider" } },
  ]);
});

test.each([
  ["no organization has invited", { email: "stranger@example.com", email_verified: true }],
  ["has no address", {}],
])("a user whom %s cannot sign in, and no account is created", async (_who, said) => {
  claims.set("stranger", said);
  const before = await gatehouse.database.work.query("select from users");
  const answer = await signInAs("stranger");
  expect(answer.status).toBe(401);
  expect(answer.json.code).toBe("providerRefused");
  expect(cookiesOf(answer)).not.toHaveProperty("__Host-gatehouse-session");
  expect((await gatehouse.database.work.query("select from users")).rowCount).toBe(before.rowCount);
});

test("an address that the provider has not verified signs no one in, unless the operator vouches for the provider", async () => {
  const { email } = await invited();
  claims.set("unverified", { email, email_verified: false });
  expect((await signInAs("unverified")).status).toBe(401);
  claims.set("unverified", { email });
  expect((await signInAs("unverified")).status).toBe(401);
  const trusting = await appWith({ oidcTrustEmail: true });
  onTestFinished(() => trusting.close());
  claims.set("unverified", { email, email_verified: false });
  expect((await signInAs("unverified", trusting)).status).toBe(401);
  claims.set("unverified", { email });
  expect((await signInAs("unverified", trusting)).status).toBe(200);
});

test("after the first sign-in the provider's subject identifies the user, and not the address", async () => {
  const { email, userId } = await invited();
  claims.set("bea", { email, email_verified: true });
  expect((await signInAs("bea")).status).toBe(200);
  // Her address at the provider has changed, and another person has the old one.
  claims.set("bea", { email: "bea.new@example.com", email_verified: true });
  claims.set("newcomer", { email, email_verified: true });
  expect((await signInAs("bea")).json.user.uuid).toBe(userId);
  expect((await signInAs("newcomer")).status).toBe(401);
  await gatehouse.database.work.query("update users set disabled_at = now() where id = $1", [userId]);
  expect((await signInAs("bea")).status).toBe(401);
});

test("a user with a second factor is linked only while signed in, and then signs in with the provider", async () => {
  const { organizationId } = await gatehouse.tenant();
  const fay = await signedIn(gatehouse, "viewer", organizationId);
  const stranger = await signedIn(gatehouse, "viewer", organizationId);
  await setUpSecondFactor(fay);
  claims.set("fay", { email: fay.email, email_verified: true });
  for (const cookie of [undefined, stranger.cookie]) {
    const refused = await signInAs("fay", at.app, cookie);
    expect(refused.json.code).toBe("providerRefused");
    expect(refused.json.errors).toEqual([
      "You have a second factor. Sign in with your password first, and connect the provider on the page Your account",
    ]);
    expect(cookiesOf(refused)).not.toHaveProperty("__Host-gatehouse-session");
  }
  expect((await signInAs("fay", at.app, fay.cookie)).json).toMatchObject({ user: { uuid: fay.userId } });
  expect((await signInAs("fay")).json).toMatchObject({ user: { uuid: fay.userId }, byProvider: true });
});

test("the sign-in request has PKCE, state and nonce, and its answer works once, in the same browser", async () => {
  const { email } = await invited();
  claims.set("cem", { email, email_verified: true });
  const { address, cookie } = await begin();
  const asked = new URL(address).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: "code",
    code_challenge_method: "S256",
    redirect_uri: `${publicUrl}/sign-in/provider`,
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  });
  const answer = (await at.provider.signIn(address, "cem")).search;
  const other = await begin();
  const refused: [string, string | undefined, string][] = [
    ["no cookie", undefined, answer],
    ["another browser's", other.cookie, answer],
    ["no state", cookie, answer.replace(/state=[^&]+/, "")],
    ["another state", cookie, answer.replace(/state=[^&]+/, `state=${"x".repeat(43)}`)],
    ["another issuer", cookie, answer.replace(/iss=[^&]+/, "iss=https%3A%2F%2Fevil.example")],
    ["no code", cookie, answer.replace(/code=[^&]+/, "")],
    ["the provider's refusal", cookie, answer.replace(/code=[^&]+/, "error=access_denied")],
    ["nonsense", `${pendingName}=a.b`, "?"],
  ];
  for (const [what, sent, text] of refused) {
    const response = await post("/session/provider", { answer: text }, sent);
    expect([what, response.status, response.json.code]).toEqual([what, 401, "providerRefused"]);
  }
  expect((await post("/session/provider", { answer }, cookie)).status).toBe(200);
  expect((await post("/session/provider", { answer }, cookie)).json.code).toBe("providerRefused");
});

test.each([
  ["nonce", 1],
  ["PKCE verifier", 2],
])("an answer for another %s is rejected", async (_what, place) => {
  const { email } = await invited();
  claims.set("dan", { email, email_verified: true });
  const { address, pending } = await begin();
  const parts = pending.split(".").with(place, "n".repeat(43));
  const { search } = await at.provider.signIn(address, "dan");
  const planted = `${pendingName}=${parts.join(".")}`;
  expect((await post("/session/provider", { answer: search }, planted)).json.code).toBe("providerRefused");
});

test("an organization that requires a second factor leaves it to the provider", async () => {
  const { email, organizationId } = await invited();
  await gatehouse.database.work.query(
    "update organizations set requires_second_factor = true where id = $1",
    [organizationId],
  );
  claims.set("eve", { email, email_verified: true });
  const cookie = `__Host-gatehouse-session=${cookiesOf(await signInAs("eve"))["__Host-gatehouse-session"]}`;
  const answer = await sendTo(at.app, {
    method: "GET",
    url: `${consoleRoot}/organizations/${organizationId}`,
    headers: { cookie },
  });
  expect(answer.status).toBe(200);
});

test("without a provider this sign-in does not exist, and with one the sign-in page shows its name", async () => {
  const ways = (to: FastifyInstance) => sendTo(to, { method: "GET", url: `${consoleRoot}/sign-in` });
  expect((await ways(gatehouse.app)).json).toEqual({ provider: null });
  expect((await ways(at.app)).json).toEqual({ provider: { name: "single sign-on" } });
  for (const path of ["/session/provider/start", "/session/provider"])
    expect((await post(path, { answer: "" }, undefined, gatehouse.app)).status).toBe(404);
  expect((await signedIn(gatehouse, "operator")).email).toBeDefined();
});

async function broken(answer: (server: Server) => void): Promise<FastifyInstance> {
  const server = createServer();
  answer(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const oidcIssuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const broken1 = await appWith({ oidcIssuer });
  onTestFinished(async () => {
    await broken1.close();
    server.closeAllConnections();
    server.close();
  });
  return broken1;
}

test.each<[string, (server: Server) => void]>([
  ["says no", (server) => server.on("request", (_request, reply) => reply.writeHead(500).end())],
  [
    "sends elsewhere",
    (server) =>
      server.on("request", (_request, reply) =>
        reply.writeHead(302, { location: `${at.provider.issuer}/` }).end(),
      ),
  ],
  [
    "talks without end",
    (server) =>
      server.on("request", (_request, reply) => {
        reply.writeHead(200, { "content-type": "application/json" });
        const more = () => reply.destroyed || reply.write("x".repeat(65_536), more);
        more();
      }),
  ],
  [
    "is another issuer",
    (server) =>
      server.on("request", (_request, reply) =>
        reply.writeHead(200, { "content-type": "application/json" }).end(
          JSON.stringify({
            issuer: "https://evil.example",
            authorization_endpoint: "https://evil.example/a",
          }),
        ),
      ),
  ],
  ["hangs up", (server) => server.on("request", (request) => request.socket.destroy())],
])("a provider that %s: 503, and sign-in with a password works", async (_what, answer) => {
  const to = await broken(answer);
  const refused = await post("/session/provider/start", {}, undefined, to);
  expect(refused.status).toBe(503);
  expect(refused.json.errors).toEqual(["The sign-in provider cannot be reached"]);
});

test("a command unlinks a user from the provider and ends the sessions that it opened", async () => {
  const jo = await signedIn(gatehouse, "operator");
  const pool = gatehouse.database.work;
  const bound = { issuer: "https://login.example.com", subject: "jo-at-the-provider" };
  await pool.query("insert into provider_identities (issuer, subject, user_id) values ($1, $2, $3)", [
    bound.issuer,
    bound.subject,
    jo.userId,
  ]);
  const visitor = { userId: jo.userId, address: "192.0.2.1", userAgent: undefined };
  await transaction(pool, (client) =>
    openSession(client, { ...visitor, by: "provider", isCodeChecked: false, isProven: true }),
  );
  expect(await run("user", "unbind-provider", jo.email.toUpperCase())).toEqual({
    uuid: jo.userId,
    email: jo.email,
    unbound: [bound],
  });
  expect(await run("user", "unbind-provider", jo.email)).toMatchObject({ unbound: [] });
  await expect(run("user", "unbind-provider", "unknown@example.com")).rejects.toThrow("There is no user");
  expect((await pool.query("select from provider_identities where user_id = $1", [jo.userId])).rows).toEqual(
    [],
  );
  const sessions = await pool.query("select by_provider from sessions where user_id = $1", [jo.userId]);
  expect(sessions.rows).toEqual([{ by_provider: false }]);
  const { rows } = await pool.query(
    "select actor, detail from audit_log where subject_id = $1 and action = 'user.unbind-provider' order by id",
    [jo.userId],
  );
  expect(rows).toEqual([
    { actor: "command line", detail: JSON.stringify({ unbound: [bound] }) },
    { actor: "command line", detail: JSON.stringify({ unbound: [] }) },
  ]);
});
