import { beforeAll, expect, onTestFinished, test } from "vitest";
import { consoleRoot, cookieOf, ownPage, signedIn, visitor, type Visitor } from "../../../testing/console.js";
import { sendTo, useApp } from "../../../testing/harness.js";
import { buildApp } from "../../app.js";

/** Organization Settings: captcha, honeypot and origins; API Keys; Members. */
const gatehouse = useApp();
let organizationId: string;
let admin: Visitor;
let root: string;

beforeAll(async () => {
  ({ organizationId } = await gatehouse.tenant());
  admin = await signedIn(gatehouse, "admin", organizationId);
  root = `/organizations/${organizationId}`;
});

test("captcha, honeypot and origins are set and switched off; the secret never comes back", async () => {
  const secret = "very-secret-captcha-key";
  const set = await admin.patch(root, {
    captcha: { type: "recaptcha", secret, minimumScore: 0.5, hostnames: ["www.example.com"] },
    honeypotField: "website",
    leadOrigins: ["https://www.example.com"],
  });
  expect(set.json).toMatchObject({
    uuid: organizationId,
    captcha: { type: "recaptcha", minimumScore: 0.5, hostnames: ["www.example.com"] },
    honeypotField: "website",
    leadOrigins: ["https://www.example.com"],
  });
  const kept = await admin.patch(root, { captcha: { type: "recaptcha", minimumScore: 0.7 } });
  expect(kept.json.captcha).toEqual({ type: "recaptcha", minimumScore: 0.7, hostnames: ["www.example.com"] });
  expect(kept.json.honeypotField).toBe("website");
  expect((await admin.patch(root, { captcha: { type: "hcaptcha" } })).json.errors).toEqual([
    "The captcha hcaptcha needs its secret",
  ]);
  const off = await admin.patch(root, { captcha: null, honeypotField: null, leadOrigins: [] });
  expect(off.json).toMatchObject({ captcha: null, honeypotField: null, leadOrigins: [] });
  const said = [set, kept, off, await admin.get(root), await admin.get(`${root}/audit`)];
  expect(said.some((answer) => answer.text.includes(secret))).toBe(false);
  expect(JSON.stringify(gatehouse.logged)).not.toContain(secret);
});

test("a service that can keep no secret key says so without telling where it looked", async () => {
  const config = { ...gatehouse.config, secretKey: undefined, dataDirectory: "/dev/null/data" };
  const app = await buildApp({ config, database: gatehouse.database, logger: gatehouse.app.log });
  onTestFinished(() => app.close());
  const change = (body: object) =>
    sendTo(app, {
      method: "PATCH",
      url: consoleRoot + root,
      headers: { ...ownPage, cookie: admin.cookie, "content-type": "application/json" },
      payload: JSON.stringify(body),
    });
  const refused = await change({ captcha: { type: "turnstile", secret: "very-secret" } });
  expect(refused).toMatchObject({ status: 409, json: { code: "conflict" } });
  expect(refused.json.errors).toEqual([expect.stringContaining("GATEHOUSE_SECRET_KEY")]);
  expect(refused.text).not.toContain("/dev/null");
  // What needs no secret goes on without one.
  expect((await change({ honeypotField: "website" })).status).toBe(200);
});

test("R29 R30 a key is created with a name, permissions, an expiry and origins, works at once, and is shown once", async () => {
  const created = await admin.post(`${root}/api-keys`, {
    name: "Billing system",
    permissions: ["locations:read", "leads:write"],
    expiresAt: "2099-01-01T00:00:00.000Z",
    leadOrigins: ["https://www.example.com"],
  });
  const { key, ...shown } = created.json;
  expect(shown).toMatchObject({
    name: "Billing system",
    permissions: ["leads:write", "locations:read"],
    expiresAt: "2099-01-01T00:00:00.000Z",
    lastUsedAt: null,
  });
  expect((await gatehouse.send({ method: "GET", url: "/integrations/locations", key })).status).toBe(200);
  expect((await gatehouse.send({ method: "GET", url: "/integrations/imports", key })).status).toBe(403);

  const listed = await admin.get(`${root}/api-keys`);
  expect(listed.json.data[0]).toMatchObject({ uuid: shown.uuid, prefix: key.slice(0, 10) });
  const audit = await admin.get(`${root}/audit`);
  for (const { text } of [listed, audit]) expect(text).not.toContain(key);
  expect(JSON.stringify(gatehouse.logged)).not.toContain(key);
});

async function use(key: string): Promise<number> {
  return (await gatehouse.send({ method: "GET", url: "/integrations/locations", key })).status;
}

test("a key is rotated with an overlap and revoked at once", async () => {
  const { key, uuid } = (await admin.post(`${root}/api-keys`, { name: "Rotated" })).json;
  const successor = (await admin.post(`${root}/api-keys/${uuid}/rotate`, { overlapMs: 3_600_000 })).json;
  expect([await use(key), await use(successor.key)]).toEqual([200, 200]);
  expect((await admin.post(`${root}/api-keys/${uuid}/revoke`)).json.revokedAt).not.toBeNull();
  expect([await use(key), await use(successor.key)]).toEqual([401, 200]);
  expect((await admin.post(`${root}/api-keys/${uuid}/rotate`, { overlapMs: -1 })).status).toBe(400);
});

test("a member is invited by a one-time link, changes role, is disabled and enabled again", async () => {
  const invited = (await admin.post(`${root}/members`, { email: "Kim@example.com", role: "viewer" })).json;
  expect(invited.member).toMatchObject({ email: "Kim@example.com", role: "viewer", hasPassword: false });
  const kim = await enter(invited.link.path);
  expect((await kim.get("/session")).json).toMatchObject({
    user: { role: "viewer" },
    organization: { uuid: organizationId },
  });
  const path = `${root}/members/${invited.member.uuid}`;

  await admin.patch(path, { role: "admin" });
  expect((await kim.get("/session")).json.user.role).toBe("admin");
  const disabled = await admin.patch(path, { disabled: true });
  expect(disabled.json.disabledAt).not.toBeNull();
  expect((await kim.get("/session")).status).toBe(401);
  expect((await admin.post(`${path}/sign-in-link`)).status).toBe(400);

  expect((await admin.patch(path, { disabled: false })).json.disabledAt).toBeNull();
  expect((await kim.get("/session")).status).toBe(401);
  const reset = (await admin.post(`${path}/sign-in-link`)).json;
  expect((await (await enter(reset.link.path)).get("/session")).status).toBe(200);
  const listed = (await admin.get(`${root}/members`)).json.data;
  expect(listed.map((member: { email: string }) => member.email)).toEqual([admin.email, "Kim@example.com"]);
});

test("a reset forgets the password and ends the sessions of someone who lost it", async () => {
  const lost = await signedIn(gatehouse, "viewer", organizationId);
  const reset = (await admin.post(`${root}/members/${lost.userId}/sign-in-link`)).json;
  expect((await lost.get("/session")).status).toBe(401);
  expect(reset.member.hasPassword).toBe(false);
});

test("nobody disables themselves, invites an operator, or takes an address that is in use", async () => {
  const own = await admin.patch(`${root}/members/${admin.userId}`, { disabled: true });
  expect(own.json.errors).toEqual(["You cannot change your own role or disable yourself; ask another admin"]);
  const operator = await admin.post(`${root}/members`, { email: "boss@example.com", role: "operator" });
  expect(operator.json.errors).toEqual(["role must be one of admin, viewer"]);
  const taken = await admin.post(`${root}/members`, { email: admin.email.toUpperCase(), role: "viewer" });
  expect(taken.status).toBe(400);
});

async function enter(path: string): Promise<Visitor> {
  expect(path).toMatch(/^\/sign-in#token=[A-Za-z0-9_-]{43}$/);
  const answer = await gatehouse.send({
    method: "POST",
    url: `${consoleRoot}/session/link`,
    headers: { ...ownPage, "content-type": "application/json" },
    payload: JSON.stringify({ token: path.split("token=")[1] }),
  });
  expect(answer.status).toBe(200);
  return visitor(gatehouse, "", "", cookieOf(answer));
}
