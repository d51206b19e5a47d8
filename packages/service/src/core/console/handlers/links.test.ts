import { beforeEach, expect, test } from "vitest";
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
import { authenticator, letTimePass, setUpSecondFactor } from "../../../../testing/second-factor.js";

const gatehouse = useApp();
let operator: Visitor;
let organizationId: string;
let root: string;
/** The admin who makes the links. */
let maker: Visitor;
/** The member for whom links are made. */
let colleague: Visitor;
let addresses = 0;

beforeEach(async () => {
  ({ organizationId } = await gatehouse.tenant());
  root = `/organizations/${organizationId}`;
  operator ??= await signedIn(gatehouse, "operator");
  maker = await signedIn(gatehouse, "admin", organizationId);
  colleague = await signedIn(gatehouse, "admin", organizationId);
});

async function linkFor(userId: string, by = maker): Promise<string> {
  return (await by.post(`${root}/members/${userId}/sign-in-link`)).json.link.path;
}

async function invite(email: string, by = maker): Promise<{ path: string; memberId: string }> {
  const { link, member } = (await by.post(`${root}/members`, { email, role: "viewer" })).json;
  return { path: link.path, memberId: member.uuid };
}

async function follow(path: string, code?: string): Promise<Answer> {
  addresses += 1;
  return gatehouse.send({
    method: "POST",
    url: `${consoleRoot}/session/link`,
    headers: {
      ...ownPage,
      "content-type": "application/json",
      "x-forwarded-for": `203.0.113.${addresses % 250}`,
    },
    payload: JSON.stringify({ token: tokenOf(path), ...(code === undefined ? {} : { code }) }),
  });
}

async function enter(path: string, code?: string): Promise<Visitor> {
  const answer = await follow(path, code);
  expect(answer.status, answer.text).toBe(200);
  return visitor(gatehouse, "", "", cookieOf(answer));
}

const tokenOf = (path: string) => path.split("token=")[1] as string;

type Ending = [what: string, end: () => Promise<Answer>];
const endings: Ending[] = [
  ["removed", () => colleague.delete(`${root}/members/${maker.userId}`)],
  ["disabled", () => colleague.patch(`${root}/members/${maker.userId}`, { disabled: true })],
  ["made a viewer", () => colleague.patch(`${root}/members/${maker.userId}`, { role: "viewer" })],
];

test.each(endings)("links and invitations end when their maker is %s", async (_what, end) => {
  const elsewhere = await signedIn(gatehouse, "viewer", (await gatehouse.tenant()).organizationId);
  const link = await linkFor(colleague.userId);
  const toNobody = await invite(`new-${maker.userId}@example.com`);
  const toAccount = await invite(elsewhere.email);
  expect((await end()).status).toBeLessThan(300);
  expect((await follow(link)).json.code).toBe("linkRefused");
  expect((await follow(toNobody.path)).json.code).toBe("linkRefused");
  expect((await follow(toAccount.path)).json.code).toBe("linkRefused");
  const accepted = await elsewhere.post("/session/invitation", { token: tokenOf(toAccount.path) });
  expect(accepted.json.code).toBe("linkRefused");
  expect((await elsewhere.get(root)).status).toBe(404);

  // Another admin makes new ones.
  expect((await follow(await linkFor(colleague.userId, colleague))).status).toBe(200);
  const renewed = await linkFor(toAccount.memberId, colleague);
  expect((await elsewhere.post("/session/invitation", { token: tokenOf(renewed) })).status).toBe(200);
});

test("a link that has ended stays invalid when its maker gets access again", async () => {
  const link = await linkFor(colleague.userId);
  const path = `${root}/members/${maker.userId}`;
  await colleague.patch(path, { disabled: true });
  await colleague.patch(path, { disabled: false });
  expect((await follow(link)).json.code).toBe("linkRefused");
});

test("links end with their maker even if an older release removes the maker's access", async () => {
  const link = await linkFor(colleague.userId);
  // As release 1.1.0 does it.
  await gatehouse.database.work.query("update users set disabled_at = now() where id = $1", [maker.userId]);
  expect((await follow(link)).json.code).toBe("linkRefused");
});

test.each(endings)(
  "a session that a link opened ends when the maker of the link is %s",
  async (_what, end) => {
    const target = await signedIn(gatehouse, "viewer", organizationId);
    const opened = await enter(await linkFor(target.userId));
    const byAnother = await enter(await linkFor(target.userId, colleague));
    await end();
    expect((await opened.get("/session")).json.code).toBe("signedOut");
    expect((await byAnother.get("/session")).status).toBe(200);
    expect((await target.get("/session")).status).toBe(200);
  },
);

test("the links of an operator end when they are disabled", async () => {
  const other = await signedIn(gatehouse, "operator");
  const link = await linkFor(colleague.userId, other);
  await gatehouse.database.work.query("update users set disabled_at = now() where id = $1", [other.userId]);
  expect((await follow(link)).json.code).toBe("linkRefused");
});

test("a link that is opened while its maker is being removed waits for that, and is rejected", async () => {
  const link = await linkFor(colleague.userId);
  const [answer] = await whileHeld(
    gatehouse,
    [maker.userId],
    () => [follow(link)],
    (holder) => holder.query("update users set role = 'viewer' where id = $1", [maker.userId]),
  );
  expect(answer?.json.code).toBe("linkRefused");
});

test("an invitation that is accepted while its maker is being disabled is rejected", async () => {
  const elsewhere = await signedIn(gatehouse, "viewer", (await gatehouse.tenant()).organizationId);
  const { path } = await invite(elsewhere.email);
  const [answer] = await whileHeld(
    gatehouse,
    [maker.userId],
    () => [elsewhere.post("/session/invitation", { token: tokenOf(path) })],
    (holder) => holder.query("update users set disabled_at = now() where id = $1", [maker.userId]),
  );
  expect(answer?.json.code).toBe("linkRefused");
});

test("accepting an invitation and disabling its maker concurrently does not deadlock", async () => {
  const elsewhere = await signedIn(gatehouse, "viewer", (await gatehouse.tenant()).organizationId);
  const { path, memberId } = await invite(elsewhere.email);
  const answers = await whileHeld(gatehouse, [elsewhere.userId, maker.userId], () => [
    elsewhere.post("/session/invitation", { token: tokenOf(path) }),
    maker.delete(`${root}/members/${memberId}`),
  ]);
  const statuses = answers.map(({ status }) => status);
  expect([
    [200, 404],
    [401, 204],
  ]).toContainEqual(statuses);
});

test("a link opened twice at the same moment signs in one of the two", async () => {
  const link = await linkFor(colleague.userId);
  const answers = await whileHeld(gatehouse, [colleague.userId], () => [follow(link), follow(link)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
});

test("an invitation accepted twice at the same moment creates one membership", async () => {
  const elsewhere = await signedIn(gatehouse, "viewer", (await gatehouse.tenant()).organizationId);
  const { path } = await invite(elsewhere.email);
  const accept = () => elsewhere.post("/session/invitation", { token: tokenOf(path) });
  const answers = await whileHeld(gatehouse, [elsewhere.userId], () => [accept(), accept()]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  expect((await elsewhere.get("/session")).json.organizations).toHaveLength(2);
});

test("a link that an admin made does not replace a password without the current password or a code", async () => {
  const newPassword = "chosen by a user of the link";
  const opened = await enter(await linkFor(colleague.userId));
  const refused = await opened.post("/session/password", { newPassword });
  expect(refused.status).toBe(400);
  expect(refused.json.errors[0]).toContain("This link does not replace your password");
  expect((await opened.post("/session/second-factor")).status).toBe(400);
  expect((await opened.post("/session/password", { newPassword, currentPassword: "a guess" })).status).toBe(
    400,
  );
  expect((await signIn(gatehouse, colleague.email, testPassword)).status).toBe(200);

  const { app } = await setUpSecondFactor(colleague);
  await letTimePass(gatehouse);
  const withCode = await enter(await linkFor(colleague.userId), app.code());
  expect((await withCode.post("/session/password", { newPassword })).status).toBe(400);
  expect((await withCode.post("/session/password", { newPassword, code: "000000" })).status).toBe(400);
  expect((await withCode.post("/session/password", { newPassword, code: app.code(1) })).status).toBe(200);
});

test("a link that an operator made does not replace a password either", async () => {
  const opened = await enter(await linkFor(colleague.userId, operator));
  const change = (proof: object) =>
    opened.post("/session/password", { newPassword: "chosen after the link", ...proof });
  const refused = await change({});
  expect(refused.status).toBe(400);
  expect(refused.json.errors[0]).toContain("This link does not replace your password");
  expect((await opened.post("/session/second-factor")).status).toBe(400);
  expect((await signIn(gatehouse, colleague.email, testPassword)).status).toBe(200);
  expect((await change({ currentPassword: testPassword })).status).toBe(200);
});

test("an admin who opens an invitation cannot lock its user out: an operator's link removes the credentials that they set", async () => {
  const email = `squatted-${maker.userId}@example.com`;
  const { path, memberId } = await invite(email);
  const squatter = await enter(path);
  const set = await squatter.post("/session/password", { newPassword: testPassword });
  const kept = visitor(gatehouse, email, memberId, cookieOf(set));
  const secret = (await kept.post("/session/second-factor", { currentPassword: testPassword })).json.secret;
  await kept.post("/session/second-factor/confirm", { code: authenticator(secret).code() });

  const person = await enter(await linkFor(memberId, operator));
  expect((await person.get("/session")).json.user).toMatchObject({
    hasPassword: false,
    hasSecondFactor: false,
  });
  expect((await kept.get("/session")).json.code).toBe("signedOut");
  expect((await signIn(gatehouse, email, testPassword)).json.code).toBe("signInRefused");
  expect((await person.post("/session/password", { newPassword: "chosen by the owner" })).status).toBe(200);
  expect((await signIn(gatehouse, email, "chosen by the owner")).status).toBe(200);
  const trail = (await colleague.get(`${root}/audit?action=user`)).json.data;
  const proof = trail.find((line: { action: string }) => line.action === "user.prove-address");
  expect(JSON.parse(proof.detail)).toEqual({
    by: "operator",
    removedPassword: true,
    removedSecondFactor: true,
  });

  // From now on, neither the admin's links nor another link from the operator remove anything.
  const again = await enter(await linkFor(memberId));
  expect((await again.post("/session/password", { newPassword: testPassword })).status).toBe(400);
  await enter(await linkFor(memberId, operator));
  expect((await signIn(gatehouse, email, "chosen by the owner")).status).toBe(200);
});

test("an admin's link cannot add a password to an account with a proven address and no password", async () => {
  const { path, memberId } = await invite(`proven-${maker.userId}@example.com`, operator);
  await enter(path);
  const opened = await enter(await linkFor(memberId));
  const refused = await opened.post("/session/password", { newPassword: testPassword });
  expect(refused.json.errors[0]).toContain("Sign in again first");
  expect((await opened.post("/session/second-factor")).status).toBe(400);
});
