import { execFile } from "node:child_process";
import { access, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { environment } from "../command.js";
import { isLong, startRig } from "../rigs/rig.js";
import { leave, newPlace, startService, stop, type Place, type RunningService } from "../running-service.js";
import { billedPackages, checksumsOf, neededFiles, unexpectedFiles } from "./contents.js";
import { getNode, promisedRanges, type NodeRelease } from "./node-releases.js";
import { checkout, filesOf, install, makeRelease, readJson, type Release } from "./release.js";
import { compileStrictProject } from "./strict-project.js";

const run = promisify(execFile);
const installTimeoutMs = 480_000;

let home: string;
let release: Release;
let again: Release;
/** Both packages, installed from their files. */
let installed: string;
let place: Place;
let service: RunningService;
let hasStarted = false;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "gatehouse-installed-"));
  [release, again] = await Promise.all([
    makeRelease(path.join(home, "release")),
    makeRelease(path.join(home, "again")),
  ]);
  installed = path.join(home, "both");
  await install(installed, [release.service, release.client]);
  place = await newPlace({ GATEHOUSE_RECEIPTS: "on" });
  service = await startService(place, { cwd: installed, command: ["npx", "--no", "--", "gatehouse"] });
  hasStarted = true;
}, installTimeoutMs);

afterAll(async () => {
  try {
    if (!hasStarted) return;
    // npx does not forward signals, so the service gets the signal directly, by the process id in its log.
    process.kill(servicePid(service), "SIGTERM");
    expect(await service.ended).toEqual({ exitCode: 0, signal: null });
    await leave(place);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

function servicePid({ log }: RunningService): number {
  return Number(log().find(({ msg }) => msg === "ready")?.["pid"]);
}

/** One account with a separate key. */
async function importOne(running: RunningService, key: string, tpReferenceId: string) {
  const body = { accounts: [{ tpReferenceId, name: "Acme" }] };
  return running.send("/integrations/accounts", { key, body });
}

const demoKey = (): string => service.demo?.key ?? "";

test("the same checkout gives the same release, byte for byte, with checksums of all files", async () => {
  const checksums = await checksumsOf(release.folder);
  expect(checksums.map((line) => line.replace(/^\w+ {2}.*\d\./, ""))).toEqual([
    "cdx.json",
    "tgz",
    "cdx.json",
    "tgz",
  ]);
  expect(await checksumsOf(again.folder)).toEqual(checksums);
  const written = await readFile(path.join(release.folder, "SHA256SUMS"), "utf8");
  expect(written.trimEnd().split("\n")).toEqual(checksums);
});

test("a package contains everything that it needs to run, and no tests, sources or build files", async () => {
  expect(await filesOf(release.client)).toEqual(expect.arrayContaining(neededFiles("client")));
  expect(await filesOf(release.service)).toEqual(
    expect.arrayContaining([
      ...neededFiles("service"),
      "dist/cli/main.js",
      "console/index.html",
      "console/licenses.md",
    ]),
  );
  expect(await unexpectedFiles(release, "client")).toEqual([]);
  expect(await unexpectedFiles(release, "service")).toEqual([]);
});

test("the bill of materials lists the dependencies and the console's components, and no tools", async () => {
  const billed = await billedPackages(release.service);
  const servicePackage = path.join(installed, "node_modules/@gatehouse-parking/service");
  const { dependencies } = await readJson(path.join(servicePackage, "package.json"));
  for (const [name, version] of Object.entries(dependencies as Record<string, string>))
    expect(billed).toContain(`${name} - ${version}`);
  const licences = await readFile(path.join(servicePackage, "console/licenses.md"), "utf8");
  const bundled = [...licences.matchAll(/^## (\S+ - \S+) \(/gm)].map(([, name]) => name);
  expect(bundled.some((name) => name?.startsWith("react-dom - "))).toBe(true);
  for (const name of bundled) expect(billed).toContain(name);
  const names = [...billed].map((name) => name.split(" ")[0]);
  for (const tool of ["typescript", "vite", "vitest", "oxlint"]) expect(names).not.toContain(tool);
});

test("npx --no -- gatehouse serve runs without a checkout, a build or install scripts, and accepts an import", async () => {
  const { version } = await readJson(path.join(checkout, "package.json"));
  expect(service.log().find(({ msg }) => msg === "ready")).toMatchObject({ version });
  const answer = await importOne(service, demoKey(), "A-1");
  expect(answer.json).toMatchObject({ successCount: 1 });
  const shown = await run("npx", ["--no", "--", "gatehouse", "--version"], { cwd: installed });
  expect(shown.stdout.trim()).toBe(version);
});

test("the service includes the console, and its sign-in link signs in", async () => {
  const page = await service.send("/", { headers: { accept: "text/html" } });
  expect(page.text).toContain("<title>Gatehouse");
  const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(page.text) ?? [];
  expect((await service.send(script)).status).toBe(200);
  const token = service.signIn?.link.split("#token=")[1];
  const signedIn = await service.send("/console/api/session/link", {
    body: { token },
    headers: { origin: service.apiAddress },
  });
  expect(signedIn.status).toBe(200);
  expect(signedIn.headers["set-cookie"]?.[0]).toMatch(/HttpOnly; Secure/);
});

test("the service includes the documentation with its guides", async () => {
  for (const path of ["/docs", "/docs/static/docs.css", "/docs/guides/integrators", "/docs/guides/errors"])
    expect((await service.send(path)).status, path).toBe(200);
});

test("npx --no -- gatehouse-push pushes a file", async () => {
  const file = path.join(home, "accounts.csv");
  await writeFile(file, "tpReferenceId,name\nP-1,Acme\nP-2,Blue Line\n");
  const { stdout } = await run(
    "npx",
    [
      "--no",
      "--",
      "gatehouse-push",
      "accounts",
      file,
      "--json",
      "--url",
      service.apiAddress,
      "--ca",
      service.caFile as string,
    ],
    { cwd: installed, env: environment({ GATEHOUSE_API_KEY: demoKey() }) },
  );
  expect(JSON.parse(stdout)).toMatchObject([{ resource: "accounts", tally: { created: 2, failed: 0 } }]);
});

test(
  "a strict TypeScript project can use the client alone, by import and by require",
  async () => {
    const folder = path.join(home, "client");
    await install(folder, [release.client]);
    expect(await readdir(path.join(folder, "node_modules/@gatehouse-parking"))).toEqual(["client"]);
    const { esm, commonJs } = await compileStrictProject(folder);
    for (const [program, system] of [
      [esm, "import"],
      [commonJs, "require"],
    ] as const) {
      const { stdout } = await run(process.execPath, [program, service.apiAddress, demoKey()], {
        env: environment({ NODE_EXTRA_CA_CERTS: service.caFile as string }),
      });
      expect(JSON.parse(stdout)).toMatchObject({
        system,
        batch: 500,
        totalCount: 5,
        locations: 5,
        successCount: 1,
        refused: 401,
      });
    }
  },
  installTimeoutMs,
);

test.each(["import-sessions", "check-receipt"])(
  "following the header of %s.ts gives a running program in an empty folder",
  async (name) => {
    const folder = path.join(home, name);
    await mkdir(folder);
    const tarball = path.basename(release.client);
    await copyFile(release.client, path.join(folder, tarball));
    await copyFile(path.join(checkout, "examples/typescript", `${name}.ts`), path.join(folder, `${name}.ts`));
    await copyFile(path.join(checkout, "examples/sessions.ndjson"), path.join(folder, "sessions.ndjson"));
    const source = await readFile(path.join(folder, `${name}.ts`), "utf8");
    const { devDependencies } = (await readJson(path.join(checkout, "package.json"))) as {
      devDependencies: Record<string, string>;
    };
    const commands = [...source.matchAll(/^ \* {5}(.*)$/gm)]
      .map(([, line = ""]) => line)
      .filter((line) => !line.startsWith("export "))
      .map((line) => line.replace(/gatehouse-parking-client-VERSION\.tgz/, tarball))
      // The versions of the checkout, so that a new release of a tool does not affect this test.
      .map((line) =>
        line.replaceAll(
          / (typescript|@types\/node)(?= |$)/g,
          (_, tool: string) => ` ${tool}@${devDependencies[tool]}`,
        ),
      );
    expect(commands.join("\n")).toContain(`${tarball} typescript@`);
    const { stdout, stderr } = await run("sh", ["-ec", commands.join("\n")], {
      cwd: folder,
      timeout: installTimeoutMs,
      env: environment({
        GATEHOUSE_URL: service.apiAddress,
        GATEHOUSE_API_KEY: demoKey(),
        NODE_EXTRA_CA_CERTS: service.caFile as string,
        npm_config_prefer_offline: "true",
      }),
    }).catch((error: { stdout: string; stderr: string }) => error);
    expect(await readdir(folder)).toContain(`${name}.js`);
    expect(`${stdout}${stderr}`).toMatch(name === "import-sessions" ? /created|Created/ : /receipt/);
  },
  installTimeoutMs,
);

test("resolvers that do not read exports find the client and its types", async () => {
  const folder = path.join(installed, "node_modules/@gatehouse-parking/client");
  const carried = path.join(folder, "node_modules/@gatehouse-parking");
  for (const each of [folder, ...(await readdir(carried)).map((name) => path.join(carried, name))]) {
    const { main, types } = await readJson(path.join(each, "package.json"));
    for (const file of [main, types]) await access(path.join(each, String(file)));
  }
});

test("only the declared exports of the packages can be imported", async () => {
  const hidden = ["service", "service/app", "service/dist/app.js", "service/console/api"];
  hidden.push("client/batches", "client/dist/client.js");
  const program = `
    for (const name of ${JSON.stringify(hidden)})
      await import("@gatehouse-parking/" + name).then(() => console.log(name), (error) => console.log(error.code));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { cwd: installed });
  expect(stdout.trim().split("\n")).toEqual(hidden.map(() => "ERR_PACKAGE_PATH_NOT_EXPORTED"));
});

/** Runs the program directly, so that the signal and the exit code are the service's. */
async function startImportStop({ program }: NodeRelease, key: string, reference: string): Promise<void> {
  const script = path.join(installed, "node_modules/@gatehouse-parking/service/bin/gatehouse.js");
  const running = await startService(place, { cwd: installed, command: [program, script] });
  try {
    expect((await importOne(running, key, reference)).json).toMatchObject({ successCount: 1 });
  } finally {
    await stop(running);
  }
  expect(await running.ended).toEqual({ exitCode: 0, signal: null });
}

test("the installed service starts, imports and stops with 0 (in the long form on every supported release of Node)", async () => {
  const rig = startRig("node releases");
  const current: NodeRelease = { version: process.versions.node, program: process.execPath };
  const releases = [current];
  for (const range of isLong ? promisedRanges : []) {
    const node = await getNode(range, path.join(home, `node-${range}`));
    expect(`${node.version}.`.startsWith(`${range}.`), `Node ${range} is ${node.version}`).toBe(true);
    releases.push(node);
  }
  for (const [index, node] of releases.entries()) await startImportStop(node, demoKey(), `NODE-${index}`);
  rig.held({ releases: releases.map(({ version }) => version).join(" ") });
});
