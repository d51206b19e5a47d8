import { beforeAll, expect, test } from "vitest";
import {
  consoleRoot,
  cookieOf,
  ownPage,
  signedIn,
  signIn,
  testPassword,
  visitor,
  type Visitor,
} from "../../../../testing/console.js";
import { useApp, type Answer } from "../../../../testing/harness.js";
import { whileHeld } from "../../../../testing/hold-accounts.js";
import { setUpSecondFactor } from "../../../../testing/second-factor.js";
import { transaction } from "../../database/transaction.js";
import { addMembership, removeMemberByEmail } from "../../organizations/membership-changes.js";
import { showUser } from "../../organizations/accounts.js";
import { inviteMember } from "../../organizations/invitations.js";
import { findOrBindIdentity } from "../../../features/openid/identities.js";

/** Users belong to A and are invited to B. Each organization has an admin. */
const gatehouse = useApp();
let operator: Visitor;
let a: Side;
let b: Side;

interface Side {
  organizationId: string;
  root: string;
  admin: Visitor;
}

beforeAll(async () => {
  operator = await signedIn(gatehouse, "operator");
  a = await side();
  b = await side();
});

async function side(): Promise<Side> {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  return { organizationId, root: `/organizations/${organizationId}`, admin };
}

/** A user of A, who is admin there and viewer in B. */
async function memberOfBoth(): Promise<Visitor> {
  const jo = await signedIn(gatehouse, "admin", a.organizationId);
  const { link } = (await b.admin.post(`${b.root}/members`, { email: jo.email, role: "viewer" })).json;
  expect((await jo.post("/session/invitation", { token: tokenOf(link.path) })).status).toBe(200);
  return jo;
}

function tokenOf(path: string): string {
  return path.split("token=")[1] as string;
}

async function follow(path: string): Promise<Answer> {
  return gatehouse.send({
    method: "POST",
    url: `${consoleRoot}/session/link`,
    headers: { ...ownPage, "content-type": "application/json" },
    payload: JSON.stringify({ token: tokenOf(path) }),
  });
}

async function actions(at: Side): Promise<string> {
  const { data } = (await operator.get(`${at.root}/audit?action=user`)).json;
  return data.map((line: { action: string }) => line.action).join(" ");
}

async function account(userId: string): Promise<string[]> {
  const { rows } = await gatehouse.database.work.query(
    `select row::text from users as row where id = $1
     union all select row::text from second_factors as row where user_id = $1
     union all select row::text from sign_in_links as row where user_id = $1
     union all select token_hash::text from sessions where user_id = $1`,
    [userId],
  );
  return rows.map(({ row }) => row);
}

test("users with and without an account are invited alike, and accept with the link in their own session", async () => {
  const jo = await signedIn(gatehouse, "admin", a.organizationId);
  await setUpSecondFactor(jo);
  const before = await account(jo.userId);
  const invite = async (email: string) =>
    (await b.admin.post(`${b.root}/members`, { email, role: "viewer" })).json;
  const stranger = await invite("Stranger@Example.com");
  const invited = await invite(jo.email.toUpperCase());
  const looks = { hasPassword: false, hasSecondFactor: false, lastSeenAt: null, disabledAt: null };
  expect(stranger.member).toMatchObject({ ...looks, email: "Stranger@Example.com" });
  expect(invited.member).toMatchObject({ ...looks, email: jo.email.toUpperCase() });
  expect(Date.parse(invited.member.createdAt)).toBeGreaterThan(Date.now() - 60_000);
  const { path } = invited.link;
  const { uuid } = invited.member;
  expect(uuid).not.toBe(jo.userId);
  expect(await account(jo.userId)).toEqual(before);

  // Neither the link alone nor the link with another user's session is enough.
  const alone = await follow(path);
  expect(alone.json).toMatchObject({ code: "invitationOfAccount" });
  expect(alone.headers["set-cookie"]).toBeUndefined();
  for (const other of [b.admin, a.admin, operator])
    expect((await other.post("/session/invitation", { token: tokenOf(path) })).json.code).toBe(
      "invitationOfAccount",
    );
  expect((await jo.post("/session/invitation", { token: "A".repeat(43) })).json.code).toBe("linkRefused");
  expect((await jo.get(b.root)).status).toBe(404);

  // A new link replaces the first, and a disabled invitation opens nothing.
  const renewed = (await b.admin.post(`${b.root}/members/${uuid}/sign-in-link`)).json.link.path;
  expect((await follow(path)).json.code).toBe("linkRefused");
  await b.admin.patch(`${b.root}/members/${uuid}`, { disabled: true });
  expect((await jo.post("/session/invitation", { token: tokenOf(renewed) })).json.code).toBe("linkRefused");
  await b.admin.patch(`${b.root}/members/${uuid}`, { disabled: false });
  expect((await operator.post(`${b.root}/members/${uuid}/second-factor/reset`)).status).toBe(400);
  expect(await account(jo.userId)).toEqual(before);

  // Credentials that an admin of A holds for the account must not open B.
  const kept = (await a.admin.post(`${a.root}/members/${jo.userId}/sign-in-link`)).json.link.path;
  await gatehouse.database.work.query(
    "insert into sessions (token_hash, user_id, expires_at) values ('other', $1, now() + interval '1 day')",
    [jo.userId],
  );
  const accepted = await jo.post("/session/invitation", { token: tokenOf(renewed) });
  expect(accepted.json).toMatchObject({ organizationUuid: b.organizationId });
  const roles = accepted.json.session.organizations.map(
    ({ uuid: of, role }: { uuid: string; role: string }) => `${of} ${role}`,
  );
  expect(roles.toSorted()).toEqual([`${a.organizationId} admin`, `${b.organizationId} viewer`].toSorted());
  expect((await follow(kept)).json.code).toBe("linkRefused");
  expect((await jo.get("/session/all")).json.data).toHaveLength(1);
  expect((await jo.post("/session/invitation", { token: tokenOf(renewed) })).json.code).toBe("linkRefused");

  const listed = (await b.admin.get(`${b.root}/members`)).json.data;
  expect(listed.find((member: { uuid: string }) => member.uuid === jo.userId)).toMatchObject({
    email: jo.email,
    hasPassword: true,
    hasSecondFactor: true,
  });
  const trail = (await b.admin.get(`${b.root}/audit?action=user`)).json.data;
  expect(trail.find((line: { action: string }) => line.action === "user.accept-invitation")).toMatchObject({
    actor: jo.email,
    subject: { kind: "person", uuid: jo.userId, name: jo.email },
  });
  expect(trail.find((line: { action: string }) => line.action === "user.update").subject.name).toBe(
    jo.email.toUpperCase(),
  );
  expect(await actions(a)).not.toContain("accept-invitation");
});

test("the creator of an account who set its password loses access when the owner accepts an invitation by link", async () => {
  const email = "bob@example.com";
  const enter = async (at: string) => visitor(gatehouse, email, "", cookieOf(await follow(at)));
  const own = (await a.admin.post(`${a.root}/members`, { email, role: "viewer" })).json;
  const mallory = await enter(own.link.path);
  const set = await mallory.post("/session/password", { newPassword: testPassword });
  const kept = visitor(gatehouse, email, "", cookieOf(set));
  await kept.post("/session/second-factor", { currentPassword: testPassword });

  const bob = await enter(
    (await a.admin.post(`${a.root}/members/${own.member.uuid}/sign-in-link`)).json.link.path,
  );
  const invited = (await b.admin.post(`${b.root}/members`, { email, role: "admin" })).json;
  const accepted = await bob.post("/session/invitation", { token: tokenOf(invited.link.path) });
  expect(accepted.json.session).toMatchObject({ byLink: true, user: { hasPassword: false } });
  expect((await signIn(gatehouse, email, testPassword)).json.code).toBe("signInRefused");
  expect((await kept.get("/session")).json.code).toBe("signedOut");
  expect((await account(own.member.uuid)).length).toBe(2);
  for (const at of [a, b]) expect(await actions(at)).toContain("user.remove-password");
  expect((await bob.post("/session/password", { newPassword: "chosen by the owner" })).status).toBe(200);
  expect((await signIn(gatehouse, email, "chosen by the owner")).status).toBe(200);
});

test("a role in one organization gives no rights in another", async () => {
  const jo = await memberOfBoth();
  expect((await jo.get(a.root)).json.role).toBe("admin");
  expect((await jo.get(b.root)).json.role).toBe("viewer");
  expect((await jo.post(`${a.root}/api-keys`, { name: "Mine" })).status).toBe(200);
  expect((await jo.post(`${b.root}/api-keys`, { name: "Mine" })).json.code).toBe("roleMissing");
  expect((await jo.get(`${b.root}/audit`)).json.code).toBe("roleMissing");
  expect((await jo.get("/organizations")).json.totalCount).toBe(2);
  expect((await jo.get(`/organizations?query=${b.organizationId}`)).json.data).toHaveLength(1);

  const { rows } = await gatehouse.database.work.query("select requires_second_factor from organizations");
  expect(rows.every((row) => !row.requires_second_factor)).toBe(true);
  const require = (on: boolean) =>
    gatehouse.database.work.query("update organizations set requires_second_factor = $2 where id = $1", [
      b.organizationId,
      on,
    ]);
  await require(true);
  expect((await jo.get(b.root)).json.code).toBe("secondFactorMissing");
  expect((await jo.get(a.root)).status).toBe(200);
  await require(false);

  await signIn(gatehouse, jo.email, testPassword);
  for (const at of [a, b]) expect((await actions(at)).split(" ")[0]).toBe("user.sign-in");
});

test("an admin changes the membership, never the account, of a user who belongs to other organizations", async () => {
  const jo = await memberOfBoth();
  for (const { admin, root } of [a, b]) {
    const refused = await admin.post(`${root}/members/${jo.userId}/sign-in-link`);
    expect(refused.json.errors[0]).toMatch(/belongs to another organization as well.*Ask an operator/);
  }
  const link = await operator.post(`${b.root}/members/${jo.userId}/sign-in-link`);
  for (const at of [a, b]) expect((await actions(at)).split(" ")[0]).toBe("user.create-sign-in-link");
  expect((await follow(link.json.link.path)).status).toBe(200);

  const disable = async (at: Side, disabled: boolean) =>
    expect((await at.admin.patch(`${at.root}/members/${jo.userId}`, { disabled })).status).toBe(200);
  await disable(b, true);
  expect((await jo.get(b.root)).status).toBe(404);
  expect((await jo.get(a.root)).status).toBe(200);
  await disable(b, false);
  expect((await jo.get(b.root)).status).toBe(200);

  // The first organization is stored where the previous release stores it, and has the same rights as the
  // others.
  await disable(a, true);
  expect((await jo.get(a.root)).status).toBe(404);
  expect((await jo.get(b.root)).json.role).toBe("viewer");
  expect((await jo.get("/session")).json.organizations).toMatchObject([{ uuid: b.organizationId }]);
  // The user goes on working in B, which A cannot affect.
  const { data: inA } = (await a.admin.get(`${a.root}/members`)).json;
  expect(inA.find(({ uuid }: { uuid: string }) => uuid === jo.userId)).toMatchObject({ lastSeenAt: null });
  expect((await signIn(gatehouse, jo.email, testPassword)).status).toBe(200);
  const identity = { issuer: "https://id.example.com", subject: jo.userId, verifiedEmail: jo.email };
  const bind = () =>
    transaction(gatehouse.database.work, (client) =>
      findOrBindIdentity(client, identity, { address: "192.0.2.1", signedIn: undefined }),
    );
  expect(await bind()).toEqual({ userId: jo.userId });

  await disable(b, true);
  expect((await jo.get("/session")).json.code).toBe("signedOut");
  expect((await signIn(gatehouse, jo.email, testPassword)).status).toBe(401);
  expect(await bind()).toBeUndefined();
  await disable(a, false);
  expect((await signIn(gatehouse, jo.email, testPassword)).status).toBe(200);
});

test("a removed user keeps other memberships, and the account is deleted with the last one", async () => {
  const jo = await memberOfBoth();
  const pending = await side();
  await pending.admin.post(`${pending.root}/members`, { email: jo.email, role: "admin" });
  const inB = async () =>
    (await b.admin.get(`${b.root}/members`)).json.data.find(
      (member: { uuid: string }) => member.uuid === jo.userId,
    );
  for (const { root } of [a, b])
    await jo.post(`${root}/saved-views`, { list: "runs", name: "Failed", query: "status=2" });
  const before = await inB();
  expect((await a.admin.delete(`${a.root}/members/${jo.userId}`)).status).toBe(204);
  expect((await a.admin.delete(`${a.root}/members/${jo.userId}`)).status).toBe(404);
  expect((await jo.get(a.root)).status).toBe(404);
  expect((await jo.get(b.root)).json.role).toBe("viewer");
  expect(await inB()).toEqual({ ...before, lastSeenAt: expect.any(String) });
  const views = await gatehouse.database.work.query(
    "select organization_id from saved_views where user_id = $1",
    [jo.userId],
  );
  expect(views.rows).toEqual([{ organization_id: b.organizationId }]);
  const left = (await a.admin.get(`${a.root}/audit?action=user.remove`)).json.data[0];
  expect(left).toMatchObject({ actor: a.admin.email, subject: { uuid: jo.userId, name: null } });

  expect((await b.admin.delete(`${b.root}/members/${b.admin.userId}`)).status).toBe(400);
  expect((await b.admin.delete(`${b.root}/members/${jo.userId}`)).status).toBe(204);
  expect((await jo.get("/session")).json.code).toBe("signedOut");
  expect(await account(jo.userId)).toEqual([]);
  // An invitation that was never accepted gives no right to the account and is deleted with it.
  expect((await pending.admin.get(`${pending.root}/members`)).json.data).toHaveLength(1);
  const gone = (await pending.admin.get(`${pending.root}/audit?action=user.remove`)).json.data;
  expect(gone).toMatchObject([{ actor: "account removed", address: null }]);
  const renewed = await a.admin.post(`${a.root}/members`, { email: jo.email, role: "viewer" });
  expect((await follow(renewed.json.link.path)).status).toBe(200);
});

test("a user cannot be invited twice, and two organizations can invite the same address at once", async () => {
  const own = await a.admin.post(`${a.root}/members`, { email: a.admin.email, role: "viewer" });
  expect(own.json.errors).toEqual([`${a.admin.email} is already a member of this organization`]);
  const invite = (at: Side) =>
    inviteMember(gatehouse.database.work, {
      organizationId: at.organizationId,
      email: "wanted@example.com",
      role: "viewer",
      maker: "operator",
      actor: "test",
    });
  const made = await Promise.allSettled([invite(a), invite(b), invite(a), invite(b)]);
  expect(made.map(({ status }) => status).toSorted()).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "rejected",
  ]);
  const shown = await showUser(gatehouse.database.work, "wanted@example.com");
  expect(shown.memberships.map(({ acceptedInvitation }) => acceptedInvitation).toSorted()).toEqual([
    false,
    true,
  ]);
});

test("an operator who accepts an invitation stays an operator and does not become a member", async () => {
  const invited = await b.admin.post(`${b.root}/members`, { email: operator.email, role: "viewer" });
  expect(invited.json.member).toMatchObject({ hasPassword: false, role: "viewer" });
  const accepted = await operator.post("/session/invitation", { token: tokenOf(invited.json.link.path) });
  expect(accepted.json.session).toMatchObject({ user: { isOperator: true }, organizations: [] });
  expect((await showUser(gatehouse.database.work, operator.email)).memberships).toEqual([]);
  expect((await operator.post(`${b.root}/api-keys`, { name: "Still" })).status).toBe(200);
});

test("of two admins who remove each other at the same moment, one remains", async () => {
  const { organizationId, root, admin: one } = await side();
  const two = await signedIn(gatehouse, "admin", organizationId);
  const answers = await whileHeld(gatehouse, [one.userId, two.userId], () => [
    one.delete(`${root}/members/${two.userId}`),
    two.patch(`${root}/members/${one.userId}`, { disabled: true }),
  ]);
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  const { rows } = await gatehouse.database.work.query(
    "select from users where organization_id = $1 and role = 'admin' and disabled_at is null",
    [organizationId],
  );
  expect(rows).toHaveLength(1);
});

test("the command line adds, shows and removes memberships, and leaves the account unchanged", async () => {
  const jo = await signedIn(gatehouse, "viewer", a.organizationId);
  const pool = gatehouse.database.work;
  const add = (role: "admin" | "viewer") =>
    addMembership(pool, { email: jo.email, organizationId: b.organizationId, role, actor: "command line" });
  await inviteMember(pool, {
    organizationId: b.organizationId,
    email: jo.email,
    role: "viewer",
    maker: "operator",
    actor: "test",
  });
  expect(await add("admin")).toMatchObject({ uuid: jo.userId, organizationUuid: b.organizationId });
  await expect(add("viewer")).rejects.toThrow(/already belongs/);
  await expect(
    addMembership(pool, {
      email: operator.email,
      organizationId: b.organizationId,
      role: "viewer",
      actor: "test",
    }),
  ).rejects.toThrow(/is an operator/);
  const here = visitor(gatehouse, "", "", cookieOf(await signIn(gatehouse, jo.email, testPassword)));
  expect((await here.get(b.root)).json.role).toBe("admin");
  expect(await showUser(pool, jo.email)).toMatchObject({ isOperator: false, memberships: [{}, {}] });
  const remove = (organizationId: string) =>
    removeMemberByEmail(pool, { email: jo.email, organizationId, actor: "command line", features: [] });
  await expect(remove("nothing")).rejects.toThrow(/does not belong/);
  expect(await remove(a.organizationId)).toMatchObject({ isAccountDeleted: false });
  expect(await remove(b.organizationId)).toMatchObject({ isAccountDeleted: true });
  await expect(remove(b.organizationId)).rejects.toThrow(/no user/);
});
