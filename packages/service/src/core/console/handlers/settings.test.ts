import { beforeAll, expect, onTestFinished, test } from "vitest";
import {
  consoleRoot,
  cookieOf,
  ownPage,
  signIn,
  signedIn,
  testPassword,
  visitor,
  type Visitor,
} from "../../../../testing/console.js";
import { sendTo, useApp, type Answer } from "../../../../testing/harness.js";
import { buildApp } from "../../../app.js";

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

test("captcha, honeypot and origins can be set and switched off, and the secret is never returned", async () => {
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

test("an organization can be renamed, which is audited, and its name must be a text of limited length", async () => {
  const tenant = await gatehouse.tenant();
  const own = `/organizations/${tenant.organizationId}`;
  const owner = await signedIn(gatehouse, "admin", tenant.organizationId);
  const { version } = (await owner.get(own)).json;
  const renamed = await owner.patch(own, { name: "Harbour & Söhne", version });
  expect(renamed.json).toMatchObject({ uuid: tenant.organizationId, name: "Harbour & Söhne" });
  expect((await owner.get(own)).json.name).toBe("Harbour & Söhne");
  expect((await owner.get("/organizations?query=söhne")).json.data).toMatchObject([
    { uuid: tenant.organizationId },
  ]);
  const { data } = (await owner.get(`${own}/audit?action=organization.configure`)).json;
  expect(JSON.parse(data[0].detail).name).toMatchObject({ to: "Harbour & Söhne" });
  for (const name of ["", "  ", "x".repeat(257), "a\u0000b"])
    expect((await owner.patch(own, { name })).status, JSON.stringify(name)).toBe(400);
  expect((await owner.patch(own, { name: "Late", version })).status).toBe(409);
  const viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
  expect((await viewer.patch(own, { name: "Mine" })).status).toBe(403);
});

test("a service without a place for its secret key says so without revealing where it looked", async () => {
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
  // Settings without a secret still work.
  expect((await change({ honeypotField: "website" })).status).toBe(200);
});

/** @covers R29, R30 */
test("a new key with a name, permissions, an expiry and origins works at once and is shown once", async () => {
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

test("a key is rotated with an overlap, and revoked immediately", async () => {
  const { key, uuid } = (await admin.post(`${root}/api-keys`, { name: "Rotated" })).json;
  const successor = (await admin.post(`${root}/api-keys/${uuid}/rotate`, { overlapMs: 3_600_000 })).json;
  expect([await use(key), await use(successor.key)]).toEqual([200, 200]);
  expect((await admin.post(`${root}/api-keys/${uuid}/revoke`)).json.revokedAt).not.toBeNull();
  expect([await use(key), await use(successor.key)]).toEqual([401, 200]);
  expect((await admin.post(`${root}/api-keys/${uuid}/rotate`, { overlapMs: -1 })).status).toBe(400);
});

test("a rotated key shows when it ends and its successor, and the successor shows no predecessor", async () => {
  const { uuid } = (await admin.post(`${root}/api-keys`, { name: "Predecessor" })).json;
  const successor = (await admin.post(`${root}/api-keys/${uuid}/rotate`, { overlapMs: 3_600_000 })).json;
  const { uuid: next, name, prefix } = successor;
  expect(successor.replacedBy).toBeNull();
  const old = await findKey(uuid);
  expect(old.replacedBy).toEqual({ uuid: next, name, prefix });
  expect(Date.parse(old.expiresAt)).toBeGreaterThan(Date.now());
  const endless = await admin.patch(`${root}/api-keys/${uuid}`, { expiresAt: null });
  expect(endless.json.errors).toEqual(["This key was rotated and has to end; choose when"]);
});

const findKey = async (uuid: string) =>
  (await admin.get(`${root}/api-keys`)).json.data.find((key: { uuid: string }) => key.uuid === uuid);

test("changes of a key's name, permissions, origins and expiry apply at once and are audited", async () => {
  const { key, uuid, version } = (await admin.post(`${root}/api-keys`, { name: "Old name" })).json;
  const path = `${root}/api-keys/${uuid}`;
  expect(await use(key)).toBe(200);
  const wanted = {
    name: "New name",
    permissions: ["leads:write"],
    leadOrigins: ["https://www.example.com"],
    expiresAt: "2099-01-01T00:00:00.000Z",
  };
  const changed = await admin.patch(path, { ...wanted, version });
  expect(changed.json).toMatchObject(wanted);
  expect(await findKey(uuid)).toEqual(changed.json);
  expect(await use(key)).toBe(403);
  const [line] = (await admin.get(`${root}/audit?action=api-key.update`)).json.data;
  expect(line.subject.name).toContain("New name");
  expect(JSON.parse(line.detail)).toMatchObject({
    name: { from: "Old name", to: "New name" },
    permissions: { to: ["leads:write"] },
    expiresAt: { from: null, to: "2099-01-01T00:00:00.000Z" },
  });

  const stale = await admin.patch(path, { name: "Third name", version });
  expect([stale.status, stale.json.code]).toEqual([409, "changedMeanwhile"]);
  expect((await admin.patch(path, { expiresAt: null })).json).toMatchObject({ ...wanted, expiresAt: null });
  for (const [body, told] of [
    [{ name: " " }, "name must not be empty"],
    [{ permissions: [] }, "A key needs at least one permission"],
    [{ leadOrigins: ["nowhere"] }, '"nowhere" is not an origin such as https://www.example.com'],
    [{ expiresAt: "2001-01-01T00:00:00.000Z" }, "The expiry must be in the future"],
  ] as const)
    expect((await admin.patch(path, body)).json.errors).toEqual([told]);
  await admin.post(`${path}/revoke`);
  expect((await admin.patch(path, { name: "Fourth name" })).status).toBe(400);
  expect((await findKey(uuid)).name).toBe("New name");
});

test("renaming an expired key keeps its expiry", async () => {
  const { uuid } = (await admin.post(`${root}/api-keys`, { name: "Ended" })).json;
  const ended = "2020-01-01T00:00:00.000Z";
  await gatehouse.database.work.query("update api_keys set expires_at = $2 where id = $1", [uuid, ended]);
  const changed = await admin.patch(`${root}/api-keys/${uuid}`, { name: "Ended long ago", expiresAt: ended });
  expect(changed.json).toMatchObject({ name: "Ended long ago", expiresAt: ended });
});

test("a member is invited by a one-time link, changes role, is disabled and enabled again", async () => {
  const invited = (await admin.post(`${root}/members`, { email: "Kim@example.com", role: "viewer" })).json;
  expect(invited.member).toMatchObject({ email: "Kim@example.com", role: "viewer", hasPassword: false });
  const kim = await enter(invited.link.path);
  expect((await kim.get("/session")).json).toMatchObject({
    user: { isOperator: false },
    organizations: [{ uuid: organizationId, role: "viewer" }],
  });
  const path = `${root}/members/${invited.member.uuid}`;

  await admin.patch(path, { role: "admin" });
  expect((await kim.get("/session")).json.organizations).toMatchObject([{ role: "admin" }]);
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

test("a new link removes no credentials of a member and replaces no password", async () => {
  const member = await signedIn(gatehouse, "viewer", organizationId);
  const operator = await signedIn(gatehouse, "operator");
  const made = (await operator.post(`${root}/members/${member.userId}/sign-in-link`)).json;
  expect(made.member.hasPassword).toBe(true);
  expect((await member.get("/session")).json).toMatchObject({ byLink: false });
  expect((await signIn(gatehouse, member.email, testPassword)).status).toBe(200);

  const linked = await enter(made.link.path);
  expect((await linked.get("/session")).json).toMatchObject({ byLink: true, user: { hasPassword: true } });
  expect((await member.get("/session")).status).toBe(200);
  expect((await signIn(gatehouse, member.email, testPassword)).status).toBe(200);

  const newPassword = "chosen after the link";
  const other = (await admin.post(`${root}/members/${member.userId}/sign-in-link`)).json;
  expect((await linked.post("/session/password", { newPassword })).status).toBe(400);
  const changed = await linked.post("/session/password", { newPassword, currentPassword: testPassword });
  expect(changed.json).toMatchObject({ byLink: false, user: { hasPassword: true } });
  expect((await member.get("/session")).status).toBe(401);
  expect((await signIn(gatehouse, member.email, testPassword)).status).toBe(401);
  expect((await signIn(gatehouse, member.email, newPassword)).status).toBe(200);
  expect((await follow(other.link.path)).status).toBe(401);

  const again = await visitor(gatehouse, "", "", cookieOf(changed)).post("/session/password", {
    newPassword: "without knowing the last",
  });
  expect(again.json.errors).toEqual(["The current password is incorrect"]);
});

test("a member cannot disable themselves, invite an operator, or use an address that is taken", async () => {
  const own = await admin.patch(`${root}/members/${admin.userId}`, { disabled: true });
  expect(own.json.errors).toEqual(["You cannot change your own role or disable yourself; ask another admin"]);
  const operator = await admin.post(`${root}/members`, { email: "boss@example.com", role: "operator" });
  expect(operator.json.errors).toEqual(["role must be one of admin, viewer"]);
  const taken = await admin.post(`${root}/members`, { email: admin.email.toUpperCase(), role: "viewer" });
  expect(taken.status).toBe(400);
});

async function enter(path: string): Promise<Visitor> {
  expect(path).toMatch(/^\/sign-in#token=[A-Za-z0-9_-]{43}$/);
  const answer = await follow(path);
  expect(answer.status).toBe(200);
  return visitor(gatehouse, "", "", cookieOf(answer));
}

async function follow(path: string): Promise<Answer> {
  return gatehouse.send({
    method: "POST",
    url: `${consoleRoot}/session/link`,
    headers: { ...ownPage, "content-type": "application/json" },
    payload: JSON.stringify({ token: path.split("token=")[1] }),
  });
}
