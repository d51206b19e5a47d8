import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { signedIn, signIn, testPassword } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";
import { setUpSecondFactor } from "../../../../testing/second-factor.js";
import { openSession } from "../../console/sessions/sessions.js";
import { transaction } from "../../database/transaction.js";
import { buildProgram } from "../../../cli/program.js";

const gatehouse = useApp();
beforeAll(() => vi.stubEnv("DATABASE_URL", gatehouse.connectionString));
afterAll(() => vi.unstubAllEnvs());

async function run(...words: string[]) {
  const written: string[] = [];
  const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    await (await buildProgram(words)).parseAsync([...words, "--json"], { from: "user" });
  } finally {
    stdout.mockRestore();
  }
  return JSON.parse(written.join(""));
}

test("an operator who lost the second factor comes in with the password again, and the trail says so", async () => {
  const jo = await signedIn(gatehouse, "operator");
  await setUpSecondFactor(jo);
  expect((await signIn(gatehouse, jo.email, testPassword)).json.code).toBe("secondFactorNeeded");
  expect(await run("user", "reset-second-factor", jo.email.toUpperCase())).toEqual({
    uuid: jo.userId,
    email: jo.email,
    hadSecondFactor: true,
  });
  expect((await signIn(gatehouse, jo.email, testPassword)).status).toBe(200);
  expect(await run("user", "reset-second-factor", jo.email)).toMatchObject({ hadSecondFactor: false });
  await expect(run("user", "reset-second-factor", "nobody@example.com")).rejects.toThrow("There is no user");
  const { rows } = await gatehouse.database.work.query(
    "select actor, detail from audit_log where subject_id = $1 and action = 'user.reset-second-factor' order by id",
    [jo.userId],
  );
  expect(rows).toEqual([
    { actor: "command line", detail: JSON.stringify({ secondFactor: { from: true, to: false } }) },
    { actor: "command line", detail: JSON.stringify({ secondFactor: { from: false, to: false } }) },
  ]);
});

test("whom the provider named is unbound and signed out, other sessions go on, and the trail says so", async () => {
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
  await expect(run("user", "unbind-provider", "nobody@example.com")).rejects.toThrow("There is no user");
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

test("an organization asks for second factors and stops asking, by command", async () => {
  const { organizationId } = await gatehouse.tenant();
  const viewer = await signedIn(gatehouse, "viewer", organizationId);
  const configure = (state: string) =>
    run("organization", "configure", organizationId, "--require-second-factor", state);
  expect(await configure("on")).toMatchObject({ requiresSecondFactor: true });
  expect((await viewer.get(`/organizations/${organizationId}`)).json.code).toBe("secondFactorMissing");
  expect(await configure("off")).toMatchObject({ requiresSecondFactor: false });
  expect((await viewer.get(`/organizations/${organizationId}`)).status).toBe(200);
});
