import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../packages/service/src/config.js";
import { unknownVariables } from "./testing/known-variables.js";
import { readAssignments, readUnitFile, shellScriptOf } from "./testing/unit-file.js";

const folder = fileURLToPath(new URL("systemd", import.meta.url));
const read = (file: string) => readFileSync(path.join(folder, file), "utf8");
const units = ["gatehouse.service", "gatehouse-backup.service", "gatehouse-backup.timer"];
const service = readUnitFile(read("gatehouse.service"));
const backup = readUnitFile(read("gatehouse-backup.service"));
const setting = (unit: typeof service, name: string) => unit["Service"]?.[name]?.at(-1) ?? "";
const environmentFile = read("gatehouse.env")
  .split("\n")
  .filter((line) => /^\w+=/.test(line));
const ownEnvironment = (unit: typeof service) =>
  readAssignments((unit["Service"]?.["Environment"] ?? []).flatMap((line) => line.split(" ")));

test("the environment file and the unit name variables that exist, and make a configuration", () => {
  const environment = { ...readAssignments(environmentFile), ...ownEnvironment(service) };
  expect(unknownVariables(environment)).toEqual([]);
  expect(readConfig(environment)).toMatchObject({
    databaseUrl: undefined,
    dataDirectory: "/var/lib/gatehouse/data",
    host: "0.0.0.0",
  });
  const suggested = [...read("gatehouse.env").matchAll(/^#(\w+=.*)$/gm)].map(([, pair]) => pair as string);
  expect(suggested.length).toBeGreaterThan(3);
  expect(unknownVariables(readAssignments(suggested))).toEqual([]);
});

test("it runs the command of the package with the flags of npm start", () => {
  const words = setting(service, "ExecStart").split(" ");
  const { scripts } = JSON.parse(read("../../package.json"));
  for (const flag of words.filter((word) => word.startsWith("--"))) expect(scripts.start).toContain(flag);
  const { name, bin } = JSON.parse(read("../../packages/service/package.json"));
  expect(words.at(-2)).toBe(`/opt/gatehouse/node_modules/${name}/${bin.gatehouse}`);
  expect(words.at(-1)).toBe("serve");
  expect(shellScriptOf(setting(backup, "ExecStart"))).toContain(words.at(-2));
});

test("a stop reaches the service alone and leaves it the time to drain, to finish and to end its database", () => {
  expect([setting(service, "KillSignal"), setting(service, "KillMode")]).toEqual(["SIGTERM", "mixed"]);
  // The drain as the file suggests it.
  const [, drain] = /^#?GATEHOUSE_DRAIN_SECONDS=(\d+)$/m.exec(read("gatehouse.env")) ?? [];
  const [, shutdown] = /^#?GATEHOUSE_SHUTDOWN_SECONDS=(\d+)$/m.exec(read("gatehouse.env")) ?? [];
  const needed = Number(drain) + Number(shutdown);
  expect(Number.parseInt(setting(service, "TimeoutStopSec"), 10)).toBeGreaterThan(needed);
});

test("the backup works on the folder and as the user of the service, and writes to one place more", () => {
  for (const name of ["User", "Group", "EnvironmentFile", "WorkingDirectory"])
    expect(setting(backup, name), name).toBe(setting(service, name));
  const { BACKUP_FOLDER, ...same } = ownEnvironment(backup);
  expect(same).toMatchObject(ownEnvironment(service));
  expect(setting(backup, "StateDirectory").split(" ")).toEqual([
    "gatehouse",
    path.basename(BACKUP_FOLDER ?? ""),
  ]);
});

test.each(["gatehouse.service", "gatehouse-backup.service"])(
  "%s runs with as few rights as it can",
  (file) => {
    const unit = readUnitFile(read(file));
    const expected = {
      NoNewPrivileges: "yes",
      CapabilityBoundingSet: "",
      ProtectSystem: "strict",
      ProtectHome: "yes",
      PrivateTmp: "yes",
      PrivateDevices: "yes",
      RestrictNamespaces: "yes",
      UMask: "0077",
    };
    for (const [name, value] of Object.entries(expected)) expect(setting(unit, name), name).toBe(value);
    // It would end Node at once.
    expect(unit["Service"]).not.toHaveProperty("MemoryDenyWriteExecute");
  },
);

test("systemd itself finds nothing wrong with the units, where there is one to ask", async () => {
  const version = spawnSync("systemd-analyze", ["--version"]);
  if (version.error) {
    console.log("systemd-analyze is not installed: the units were read, not verified by systemd");
    return;
  }
  // What they start has to exist for this; here nothing of it is installed.
  const copies = await mkdtemp(path.join(tmpdir(), "gatehouse-units-"));
  onTestFinished(() => rm(copies, { recursive: true, force: true }));
  for (const file of units)
    await writeFile(path.join(copies, file), read(file).replaceAll("/usr/bin/node", process.execPath));
  const analyze = (...words: string[]) =>
    spawnSync("systemd-analyze", words, { cwd: copies, encoding: "utf8" });
  const verified = analyze("verify", ...units.map((file) => path.join(copies, file)));
  expect(verified.stderr).toBe("");
  expect(verified.status).toBe(0);
});
