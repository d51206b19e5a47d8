import { expect, onTestFinished, test } from "vitest";
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
import { useApp } from "../../../../testing/harness.js";
import { whileHeld } from "../../../../testing/hold-accounts.js";
import { interceptStatements } from "../../../../testing/statements.js";
import { changePassword } from "../../organizations/change-password.js";
import { rejectEveryCode } from "../../organizations/second-factor.js";
import { createSignInToken } from "../../organizations/sign-in-links.js";
import { createUser } from "../../organizations/accounts.js";
import { hashToken } from "../../organizations/secrets.js";

const gatehouse = useApp();

async function person() {
  const { organizationId } = await gatehouse.tenant();
  return signedIn(gatehouse, "viewer", organizationId);
}

test("the session cookie is HttpOnly, Secure, SameSite=Strict and host-only, and stored only as a hash", async () => {
  const { email } = await person();
  const answer = await signIn(gatehouse, email, testPassword);
  const header = String(answer.headers["set-cookie"]);
  expect(header).toMatch(
    /^__Host-gatehouse-session=[A-Za-z0-9_-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
  );
  expect(answer.headers["cache-control"]).toBe("no-store");
  const token = cookieOf(answer).split("=")[1] as string;
  const { rows } = await gatehouse.database.work.query("select sessions::text as row from sessions");
  expect(rows.some(({ row }) => String(row).includes(token))).toBe(false);
});

test.each(["localhost:8443", "api.localhost", "127.0.0.1:8080", "[::1]:8443"])(
  "at %s the session cookie is limited to the console's path, because other ports receive it too",
  async (host) => {
    const { email } = await person();
    const answer = await signIn(gatehouse, email, testPassword, { host });
    expect(String(answer.headers["set-cookie"])).toMatch(
      /^__Secure-gatehouse-session=[A-Za-z0-9_-]{43}; Path=\/console\/api; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    );
    const statusAt = async (one: string) => {
      const headers = { ...ownPage, host: one, cookie: cookieOf(answer) };
      return (await gatehouse.send({ method: "GET", url: `${consoleRoot}/session`, headers })).status;
    };
    expect(await statusAt(host)).toBe(200);
    // On a name with subdomains, a subdomain could have set it.
    expect(await statusAt("gatehouse.example")).toBe(401);
  },
);

test("a sign-in creates a new token and ends the session that it replaces", async () => {
  const visitor1 = await person();
  const answer = await signIn(gatehouse, visitor1.email, testPassword, { cookie: visitor1.cookie });
  expect(cookieOf(answer)).not.toBe(visitor1.cookie);
  expect((await visitor1.get("/session")).status).toBe(401);
  const visitor2 = visitor(gatehouse, visitor1.email, visitor1.userId, cookieOf(answer));
  expect((await visitor2.get("/session")).json.user).toMatchObject({
    email: visitor1.email,
    isOperator: false,
  });
});

test("signing out ends the session on the server too", async () => {
  const visitor1 = await person();
  const answer = await visitor1.delete("/session");
  expect(answer.status).toBe(204);
  expect(String(answer.headers["set-cookie"])).toMatch(
    /^__Host-gatehouse-session=; .*Expires=Thu, 01 Jan 1970/,
  );
  expect((await visitor1.get("/session")).json).toMatchObject({ success: false, code: "signedOut" });
});

test("changing the password ends all sessions of the user and gives this page a new one", async () => {
  const here = await person();
  const elsewhere = visitor(
    gatehouse,
    here.email,
    here.userId,
    cookieOf(await signIn(gatehouse, here.email, testPassword)),
  );
  const wrong = await here.post("/session/password", {
    currentPassword: "a wrong guess",
    newPassword: "another good password",
  });
  expect(wrong.status).toBe(400);
  expect(wrong.json.errors).toEqual(["The current password is incorrect"]);

  const changed = await here.post("/session/password", {
    currentPassword: testPassword,
    newPassword: "another good password",
  });
  expect(changed.status).toBe(200);
  expect((await here.get("/session")).status).toBe(401);
  expect((await elsewhere.get("/session")).status).toBe(401);
  expect((await visitor(gatehouse, "", "", cookieOf(changed)).get("/session")).status).toBe(200);
  expect((await signIn(gatehouse, here.email, testPassword)).status).toBe(401);
  expect((await signIn(gatehouse, here.email, "another good password")).status).toBe(200);
});

test.each([
  ["12 hours without a request", "last_seen_at = now() - interval '12 hours 1 second'"],
  ["7 days, however busy", "expires_at = now() - interval '1 second'"],
])("a session ends after %s", async (_when, change) => {
  const visitor1 = await person();
  await gatehouse.database.work.query(`update sessions set ${change} where user_id = $1`, [visitor1.userId]);
  expect((await visitor1.get("/session")).status).toBe(401);
});

test("a session lasts seven days from its start, and requests keep it from expiring earlier", async () => {
  const visitor1 = await person();
  const { expiresAt } = (await visitor1.get("/session")).json;
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(7 * 24 * 3_600_000 - 60_000);
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThan(7 * 24 * 3_600_000 + 1_000);

  await gatehouse.database.work.query(
    "update sessions set last_seen_at = now() - interval '11 hours' where user_id = $1",
    [visitor1.userId],
  );
  await visitor1.get("/session");
  const { rows } = await gatehouse.database.work.query(
    "select last_seen_at > now() - interval '1 minute' as fresh from sessions where user_id = $1",
    [visitor1.userId],
  );
  expect(rows[0].fresh).toBe(true);
});

test("a disabled user loses access at once and cannot sign in with the correct password", async () => {
  const visitor1 = await person();
  await gatehouse.database.work.query("update users set disabled_at = now() where id = $1", [
    visitor1.userId,
  ]);
  expect((await visitor1.get("/session")).status).toBe(401);
  expect((await signIn(gatehouse, visitor1.email, testPassword)).status).toBe(401);
});

test("unknown users and wrong passwords get the same answer", async () => {
  const { email } = await person();
  const wrong = await signIn(gatehouse, email, "not the password");
  const unknown = await signIn(gatehouse, "unknown@example.com", "not the password");
  expect(wrong.status).toBe(401);
  expect(unknown.status).toBe(401);
  const { requestId: _oneId, timestamp: _oneTime, ...one } = wrong.json;
  const { requestId: _otherId, timestamp: _otherTime, ...other } = unknown.json;
  expect(one).toEqual(other);
  expect(wrong.headers["set-cookie"]).toBeUndefined();
});

test("a one-time link signs in once, and the user can then set a first password without an old one", async () => {
  const { organizationId } = await gatehouse.tenant();
  const { uuid } = await createUser(gatehouse.database.work, {
    email: `linked-${organizationId}@example.com`,
    role: "admin",
    organizationId,
    actor: "test",
  });
  const token = await createSignInToken(gatehouse.database.work, uuid, "operator");
  const use = () =>
    gatehouse.send({
      method: "POST",
      url: `${consoleRoot}/session/link`,
      headers: { ...ownPage, "content-type": "application/json" },
      payload: JSON.stringify({ token }),
    });
  const first = await use();
  expect(first.json).toMatchObject({
    user: { uuid, hasPassword: false },
    organizations: [{ uuid: organizationId }],
  });
  const second = await use();
  expect(second.status).toBe(401);
  expect(second.json).toMatchObject({
    code: "linkRefused",
    message: "This link has already been used or has expired",
  });

  const changed = await visitor(gatehouse, "", uuid, cookieOf(first)).post("/session/password", {
    newPassword: "a first password",
  });
  expect(changed.json.user.hasPassword).toBe(true);
});

test("a user has at most twenty sessions; the oldest ends", async () => {
  const first = await person();
  for (let count = 0; count < 20; count += 1) await signIn(gatehouse, first.email, testPassword);
  expect((await first.get("/session")).status).toBe(401);
  const { rows } = await gatehouse.database.work.query(
    "select count(*) as count from sessions where user_id = $1",
    [first.userId],
  );
  expect(rows[0].count).toBe(20);
});

test("passwords, tokens and emails are never logged", async () => {
  const { email, cookie } = await person();
  const lines = JSON.stringify(gatehouse.logged);
  expect(lines).not.toContain(testPassword);
  expect(lines).not.toContain(cookie.split("=")[1]);
  expect(lines).not.toContain(email);
});

test("users see only their own sessions, and end one or all others", async () => {
  const here = await person();
  await person();
  const agents = ["Phone", "Laptop", "Library"];
  const others = await Promise.all(
    agents.map(async (agent) => {
      const answer = await signIn(gatehouse, here.email, testPassword, { "user-agent": agent });
      return visitor(gatehouse, here.email, here.userId, cookieOf(answer));
    }),
  );
  const listed = (await here.get("/session/all")).json.data;
  expect(listed[0]).toMatchObject({ isCurrent: true, by: "password" });
  expect(
    listed
      .slice(1)
      .map((session: { userAgent: string }) => session.userAgent)
      .toSorted(),
  ).toEqual(agents.toSorted());
  for (const session of listed)
    expect(session).toMatchObject({
      address: expect.stringMatching(/^198\.51\./),
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
    });

  const phone = listed.find(({ userAgent }: { userAgent: string }) => userAgent === "Phone");
  const stranger = await person();
  expect((await stranger.delete(`/session/all/${phone.uuid}`)).status).toBe(404);
  expect((await others[0]?.get("/session"))?.status).toBe(200);
  expect((await here.delete(`/session/all/${phone.uuid}`)).status).toBe(204);
  expect((await others[0]?.get("/session"))?.status).toBe(401);
  expect((await here.delete(`/session/all/${phone.uuid}`)).status).toBe(404);

  expect((await here.delete("/session/others")).json).toEqual({ ended: 2 });
  expect((await others[2]?.get("/session"))?.status).toBe(401);
  expect((await here.get("/session/all")).json.data).toHaveLength(1);
  expect((await stranger.get("/session")).status).toBe(200);
});

test("expired sessions are not listed", async () => {
  const here = await person();
  for (const change of ["last_seen_at = now() - interval '13 hours'", "expires_at = now()"]) {
    await signIn(gatehouse, here.email, testPassword, { "user-agent": "Old" });
    await gatehouse.database.work.query(`update sessions set ${change} where user_agent = 'Old'`);
  }
  expect((await here.get("/session/all")).json.data).toHaveLength(1);
});

test("a sign-in with the old password that overlaps its change is rejected", async () => {
  const { email, userId, cookie } = await person();
  const sessionHash = hashToken(cookie.split("=")[1] as string);
  let isChanged = false;
  // The password has been verified and the session is not open yet.
  const stop = interceptStatements(gatehouse.database.console, async (_texts, send) => {
    if (!isChanged) {
      isChanged = true;
      await changePassword(gatehouse.database.work, rejectEveryCode, {
        userId,
        sessionHash,
        currentPassword: testPassword,
        newPassword: "a quite different password",
        actor: "test",
      });
    }
    return send();
  });
  onTestFinished(stop);
  const answer = await signIn(gatehouse, email, testPassword);
  expect(isChanged).toBe(true);
  expect(answer.json.code).toBe("signInRefused");
  const { rows } = await gatehouse.database.work.query("select from sessions where user_id = $1", [userId]);
  expect(rows).toEqual([]);
});

test("a request whose session ends while it waits does not change the user's credentials", async () => {
  const { email, userId } = await person();
  const again = async () =>
    visitor(gatehouse, email, userId, cookieOf(await signIn(gatehouse, email, testPassword)));
  const asks = [
    (one: Visitor) =>
      one.post("/session/password", {
        currentPassword: testPassword,
        newPassword: "a quite different password",
      }),
    (one: Visitor) => one.post("/session/second-factor", { currentPassword: testPassword }),
    (one: Visitor) => one.post("/session/second-factor/confirm", { code: "123456" }),
  ];
  for (const ask of asks) {
    const one = await again();
    const [answer] = await whileHeld(
      gatehouse,
      [userId],
      () => [ask(one)],
      (holder) => holder.query("delete from sessions where user_id = $1", [userId]),
    );
    expect(answer?.json.code).toBe("signedOut");
  }
  const { rows } = await gatehouse.database.work.query(
    "select from sessions where user_id = $1 union all select from second_factors where user_id = $1",
    [userId],
  );
  expect(rows).toEqual([]);
  expect((await signIn(gatehouse, email, testPassword)).status).toBe(200);
});

test("a link that is opened while the account changes waits without a deadlock", async () => {
  const { userId } = await person();
  const token = await createSignInToken(gatehouse.database.work, userId, "operator");
  const [answer] = await whileHeld(
    gatehouse,
    [userId],
    () => [
      gatehouse.send({
        method: "POST",
        url: `${consoleRoot}/session/link`,
        headers: { ...ownPage, "content-type": "application/json" },
        payload: JSON.stringify({ token }),
      }),
    ],
    (holder) => holder.query("delete from sign_in_links where user_id = $1", [userId]),
  );
  expect(answer?.json.code).toBe("linkRefused");
});
