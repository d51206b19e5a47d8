import { expect, onTestFinished, test } from "vitest";
import {
  consoleRoot,
  cookieOf,
  ownPage,
  signedIn,
  testPassword,
  visitor,
  type Visitor,
} from "../../../testing/console.js";
import { sendTo, useApp, type Answer } from "../../../testing/harness.js";
import { authenticator, letTimePass, setUpSecondFactor } from "../../../testing/second-factor.js";
import { useCommands } from "../../../testing/run-command.js";
import { buildApp } from "../../app.js";
import { features } from "../../features.js";
import { createSignInToken } from "../../core/organizations/sign-in-links.js";
import { hashToken, newToken } from "../../core/organizations/secrets.js";

const gatehouse = useApp();
const run = useCommands(gatehouse);
let addresses = 0;

async function member(role: "admin" | "viewer" = "viewer") {
  const { organizationId } = await gatehouse.tenant();
  return { organizationId, person: await signedIn(gatehouse, role, organizationId) };
}

async function enter(path: string, body: object): Promise<Answer> {
  addresses += 1;
  return gatehouse.send({
    method: "POST",
    url: consoleRoot + path,
    headers: {
      ...ownPage,
      "content-type": "application/json",
      "x-forwarded-for": `203.0.113.${addresses}`,
    },
    payload: JSON.stringify(body),
  });
}

const signInWith = (person: Visitor, code?: string, password = testPassword) =>
  enter("/session", { email: person.email, password, ...(code === undefined ? {} : { code }) });

async function auditOf(person: Visitor): Promise<unknown[]> {
  const { rows } = await gatehouse.database.work.query(
    "select action, actor, address, detail from audit_log where subject_id = $1 order by id",
    [person.userId],
  );
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) }));
}

test("a second factor counts once its first code was confirmed, and ends the sessions that it did not open", async () => {
  const { person } = await member();
  const elsewhere = visitor(gatehouse, person.email, person.userId, cookieOf(await signInWith(person)));
  const started = await person.post("/session/second-factor", { currentPassword: testPassword });
  expect(started.json.address).toContain(`secret=${started.json.secret}`);
  expect((await signInWith(person)).status).toBe(200);
  expect((await person.get("/session/second-factor")).json).toEqual({
    confirmedAt: null,
    recoveryCodesLeft: 0,
  });

  const app = authenticator(started.json.secret);
  const wrong = await person.post("/session/second-factor/confirm", { code: app.code(7) });
  expect(wrong.status).toBe(400);
  const confirmed = await person.post("/session/second-factor/confirm", { code: app.code() });
  expect(new Set(confirmed.json.recoveryCodes).size).toBe(10);
  expect((await person.get("/session/second-factor")).json).toEqual({
    confirmedAt: expect.any(String),
    recoveryCodesLeft: 10,
  });
  expect((await person.get("/session")).json.user.hasSecondFactor).toBe(true);
  expect((await elsewhere.get("/session")).status).toBe(401);
  expect((await signInWith(person)).json.code).toBe("secondFactorNeeded");
});

test("setting up a second factor takes the password, also in a session that a link opened", async () => {
  const { person } = await member();
  const refused = await person.post("/session/second-factor", { currentPassword: "a wrong guess" });
  expect(refused.json.errors).toEqual(["The current password is incorrect"]);
  expect((await person.post("/session/second-factor")).status).toBe(400);
  const token = await createSignInToken(gatehouse.database.work, person.userId, "operator");
  const linked = visitor(gatehouse, "", person.userId, cookieOf(await enter("/session/link", { token })));
  expect((await linked.post("/session/second-factor")).status).toBe(400);
  expect((await linked.post("/session/second-factor", { currentPassword: testPassword })).status).toBe(200);
});

test("a code is required after the password, works once, and is not mentioned without the correct password", async () => {
  const { person } = await member();
  const { app, usedCode } = await setUpSecondFactor(person);
  expect((await signInWith(person, undefined, "a wrong guess")).json.code).toBe("signInRefused");
  expect((await signInWith(person, app.code(1), "a wrong guess")).json.code).toBe("signInRefused");

  const needed = await signInWith(person);
  expect(needed.status).toBe(401);
  expect(needed.json.code).toBe("secondFactorNeeded");
  expect(needed.headers["set-cookie"]).toBeUndefined();
  const wrong = await signInWith(person, app.code(7));
  expect(wrong.json.code).toBe("secondFactorRefused");
  expect(wrong.headers["set-cookie"]).toBeUndefined();

  // The code that confirmed it is used up, and so is each code that signs in, with spaces or without.
  expect((await signInWith(person, usedCode)).json.code).toBe("secondFactorRefused");
  const next = app.code(1);
  expect((await signInWith(person, `${next.slice(0, 3)} ${next.slice(3)}`)).status).toBe(200);
  expect((await signInWith(person, next)).json.code).toBe("secondFactorRefused");
});

test("of two concurrent sign-ins with one code, one succeeds", async () => {
  const { person } = await member();
  const { app } = await setUpSecondFactor(person);
  await letTimePass(gatehouse);
  const code = app.code();
  const answers = await Promise.all([signInWith(person, code), signInWith(person, code)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
});

test("a one-time link requires the code as well, and a wrong code does not use it up", async () => {
  const { person } = await member();
  const { app } = await setUpSecondFactor(person);
  const token = await createSignInToken(gatehouse.database.work, person.userId, "operator");
  expect((await enter("/session/link", { token })).json.code).toBe("secondFactorNeeded");
  expect((await enter("/session/link", { token, code: "000000" })).json.code).toBe("secondFactorRefused");
  expect((await enter("/session/link", { token, code: app.code(1) })).status).toBe(200);
  expect((await enter("/session/link", { token, code: app.code(1) })).json.code).toBe("linkRefused");
});

test("a recovery code works once, in any case and spacing, and new codes replace the old ones", async () => {
  const { person } = await member();
  const { app, recoveryCodes } = await setUpSecondFactor(person);
  const [first = "", second = "", third = ""] = recoveryCodes;
  expect(first).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
  expect((await signInWith(person, ` ${first.toLowerCase().replaceAll("-", " ")} `)).status).toBe(200);
  expect((await signInWith(person, first)).json.code).toBe("secondFactorRefused");

  const inside = visitor(gatehouse, "", person.userId, cookieOf(await signInWith(person, second)));
  expect((await inside.get("/session/second-factor")).json.recoveryCodesLeft).toBe(8);
  expect((await inside.post("/session/second-factor/recovery-codes", { code: "000000" })).status).toBe(400);
  const renewed = await inside.post("/session/second-factor/recovery-codes", { code: app.code(1) });
  expect(renewed.json.recoveryCodes).toHaveLength(10);
  expect((await signInWith(person, third)).json.code).toBe("secondFactorRefused");
  expect((await signInWith(person, renewed.json.recoveryCodes[0])).status).toBe(200);
});

test("the database and the log contain neither the secret nor codes", async () => {
  const { person } = await member();
  const started = await person.post("/session/second-factor", { currentPassword: testPassword });
  const { secret } = started.json;
  const app = authenticator(secret);
  const { json } = await person.post("/session/second-factor/confirm", { code: app.code() });
  const { rows } = await gatehouse.database.work.query(
    `select encode(sealed_secret, 'escape') || encode(sealed_secret, 'base64') as text from second_factors
     union all select encode(code_hash, 'escape') from recovery_codes
     union all select detail::text from audit_log`,
  );
  const kept = JSON.stringify([rows, gatehouse.logged]);
  for (const told of [secret, ...json.recoveryCodes, ...json.recoveryCodes.map(plain)])
    expect(kept).not.toContain(told);
});

const plain = (code: string) => code.replaceAll("-", "");

test("an attacker with the password has twenty attempts a day, at sign-in and in sessions together", async () => {
  const { person } = await member();
  const { app } = await setUpSecondFactor(person);
  for (let attempt = 0; attempt < 8; attempt += 1) await signInWith(person, "000000");
  for (let attempt = 0; attempt < 12; attempt += 1)
    expect((await person.post("/session/second-factor/remove", { code: "000000" })).status).toBe(400);
  const refused = await signInWith(person, app.code(1));
  expect(refused.status).toBe(429);
  expect(refused.json.retryAfter).toBeGreaterThan(80_000);
  expect((await person.post("/session/second-factor/remove", { code: app.code(1) })).status).toBe(429);
});

test("a correct code resets the attempts", async () => {
  const { person } = await member();
  const { app } = await setUpSecondFactor(person);
  for (let attempt = 0; attempt < 8; attempt += 1) await signInWith(person, "000000");
  expect((await signInWith(person, app.code(1))).status).toBe(200);
  const { rows } = await gatehouse.database.gate.query("select from rate_limits where bucket like $1", [
    `console%:${person.userId}%`,
  ]);
  expect(rows).toEqual([]);
});

test("used-up attempts do not block the owner's recovery codes and, after one of them, the app", async () => {
  const { person } = await member();
  const { app, recoveryCodes } = await setUpSecondFactor(person);
  for (let attempt = 0; attempt < 20; attempt += 1)
    await person.post("/session/second-factor/remove", { code: "000000" });
  expect((await signInWith(person, app.code(1))).status).toBe(429);
  expect((await signInWith(person, recoveryCodes[0])).status).toBe(200);
  expect((await signInWith(person, app.code(1))).status).toBe(200);
});

test("a second factor that is set up after a reset has all its attempts, on every instance", async () => {
  const { organizationId, person } = await member();
  await setUpSecondFactor(person);
  for (let attempt = 0; attempt < 21; attempt += 1)
    await person.post("/session/second-factor/remove", { code: "000000" });
  const operator = await signedIn(gatehouse, "operator");
  const other = await buildApp({
    config: gatehouse.config,
    database: gatehouse.database,
    logger: gatehouse.app.log,
  });
  onTestFinished(() => other.close());
  const reset = await sendTo(other, {
    method: "POST",
    url: `${consoleRoot}/organizations/${organizationId}/members/${person.userId}/second-factor/reset`,
    headers: { ...ownPage, cookie: operator.cookie },
  });
  expect(reset.status, reset.text).toBe(200);
  const { app } = await setUpSecondFactor(person);
  expect((await signInWith(person, app.code(1))).status).toBe(200);
});

test("a user with a code can remove the second factor, and then signs in with the password", async () => {
  const { person } = await member();
  const { app } = await setUpSecondFactor(person);
  expect(
    (await person.post("/session/second-factor", { currentPassword: testPassword })).json.errors,
  ).toEqual(["You already have a second factor; remove it first"]);
  expect((await person.post("/session/second-factor/remove", { code: app.code(1) })).status).toBe(204);
  expect((await person.get("/session/second-factor")).json).toEqual({
    confirmedAt: null,
    recoveryCodesLeft: 0,
  });
  expect((await signInWith(person)).status).toBe(200);
});

test("setup, removal and failures of a second factor are audited with user and address", async () => {
  const { person } = await member();
  const { app } = await setUpSecondFactor(person);
  await signInWith(person, "000000");
  const guesser = `203.0.113.${addresses}`;
  await person.post("/session/second-factor/remove", { code: app.code(1) });
  const actor = person.email;
  expect(await auditOf(person)).toEqual(
    expect.arrayContaining([
      {
        action: "user.set-up-second-factor",
        actor,
        address: expect.any(String),
        detail: { secondFactor: { from: false, to: true } },
      },
      { action: "user.second-factor-refused", actor, address: guesser, detail: { by: "password" } },
      {
        action: "user.remove-second-factor",
        actor,
        address: expect.any(String),
        detail: { secondFactor: { from: true, to: false } },
      },
    ]),
  );
});

test("a correct password without a code is audited once an hour", async () => {
  const { person } = await member();
  await setUpSecondFactor(person);
  const traces = async () =>
    (await auditOf(person)).filter(
      (entry) => (entry as { action: string }).action === "user.second-factor-asked",
    );
  await signInWith(person, undefined, "a wrong guess");
  expect(await traces()).toEqual([]);
  await signInWith(person);
  const address = `203.0.113.${addresses}`;
  await signInWith(person);
  const trace = {
    action: "user.second-factor-asked",
    actor: person.email,
    address,
    detail: { by: "password" },
  };
  expect(await traces()).toEqual([trace]);
});

test("an operator resets the second factor of a user who lost it, and an admin cannot", async () => {
  const { organizationId, person } = await member();
  await setUpSecondFactor(person);
  const operator = await signedIn(gatehouse, "operator");
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const path = `/organizations/${organizationId}/members/${person.userId}/second-factor/reset`;
  expect((await admin.post(path)).json.code).toBe("roleMissing");
  expect((await signInWith(person)).json.code).toBe("secondFactorNeeded");
  expect((await operator.post(path)).json).toMatchObject({ uuid: person.userId, hasSecondFactor: false });
  expect((await signInWith(person)).status).toBe(200);
  expect(await auditOf(person)).toContainEqual({
    action: "user.reset-second-factor",
    actor: operator.email,
    address: expect.any(String),
    detail: { secondFactor: { from: true, to: false } },
  });
});

test("an organization that requires a second factor shows nothing to users without one, including operators", async () => {
  const { organizationId, person: admin } = await member("admin");
  const viewer = await signedIn(gatehouse, "viewer", organizationId);
  const operator = await signedIn(gatehouse, "operator");
  const root = `/organizations/${organizationId}`;
  const first = await admin.patch(root, { requiresSecondFactor: true });
  expect(first.status).toBe(409);
  expect(first.json.errors).toEqual(["Set up a second factor for yourself first"]);

  await setUpSecondFactor(admin);
  expect((await admin.patch(root, { requiresSecondFactor: true })).json.requiresSecondFactor).toBe(true);
  for (const visitor1 of [viewer, operator]) {
    for (const path of [root, `${root}/runs`, `${root}/members`]) {
      const answer = await visitor1.get(path);
      expect(answer.status).toBe(403);
      expect(answer.json.code).toBe("secondFactorMissing");
    }
    expect((await visitor1.get("/session")).status).toBe(200);
    if (visitor1 === operator)
      for (const path of ["organizations", "search?q=a", "service"])
        expect((await operator.get(`/installation/${path}`)).json.code).toBe("secondFactorMissing");
    await setUpSecondFactor(visitor1);
    expect((await visitor1.get(`${root}/runs`)).status).toBe(200);
  }
  expect((await operator.get("/installation/search?q=a")).status).toBe(200);
  const members = (await admin.get(`${root}/members`)).json.data;
  expect(members.map(({ hasSecondFactor }: { hasSecondFactor: boolean }) => hasSecondFactor)).toEqual([
    true,
    true,
  ]);
  const [line] = (await admin.get(`${root}/audit?action=organization.configure`)).json.data;
  expect(JSON.parse(line.detail)).toEqual({ requiresSecondFactor: { from: false, to: true } });
});

test("without the service's key codes cannot be checked, and recovery codes still work", async () => {
  const { person } = await member();
  const { app: authenticatorApp, recoveryCodes } = await setUpSecondFactor(person);
  const config = { ...gatehouse.config, secretKey: Buffer.alloc(32, 99) };
  const app = await buildApp({ config, database: gatehouse.database, logger: gatehouse.app.log });
  onTestFinished(() => app.close());
  const attempt = async (code: string) =>
    app.inject({
      method: "POST",
      url: `${consoleRoot}/session`,
      headers: { ...ownPage, "x-forwarded-proto": "https", "content-type": "application/json" },
      payload: JSON.stringify({ email: person.email, password: testPassword, code }),
    });
  expect((await attempt(authenticatorApp.code(1))).statusCode).toBe(500);
  expect((await attempt(recoveryCodes[0] as string)).statusCode).toBe(200);
});

/** Opens a session as instances of older releases do, which may run on the same database. */
async function sessionOfOlderRelease(person: Visitor): Promise<Visitor> {
  const token = newToken();
  await gatehouse.database.work.query(
    `insert into sessions (token_hash, user_id, expires_at, address, user_agent)
     values ($1, $2, now() + interval '7 days', '198.51.100.7', null)`,
    [hashToken(token), person.userId],
  );
  const [name] = person.cookie.split("=");
  return visitor(gatehouse, person.email, person.userId, `${name}=${token}`);
}

test("a session that an older release opened without the code does not count, and signing in requires the code", async () => {
  const { person, organizationId } = await member("admin");
  const { app } = await setUpSecondFactor(person);
  const older = await sessionOfOlderRelease(person);
  const paths = ["/session", "/session/second-factor", `/organizations/${organizationId}`];
  for (const path of paths) {
    expect((await older.get(path)).json, path).toMatchObject({ code: "signedOut" });
    expect((await person.get(path)).status, path).toBe(200);
  }
  const keys = `/organizations/${organizationId}/api-keys`;
  expect((await older.post(keys, { name: "key" })).json).toMatchObject({ code: "signedOut" });
  expect((await older.post("/session/password", { newPassword: "another good password" })).status).toBe(401);
  await letTimePass(gatehouse);
  expect((await signInWith(person)).json).toMatchObject({ code: "secondFactorNeeded" });
  const again = await signInWith(person, app.code());
  expect(again.status).toBe(200);
  const signedInAgain = visitor(gatehouse, person.email, person.userId, cookieOf(again));
  expect((await signedInAgain.post(keys, { name: "key" })).status).toBe(200);
});

test("a session of an older release counts for a user without a second factor", async () => {
  const { person } = await member();
  expect((await (await sessionOfOlderRelease(person)).get("/session")).status).toBe(200);
});

test("a session stays verified when its user sets up a second factor in it, and when they change their password", async () => {
  const { person } = await member();
  await setUpSecondFactor(person);
  expect((await person.get("/session")).status).toBe(200);
  const changed = await person.post("/session/password", {
    currentPassword: testPassword,
    newPassword: "another good password",
  });
  const after = visitor(gatehouse, person.email, person.userId, cookieOf(changed));
  expect((await after.get("/session")).status).toBe(200);
});

test("a command resets the second factor of an operator, and the audit log records it", async () => {
  const jo = await signedIn(gatehouse, "operator");
  await setUpSecondFactor(jo);
  expect((await signInWith(jo)).json.code).toBe("secondFactorNeeded");
  expect(await run("user", "reset-second-factor", jo.email.toUpperCase())).toEqual({
    uuid: jo.userId,
    email: jo.email,
    hadSecondFactor: true,
  });
  expect((await signInWith(jo)).status).toBe(200);
  expect(await run("user", "reset-second-factor", jo.email)).toMatchObject({ hadSecondFactor: false });
  await expect(run("user", "reset-second-factor", "unknown@example.com")).rejects.toThrow("There is no user");
  const { rows } = await gatehouse.database.work.query(
    "select actor, detail from audit_log where subject_id = $1 and action = 'user.reset-second-factor' order by id",
    [jo.userId],
  );
  expect(rows).toEqual([
    { actor: "command line", detail: JSON.stringify({ secondFactor: { from: true, to: false } }) },
    { actor: "command line", detail: JSON.stringify({ secondFactor: { from: false, to: false } }) },
  ]);
});

test("without the feature an account with a second factor stays closed, and others sign in", async () => {
  const { person } = await member();
  const other = await member();
  const { app: authenticatorApp } = await setUpSecondFactor(person);
  await letTimePass(gatehouse);
  const app = await buildApp({
    config: gatehouse.config,
    database: gatehouse.database,
    logger: gatehouse.app.log,
    features: features.filter(({ name }) => name !== "two-factor"),
  });
  onTestFinished(() => app.close());
  const without = (visitor: Visitor, code?: string) =>
    sendTo(app, {
      method: "POST",
      url: `${consoleRoot}/session`,
      headers: { ...ownPage, "content-type": "application/json" },
      payload: JSON.stringify({ email: visitor.email, password: testPassword, code }),
    });
  expect((await without(other.person)).status).toBe(200);
  expect((await without(person)).json.code).toBe("secondFactorNeeded");
  expect((await without(person, authenticatorApp.code())).json.code).toBe("secondFactorRefused");
  expect((await signInWith(person, authenticatorApp.code())).status).toBe(200);
});
