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

/**
 * `serve` without a terminal, as under a process manager or in a container, from its start until it is ready
 * and to its end.
 */
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

/** All lines of stdout. Throws if one is not JSON. */
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

/** Signs in by the link and signs out, so that no session remains. */
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

test("without a terminal stdout has only JSON lines, and secrets that are shown once are in the ready line at any log level", async () => {
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

test("once the link was used, no start shows another link or the demo key, even without a session or a password", async () => {
  const second = await served({}, hasReadyLine);
  const all = lines(second);
  expect(all.length).toBeGreaterThan(1);
  expect(readyLine(second)).toMatchObject({ apiAddress: expect.any(String) });
  expect(readyLine(second)).not.toHaveProperty("signIn");
  expect(readyLine(second)).not.toHaveProperty("demo");
  expect(all.at(-1)).toMatchObject({ msg: "shutdown complete" });
});

test("a cluster that rarely recovers interrupted commits gets a warning at the start", async () => {
  const database = await startDatabase();
  onTestFinished(() => database.leave());
  await database.query("alter database gatehouse set citus.recover_2pc_interval = '1min'");
  const variables = { DATABASE_URL: database.connectionString, GATEHOUSE_DEMO: "off" };
  const shown = await served(variables, (stdout) => stdout.includes('"msg":"ready"'));
  const warnings = lines(shown).filter(({ level }) => level === "warn");
  expect(warnings).toMatchObject([{ msg: expect.stringContaining("citus.recover_2pc_interval = '2s'") }]);
});

test("LOG_FORMAT=pretty prints readable lines, with or without a terminal", async () => {
  const shown = await served({ LOG_FORMAT: "pretty" }, (stdout) => stdout.includes("is ready."));
  expect(shown).toMatch(/^ {2}Console +https:/m);
  expect(shown).not.toContain('"msg"');
  expect(shown).not.toContain("\u001b");
});

/** The two output streams of a start with a wrong configuration. */
async function failedStart(variables: Record<string, string>): Promise<{ stdout: string; stderr: string }> {
  const result = await gatehouse(["serve"], {
    ...place.variables,
    GATEHOUSE_HTTPS_PORT: "https",
    ...variables,
  });
  expect(result.exitCode).toBe(1);
  return result;
}

test("a failed start says why: as a JSON line in the JSON format, and as plain text otherwise", async () => {
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
