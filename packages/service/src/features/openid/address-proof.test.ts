import { expect, onTestFinished, test } from "vitest";
import {
  consoleRoot,
  cookieOf,
  ownPage,
  signedIn,
  signIn,
  testPassword,
  visitor,
  type Visitor,
} from "../../../testing/console.js";
import { useApp, type Answer } from "../../../testing/harness.js";
import { addPerson } from "../../../testing/person.js";
import { useProviderApp } from "../../../testing/provider-app.js";
import { authenticator } from "../../../testing/second-factor.js";
import { interceptStatements } from "../../../testing/statements.js";
import { waitingForLocks } from "../../../testing/waiting-for-locks.js";
import { resetOperator } from "../../core/organizations/operators.js";
import { unbindProvider } from "./identities.js";

const gatehouse = useApp();
const { claims, invited, signInAs } = useProviderApp(gatehouse);

/** An organization whose admin has invited an address, opened the link, and set a password and a second factor. */
async function squatted(): Promise<{
  email: string;
  userId: string;
  organizationId: string;
  squatter: Visitor;
  code(): string;
}> {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const email = `squatted-${organizationId}@example.com`;
  const made = (await admin.post(`/organizations/${organizationId}/members`, { email, role: "viewer" })).json;
  const opened = await gatehouse.send({
    method: "POST",
    url: `${consoleRoot}/session/link`,
    headers: { ...ownPage, "content-type": "application/json" },
    payload: JSON.stringify({ token: made.link.path.split("token=")[1] }),
  });
  const first = visitor(gatehouse, email, made.member.uuid, cookieOf(opened));
  const set = await first.post("/session/password", { newPassword: testPassword });
  const squatter = visitor(gatehouse, email, made.member.uuid, cookieOf(set));
  const { secret } = (await squatter.post("/session/second-factor", { currentPassword: testPassword })).json;
  const app = authenticator(secret);
  expect((await squatter.post("/session/second-factor/confirm", { code: app.code() })).status).toBe(200);
  return { email, userId: made.member.uuid, organizationId, squatter, code: () => app.code(1) };
}

test("an owner whose address an admin took over signs in with the provider, and the admin's credentials are removed", async () => {
  const { email, userId, squatter, code } = await squatted();
  claims.set("owner", { email, email_verified: true });
  const answer = await signInAs("owner");
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json.user).toMatchObject({ uuid: userId, hasPassword: false, hasSecondFactor: false });
  expect((await squatter.get("/session")).json.code).toBe("signedOut");
  expect((await signIn(gatehouse, email, testPassword)).json.code).toBe("signInRefused");

  // From now on the owner controls the account: they accept another invitation and set a password.
  const other = await gatehouse.tenant();
  const otherAdmin = await signedIn(gatehouse, "admin", other.organizationId);
  const path = `/organizations/${other.organizationId}/members`;
  const { link } = (await otherAdmin.post(path, { email, role: "admin" })).json;
  const owner = visitor(gatehouse, email, userId, sessionOf(answer));
  const token = link.path.split("token=")[1];
  expect((await owner.post("/session/invitation", { token })).status).toBe(200);
  expect((await owner.post("/session/password", { newPassword: "chosen by the owner" })).status).toBe(200);
  expect((await signIn(gatehouse, email, testPassword)).json.code).toBe("signInRefused");
  expect(code()).toMatch(/^\d{6}$/);
});

test("a user who connects the provider in a session with their password keeps password and second factor", async () => {
  const { email, userId, squatter } = await squatted();
  claims.set("same", { email, email_verified: true });
  const answer = await signInAs("same", undefined, squatter.cookie);
  expect(answer.json.user).toMatchObject({ uuid: userId, hasPassword: true, hasSecondFactor: true });
  const { rows } = await gatehouse.database.work.query(
    "select address_proven_by from users where id = $1 and address_proven_at is not null",
    [userId],
  );
  expect(rows).toEqual([{ address_proven_by: "provider" }]);
});

test("a session by the provider can set a password for ten minutes, and again after signing in again", async () => {
  const { email, userId } = await invited();
  claims.set("late", { email, email_verified: true });
  const late = visitor(gatehouse, email, userId, sessionOf(await signInAs("late")));
  await gatehouse.database.work.query(
    "update sessions set proven_at = now() - interval '11 minutes' where user_id = $1",
    [userId],
  );
  const refused = await late.post("/session/password", { newPassword: "chosen at an open page" });
  expect(refused.json.errors[0]).toContain("Sign in again first");
  expect((await late.post("/session/second-factor")).status).toBe(400);
  const again = visitor(gatehouse, email, userId, sessionOf(await signInAs("late")));
  expect((await again.post("/session/password", { newPassword: "chosen at an open page" })).status).toBe(200);
});

test.each([
  ["the Kelvin sign", (name: string) => `\u212A${name}@lookalike.example`],
  ["full-width letters", (name: string) => `\uff4b${name}@lookalike.example`],
  ["a line break at the end", (name: string) => `k${name}@lookalike.example\n`],
  ["a no-break space at the end", (name: string) => `k${name}@lookalike.example\u00a0`],
  ["a byte order mark", (name: string) => `\ufeffk${name}@lookalike.example`],
  ["a zero-width space", (name: string) => `k${name}\u200b@lookalike.example`],
  ["spaces around it", (name: string) => ` k${name}@lookalike.example `],
  ["U+0000", (name: string) => `k${name}@lookalike.example\u0000`],
  ["a half surrogate", (name: string) => `k${name}\ud800@lookalike.example`],
])("a verified address with %s is not the operator's", async (what, email) => {
  const name = `ate-${what.replaceAll(" ", "-").replaceAll("+", "")}`.toLowerCase();
  const operator = { email: `k${name}@lookalike.example`, role: "operator" as const };
  await addPerson(gatehouse.database, operator);
  claims.set(name, { email: email(name), email_verified: true });
  const answer = await signInAs(name);
  expect([answer.status, answer.json.code]).toEqual([401, "providerRefused"]);
  claims.set(name, { email: operator.email, email_verified: true });
  expect((await signInAs(name)).json.user?.email).toBe(operator.email);
});

test.each([
  ["composed", "rene\u0301", "ren\u00e9"],
  ["decomposed", "zoe\u0308".normalize("NFC"), "zoe\u0308"],
])("all spellings of an address belong to one user, %s or not", async (_what, stored, said) => {
  const { organizationId } = await gatehouse.tenant();
  const user = await addPerson(gatehouse.database, {
    email: `${stored}@example.com`,
    role: "viewer",
    organizationId,
  });
  // As release 1.1.0 stored it.
  await gatehouse.database.work.query("update users set email_key = $2 where id = $1", [
    user.uuid,
    `${stored}@example.com`.toLowerCase(),
  ]);
  claims.set(said, { email: `${said.toUpperCase()}@EXAMPLE.com`, email_verified: true });
  expect((await signInAs(said)).json.user?.uuid).toBe(user.uuid);
});

type Race = [what: string, end: (email: string) => Promise<unknown>];
const races: Race[] = [
  ["unbound", (email) => unbindProvider(gatehouse.database.work, { email, actor: "test" })],
  ["reset", (email) => resetOperator(gatehouse.database.work, { email, actor: "test" })],
];

async function boundOperator(login: string): Promise<{ email: string; userId: string }> {
  const email = `${login}@races.example`;
  const { uuid } = await addPerson(gatehouse.database, { email, role: "operator" });
  claims.set(login, { email, email_verified: true });
  expect((await signInAs(login)).status).toBe(200);
  return { email, userId: uuid };
}

const sessionsOf = async (userId: string) =>
  (await gatehouse.database.work.query("select from sessions where user_id = $1 and by_provider", [userId]))
    .rowCount;

test.each(races)(
  "a sign-in that has read the identity opens no session once the user is %s",
  async (what, end) => {
    const { email, userId } = await boundOperator(`early-${what}`);
    let isEnded = false;
    const stop = interceptStatements(gatehouse.database.console, async ([text = ""], send) => {
      const result = await send();
      if (!isEnded && text.includes("from provider_identities")) {
        isEnded = true;
        await end(email);
      }
      return result;
    });
    onTestFinished(stop);
    const answer = await signInAs(`early-${what}`);
    expect(isEnded).toBe(true);
    expect(answer.json.code).toBe("providerRefused");
    expect(await sessionsOf(userId)).toBe(0);
  },
);

test.each(races)(
  "a sign-in that is about to open a session loses it when the user is %s",
  async (what, end) => {
    const { email, userId } = await boundOperator(`late-${what}`);
    let ending: Promise<unknown> | undefined;
    let isOver = false;
    const stop = interceptStatements(gatehouse.database.console, async ([text = ""], send) => {
      if (!ending && text.includes("insert into sessions")) {
        ending = end(email).finally(() => (isOver = true));
        await expect.poll(async () => isOver || (await waitingForLocks(gatehouse)) > 0).toBe(true);
      }
      return send();
    });
    onTestFinished(stop);
    await signInAs(`late-${what}`);
    expect(ending).toBeDefined();
    await ending;
    expect(await sessionsOf(userId)).toBe(0);
  },
);

function sessionOf(answer: Answer): string {
  const cookies = [answer.headers["set-cookie"]].flat().map(String);
  return cookies.find((cookie) => cookie.startsWith("__Host-gatehouse-session"))?.split(";")[0] as string;
}
