import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gatehouseCommand } from "../command.js";

/** A build of the product that can be run. */
export interface Release {
  version: string;
  program: string;
  /** Removes its files, if the rig created them. */
  leave(): Promise<void>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const service = path.join(root, "packages/service");
const command = "packages/service/bin/gatehouse.js";
const run = promisify(execFile);
const buildTimeoutMs = 15 * 60_000;

export async function thisRelease(): Promise<Release> {
  const { version } = JSON.parse(await readFile(path.join(service, "package.json"), "utf8"));
  return { version, program: gatehouseCommand, leave: async () => undefined };
}

/** The number of minor releases after this one. */
export function laterVersion(version: string, minors: number): string {
  const [major, minor] = version.split(".").map(Number) as [number, number];
  return `${major}.${minor + minors}.0`;
}

/** A simulated next release: this build with another version and more migrations. */
export async function makeRelease(version: string, migrations: readonly string[]): Promise<Release> {
  const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-release-"));
  const copy = path.join(folder, "packages/service");
  await mkdir(copy, { recursive: true });
  for (const part of ["bin", "dist", "migrations", "src"])
    await cp(path.join(service, part), path.join(copy, part), { recursive: true });
  const described = JSON.parse(await readFile(path.join(service, "package.json"), "utf8"));
  await writeFile(path.join(copy, "package.json"), JSON.stringify({ ...described, version }));
  // Everything else is as it is here.
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  for (const name of await readdir(path.join(root, "packages")))
    if (name !== "service")
      await symlink(path.join(root, "packages", name), path.join(folder, "packages", name));
  const { length } = (await readdir(copy, { recursive: true })).filter((name) => name.endsWith(".sql"));
  for (const [index, sql] of migrations.entries()) {
    const number = String(length + index + 1).padStart(4, "0");
    await writeFile(path.join(copy, "migrations", `${number}_rig.sql`), sql);
  }
  return { version, program: path.join(folder, command), leave: () => rm(folder, { recursive: true }) };
}

interface ReleasedVersion {
  version: string;
  commit: string;
}

async function previousReleases(): Promise<[ReleasedVersion, ...ReleasedVersion[]]> {
  const file = new URL("previous-release.json", import.meta.url);
  const { older, ...previous } = JSON.parse(await readFile(file, "utf8")) as ReleasedVersion & {
    older: ReleasedVersion[];
  };
  return [previous, ...older];
}

/** The release before this one. */
export async function buildPreviousRelease(): Promise<Release> {
  const [previous] = await previousReleases();
  return buildRelease(previous);
}

/** Releases before the previous one whose instances may still run beside this one. */
export async function buildOlderReleases(): Promise<Release[]> {
  const [, ...older] = await previousReleases();
  const built: Release[] = [];
  for (const one of older) built.push(await buildRelease(one));
  return built;
}

/** An earlier release: its commit, with the dependencies of its lock file, compiled. */
async function buildRelease({ version, commit }: ReleasedVersion): Promise<Release> {
  const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-release-"));
  const archive = spawn("git", ["archive", commit], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const unpacking = spawn("tar", ["-x", "-C", folder], { stdio: [archive.stdout, "inherit", "inherit"] });
  const [exitCode] = (await once(unpacking, "close")) as [number];
  if (exitCode !== 0)
    throw new Error(`Release ${version} (${commit}) is not in the history of this checkout`);
  const options = { cwd: folder, timeout: buildTimeoutMs };
  await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], options);
  // Only the compiler: the rig does not need the console, which the bundler builds.
  await run(process.execPath, ["node_modules/typescript/bin/tsc", "-b"], options);
  return { version, program: path.join(folder, command), leave: () => rm(folder, { recursive: true }) };
}
