import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { environment, gatehouse, gatehouseCommand } from "./command.js";
import { send } from "./requests.js";
import { startDatabase } from "./rigs/database.js";
import { leave, newPlaceWithDatabase, until, type Place } from "./running-service.js";

let place: Place;
beforeAll(async () => {
  place = await newPlaceWithDatabase();
});
afterAll(() => leave(place));

/** `serve` without a terminal, as a process manager or a container runs it, until it is ready and through to its end. */
async function served(
  variables: Record<string, string>,
  isReady: (stdout: string) => boolean,
  whenReady: (stdout: string) => Promise<unknown> = async () => undefined,
): Promise<string> {
  const child = spawn(process.execPath, [gatehouseCommand, "serve"], {
    env: environment({ ...place.variables, ...variables }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  try {
    await until(async () => isReady(stdout));
    await whenReady(stdout);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
  return stdout;
}

type Line = Record<string, unknown> & {
  signIn?: { email: string; link: string };
  demo?: { organizationUuid: string; locationUuid: string; key: string; curl: string };
};

/** Every line, or an error: there is nothing else on stdout. */
function lines(stdout: string): Line[] {
  expect(stdout.endsWith("\n")).toBe(true);
  return stdout
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

const hasReadyLine = (stdout: string): boolean => /"msg":"ready"\}\n/.test(stdout);
const readyLine = (stdout: string): Line =>
  lines(stdout.slice(0, stdout.lastIndexOf("\n") + 1)).find(({ msg }) => msg === "ready") as Line;

/** Comes in by the link and leaves again, so that nobody is signed in afterwards. */
async function visit(stdout: string): Promise<number[]> {
  const { signIn, caFile } = readyLine(stdout);
  const { origin, hash } = new URL(signIn?.link ?? "");
  const session = `${origin}/console/api/session`;
  const ca = readFileSync(caFile as string, "utf8");
  const body = { token: hash.replace("#token=", "") };
  const entered = await send(`${session}/link`, { ca, headers: { origin }, body });
  const cookie = entered.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  const left = await send(session, { ca, method: "DELETE", headers: { origin, cookie } });
  return [entered.status, left.status];
}

test("without a terminal stdout is JSON lines only; what is shown once is in the line ready, however little is logged", async () => {
  let visited: number[] = [];
  const first = await served({ LOG_LEVEL: "silent" }, hasReadyLine, async (stdout) => {
    visited = await visit(stdout);
  });
  expect(lines(first)).toHaveLength(1);
  expect(readyLine(first)).toMatchObject({
    level: "info",
    consoleAddress: expect.stringMatching(/^https:/),
    apiAddress: expect.stringMatching(/^https:/),
    referenceAddress: expect.stringMatching(/\/docs$/),
    plainAddress: expect.stringMatching(/^http:/),
    caFile: expect.stringMatching(/ca\.pem$/),
    signIn: {
      email: "operator@gatehouse.example",
      link: expect.stringMatching(/\/sign-in#token=[\w-]{43}$/),
    },
    demo: {
      organizationUuid: expect.any(String),
      locationUuid: expect.any(String),
      key: expect.stringMatching(/^ghk_/),
      curl: expect.stringMatching(/^curl /),
    },
  });
  expect(visited).toEqual([200, 204]);
});

test("once the link was used no start shows another, although nobody is signed in or has a password; nor the demo key", async () => {
  const second = await served({}, hasReadyLine);
  const all = lines(second);
  expect(all.length).toBeGreaterThan(1);
  expect(readyLine(second)).toMatchObject({ apiAddress: expect.any(String) });
  expect(readyLine(second)).not.toHaveProperty("signIn");
  expect(readyLine(second)).not.toHaveProperty("demo");
  expect(all.at(-1)).toMatchObject({ msg: "shutdown complete" });
});

test("a cluster that recovers interrupted commits rarely is warned about at the start", async () => {
  const database = await startDatabase();
  onTestFinished(() => database.leave());
  await database.query("alter database gatehouse set citus.recover_2pc_interval = '1min'");
  const variables = { DATABASE_URL: database.connectionString, GATEHOUSE_DEMO: "off" };
  const shown = await served(variables, (stdout) => stdout.includes('"msg":"ready"'));
  const warnings = lines(shown).filter(({ level }) => level === "warn");
  expect(warnings).toMatchObject([{ msg: expect.stringContaining("citus.recover_2pc_interval = '2s'") }]);
});

test("LOG_FORMAT=pretty is for people, with or without a terminal", async () => {
  const shown = await served({ LOG_FORMAT: "pretty" }, (stdout) => stdout.includes("is ready."));
  expect(shown).toMatch(/^ {2}Console +https:/m);
  expect(shown).not.toContain('"msg"');
  expect(shown).not.toContain("\u001b");
});

/** What a start with a wrong configuration leaves on the two streams. */
async function failedStart(variables: Record<string, string>): Promise<{ stdout: string; stderr: string }> {
  const result = await gatehouse(["serve"], {
    ...place.variables,
    GATEHOUSE_HTTPS_PORT: "https",
    ...variables,
  });
  expect(result.exitCode).toBe(1);
  return result;
}

test("a start that fails says why: as a JSON line where the log is JSON, and in plain words to people", async () => {
  const message = 'GATEHOUSE_HTTPS_PORT must be a whole number from 0 to 65535, not "https"';
  const [forCollectors, forPeople] = await Promise.all([
    failedStart({}),
    failedStart({ LOG_FORMAT: "pretty" }),
  ]);
  expect(lines(forCollectors.stderr)).toMatchObject([
    { level: "fatal", msg: expect.stringContaining(message) },
  ]);
  expect(forPeople.stderr).toContain(message);
  expect([forCollectors.stdout, forPeople.stdout]).toEqual(["", ""]);
});
