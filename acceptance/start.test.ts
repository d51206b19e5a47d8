import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { environment } from "./command.js";
import { send } from "./requests.js";
import {
  databaseServers,
  leave,
  newPlace,
  newPlaceWithDatabase,
  startForTest,
  startService,
  stop,
  type Place,
  type RunningService,
} from "./running-service.js";

let place: Place;
beforeAll(async () => {
  place = await newPlace();
});
afterAll(() => leave(place));

/** The line as a user would paste it, or the same request without curl. */
async function paste(service: RunningService, curl: string): Promise<{ results: { status: number }[] }> {
  const hasCurl = await promisify(execFile)("curl", ["--version"]).then(
    () => true,
    () => false,
  );
  if (hasCurl) {
    const { stdout } = await promisify(execFile)("sh", ["-c", curl.replace("curl ", "curl --silent ")]);
    return JSON.parse(stdout);
  }
  const body = JSON.parse(/-d '(.*)'$/.exec(curl)?.[1] ?? "");
  return (await service.send("/integrations/transactions", { key: service.demo?.key ?? "", body })).json;
}

test("a first start serves and prints everything once, and the next one keeps the data and prints no key", async () => {
  const first = await startService(place);
  const { demo } = first;
  if (!demo || !first.signIn) throw new Error("a first start shows the demo and a sign-in link");
  expect(demo.key).toMatch(/^ghk_[0-9A-Za-z]{36}$/);
  expect(first.signIn.link).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/sign-in#token=[\w-]{43}$/);
  const locations = await first.send("/integrations/locations", { key: demo.key });
  const zones = locations.json.data.map((location: { timeZone: string }) => location.timeZone);
  expect(new Set(zones).size).toBe(5);
  expect((await paste(first, demo.curl)).results).toMatchObject([{ status: 1 }]);
  expect(JSON.stringify(first.log())).not.toContain(demo.key);
  const migrated = first.log().filter(({ msg }) => msg === "database migrated");
  expect(migrated).toMatchObject([
    { applied: expect.any(Number), latest: expect.stringMatching(/^\d{4}_\w+\.sql$/) },
  ]);
  await stop(first);

  const second = await startForTest(place);
  expect(second.demo).toBeNull();
  const body = JSON.parse(/-d '(.*)'$/.exec(demo.curl)?.[1] ?? "");
  const replay = await second.send("/integrations/transactions", { key: demo.key, body });
  expect(replay.json.results).toMatchObject([{ status: 3, reasonCode: 1 }]);
});

test("after kill -9 of the service the next start continues with all data and one database server", async () => {
  const { json: organization } = await place.gatehouse([
    "organization",
    "create",
    "--name",
    "Kept",
    "--json",
  ]);
  const killed = await startService(place);
  killed.kill("SIGKILL");
  await killed.ended;

  const next = await startForTest(place);
  expect((await send(`${next.plainAddress}/readyz`)).status).toBe(200);
  const { json: organizations } = await place.gatehouse(["organization", "list", "--json"]);
  expect(organizations).toContainEqual(organization);
  expect(await databaseServers(place.variables["GATEHOUSE_DATA_DIR"] as string)).toHaveLength(1);
});

test("if npm start cannot bundle the pages, the start fails with that reason and the database is stopped again", async () => {
  const commandLine = new URL("../packages/service/dist/cli/command-line.js", import.meta.url).href;
  const script = `
    const { runCommandLine } = await import(${JSON.stringify(commandLine)});
    const pages = new Promise((_, reject) => setImmediate(reject, new Error("the bundler failed")));
    pages.catch(() => undefined);
    await runCommandLine(process.argv.slice(1), { pages });`;
  const command = [process.execPath, "--input-type=module", "-e", script] as const;
  await expect(startService(place, { command })).rejects.toThrow(/it ended with 1[^]*the bundler failed/);
  expect(await databaseServers(place.variables["GATEHOUSE_DATA_DIR"] as string)).toEqual([]);
});

/** This Node with the built program and this limit of open files. */
function withOpenFiles(count: number): readonly [string, ...string[]] {
  return ["sh", "-c", `ulimit -n ${count}; exec "$0" "$@"`, process.execPath, place.program];
}

test("a start with too few open files says on one line how many it needs, and with enough of them a first start works", async () => {
  for (const count of [32, 128, 255]) {
    const [program, ...programArguments] = withOpenFiles(count);
    const starting = promisify(execFile)(program, [...programArguments, "serve"], {
      env: environment(place.variables),
    });
    const failure = await starting.catch((error: unknown) => error);
    expect(failure, `${count} files`).toMatchObject({ code: 1, stdout: "" });
    const { stderr } = failure as { stderr: string };
    expect(stderr).toContain(
      `This process may open ${count} files, and Gatehouse needs at least 256. Raise the limit: `,
    );
    expect(stderr.match(/\n/g)).toHaveLength(1);
  }

  const fresh = await newPlace();
  onTestFinished(() => leave(fresh));
  const service = await startForTest(fresh, { command: withOpenFiles(256) });
  expect((await paste(service, service.demo?.curl ?? "")).results).toMatchObject([{ status: 1 }]);
});

test("two services run side by side, and stopping one does not affect the other", async () => {
  const otherPlace = await newPlaceWithDatabase({ GATEHOUSE_DEMO: "off" });
  try {
    const [one, other] = await Promise.all([startForTest(place), startService(otherPlace)]);
    expect(one.apiAddress).not.toBe(other.apiAddress);
    expect(other.demo).toBeNull();
    expect(other.signIn).not.toBeNull();
    expect((await otherPlace.gatehouse(["organization", "list", "--json"])).json).toEqual([]);
    await stop(other);
    expect((await one.send("/readyz")).status).toBe(200);
  } finally {
    await leave(otherPlace);
  }
});

/** @covers R31 */
test("the plain port rejects the API and serves health, metrics and, to this machine, the reference", async () => {
  const service = await startForTest(place);
  const plain = (pathname: string) => send(service.plainAddress + pathname);
  for (const [method, pathname] of [
    ["POST", "/lead/submit"],
    ["POST", "/integrations/transactions"],
    ["POST", "/integrations/accounts"],
    ["POST", "/integrations/subscriptions"],
    ["GET", "/integrations/locations"],
    ["GET", "/integrations/imports"],
    ["GET", "/integrations/imports/x"],
  ] as const) {
    const answer = await send(service.plainAddress + pathname, { method });
    expect(answer.status, pathname).toBe(403);
    expect(answer.json).toMatchObject({ success: false, message: "HTTPS is required" });
  }
  for (const pathname of ["/livez", "/readyz", "/openapi.json", "/docs"]) {
    expect((await plain(pathname)).status, pathname).toBe(200);
    expect((await service.send(pathname)).status, pathname).toBe(200);
  }
  const metrics = await plain("/metrics");
  expect(metrics.text).toContain("gatehouse_request_duration_seconds_count");
  expect((await service.send("/metrics")).status).toBe(404);
});
