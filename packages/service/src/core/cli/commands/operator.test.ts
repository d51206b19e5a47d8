import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { signedIn, signIn, testPassword } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";
import { buildProgram } from "../../../cli/program.js";

/** Runs commands against the database of an app in which the operators are signed in. */
const gatehouse = useApp();
beforeAll(() => vi.stubEnv("DATABASE_URL", gatehouse.connectionString));
afterAll(() => vi.unstubAllEnvs());

async function run(...subcommand: string[]) {
  const written: string[] = [];
  const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    const words = ["operator", ...subcommand, "--json"];
    await (await buildProgram(words)).parseAsync(words, { from: "user" });
  } finally {
    stdout.mockRestore();
  }
  return JSON.parse(written.join(""));
}

const operators = async () => {
  const listed: { email: string; disabledAt: string | null; hasPassword: boolean }[] = await run("list");
  return Object.fromEntries(listed.map((operator) => [operator.email, operator]));
};

test("operator list lists operators and no other users", async () => {
  const { organizationId } = await gatehouse.tenant();
  const jo = await signedIn(gatehouse, "operator");
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const listed = await operators();
  expect(listed[jo.email]).toMatchObject({ uuid: jo.userId, disabledAt: null, hasPassword: true });
  expect(listed[jo.email]).toHaveProperty("lastSeenAt", expect.any(String));
  expect(listed).not.toHaveProperty([admin.email]);
});

test("a disabled operator is signed out at once and cannot sign in until enabled again", async () => {
  const jo = await signedIn(gatehouse, "operator");
  expect((await jo.get("/organizations")).status).toBe(200);
  expect(await run("disable", jo.email.toUpperCase())).toMatchObject({ disabledAt: expect.any(String) });
  expect((await jo.get("/organizations")).status).toBe(401);
  expect((await signIn(gatehouse, jo.email, testPassword)).status).toBe(401);
  expect((await operators())[jo.email]?.disabledAt).not.toBeNull();
  // Repeating the command changes nothing and adds no line to the audit log.
  await run("disable", jo.email);
  expect(await run("enable", jo.email)).toMatchObject({ disabledAt: null });
  expect((await signIn(gatehouse, jo.email, testPassword)).status).toBe(200);
  const { rows } = await gatehouse.database.work.query(
    "select actor, action, detail from audit_log where subject_id = $1 and actor = 'command line' order by id",
    [jo.userId],
  );
  expect(rows.map(({ action, detail }) => [action, JSON.parse(detail)])).toEqual([
    ["user.update", { disabled: true }],
    ["user.update", { disabled: false }],
  ]);
});

test("a reset removes password and sessions, and its link signs the operator in once", async () => {
  const jo = await signedIn(gatehouse, "operator");
  const { link, hasPassword } = await run("reset", jo.email);
  expect(hasPassword).toBe(false);
  expect((await jo.get("/organizations")).status).toBe(401);
  expect((await signIn(gatehouse, jo.email, testPassword)).status).toBe(401);
  const token = new URL(link).hash.replace("#token=", "");
  const byLink = () =>
    gatehouse.send({
      method: "POST",
      url: "/console/api/session/link",
      headers: { "sec-fetch-site": "same-origin", "content-type": "application/json" },
      payload: JSON.stringify({ token }),
    });
  expect((await byLink()).status).toBe(200);
  expect((await byLink()).status).toBe(401);
  await run("disable", jo.email);
  await expect(run("reset", jo.email)).rejects.toThrow("enable them first");
});

test("a reset prints the address of the running service, not the configured ports", async () => {
  const jo = await signedIn(gatehouse, "operator");
  const { instance } = gatehouse.app;
  await instance.listen("https://127.0.0.1:18443");
  expect((await run("reset", jo.email)).link).toMatch(/^https:\/\/127\.0\.0\.1:18443\/sign-in#token=/);
  await instance.deregister();
  expect((await run("reset", jo.email)).link).toMatch(/^https:\/\/127\.0\.0\.1:8443\/sign-in#token=/);
});

test("members and unknown users are not operators", async () => {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  for (const email of [admin.email, "unknown@example.com", "unknown\u0000"])
    for (const command of ["disable", "enable", "reset"])
      await expect(run(command, email)).rejects.toThrow("There is no operator");
  expect((await admin.get("/session")).status).toBe(200);
});
