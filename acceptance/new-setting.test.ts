import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSetting } from "./new-setting.js";
import { leave, placeAt, startService, stop, type Place, type RunningService } from "./running-service.js";

/** A new organization setting is made in a copy of the repository, and everything that ought to know it is asked for it. */
const run = promisify(execFile);
const checkout = fileURLToPath(new URL("..", import.meta.url));

let home: string;
let copy: string;
let place: Place;
let service: RunningService;
let cookie: string;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "gatehouse-new-setting-"));
  copy = path.join(home, "repository");
  await copyRepository();
  for (const { file, text, lines = [] } of newSetting) {
    if (text !== undefined) await addMigration(path.basename(file), text);
    for (const { before, added } of lines) await insertLines(path.join(copy, file), before, added);
  }
  await run(process.execPath, ["node_modules/typescript/bin/tsc", "-b"], { cwd: copy });
  place = placeAt(path.join(home, "place"), {}, path.join(copy, "packages/service/bin/gatehouse.js"));
  service = await startService(place);
  const signedIn = await service.send("/console/api/session/link", {
    body: { token: service.signIn?.link.split("#token=")[1] },
    headers: { origin: service.apiAddress },
  });
  cookie = signedIn.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
});

afterAll(async () => {
  if (service) await stop(service);
  if (place) await leave(place);
  await rm(home, { recursive: true, force: true });
});

async function copyRepository(): Promise<void> {
  const isSource = (name: string) => !/\/(node_modules|dist|e2e)(\/|$)/.test(name.slice(checkout.length - 1));
  for (const entry of ["packages", "scripts", "package.json", "tsconfig.json", "tsconfig.base.json"])
    await cp(path.join(checkout, entry), path.join(copy, entry), { recursive: true, filter: isSource });
  // What is installed is shared; our own packages are those of the copy.
  const scope = "@gatehouse-parking";
  const modules = path.join(copy, "node_modules");
  await mkdir(path.join(modules, scope), { recursive: true });
  for (const name of await readdir(path.join(checkout, "node_modules")))
    if (name !== scope) await symlink(path.join(checkout, "node_modules", name), path.join(modules, name));
  for (const name of await readdir(path.join(copy, "packages")))
    await symlink(path.join(copy, "packages", name), path.join(modules, scope, name));
}

async function addMigration(name: string, text: string): Promise<void> {
  const migrations = path.join(copy, "packages/service/migrations");
  const last = (await readdir(migrations)).toSorted().at(-1) as string;
  const number = String(Number(last.slice(0, 4)) + 1).padStart(4, "0");
  await writeFile(path.join(migrations, `${number}_${name}`), text);
}

async function insertLines(file: string, before: string, added: string): Promise<void> {
  const text = await readFile(file, "utf8");
  expect(text).toContain(before);
  await writeFile(
    file,
    text.replace(before, () => added + before),
  );
}

function demo() {
  if (!service.demo) throw new Error("a first start has a demo organization");
  return service.demo;
}

async function configure(...options: string[]) {
  const { json } = await place.gatehouse([
    ...["organization", "configure", demo().organizationUuid],
    ...[...options, "--json"],
  ]);
  return json;
}

const askConsole = (sending: object = {}) =>
  service.send(`/console/api/organizations/${demo().organizationUuid}`, {
    headers: { cookie, origin: service.apiAddress },
    ...sending,
  });

const sendTransaction = (transactionId: string) =>
  service.send("/integrations/transactions", {
    key: demo().key,
    body: { transactions: [{ transactionId, type: 1 }] },
  });

test("a new setting takes three files", () => {
  expect(new Set(newSetting.map(({ file }) => file)).size).toBe(3);
});

test("it is set on the command line, the console shows it, and imports obey it", async () => {
  expect(await configure()).toMatchObject({ isReadOnly: false });
  expect(await sendTransaction("T-1")).toMatchObject({ status: 200 });
  expect(await configure("--read-only", "on")).toMatchObject({ isReadOnly: true });
  expect((await askConsole()).json).toMatchObject({ isReadOnly: true });
  const refused = await sendTransaction("T-2");
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused.text).toContain("The organization is read-only");
});

test("the console switches it off, and the command line shows it", async () => {
  await configure("--read-only", "on");
  const { json } = await askConsole();
  const changed = await askConsole({ method: "PATCH", body: { isReadOnly: false, version: json.version } });
  expect(changed).toMatchObject({ status: 200, json: { isReadOnly: false } });
  expect(await configure()).toMatchObject({ isReadOnly: false });
  expect(await sendTransaction("T-3")).toMatchObject({ status: 200 });
});

test("an export of the organization has it", async () => {
  await configure("--read-only", "on");
  const { stdout } = await place.gatehouse(["export", "--organization", demo().organizationUuid]);
  expect(JSON.parse(stdout.slice(0, stdout.indexOf("\n"))).settings).toMatchObject({ isReadOnly: true });
});
