import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const timeoutMs = 240_000;
const maxOutputBytes = 16 * 1024 * 1024;

export const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** The paths of the files that `npm run release` makes. */
export interface Release {
  folder: string;
  service: string;
  client: string;
}

/** Packs the checkout as it is, released or not. */
export async function makeRelease(folder: string): Promise<Release> {
  const script = path.join(checkout, "scripts/release/release.js");
  await run(process.execPath, [script, "--snapshot", "--to", folder], { timeout: timeoutMs });
  const tarballs = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  const find = (part: string): string => {
    const name = tarballs.find((tarball) => tarball.includes(part));
    if (name === undefined) throw new Error(`The release has no ${part}: ${tarballs.join(", ")}`);
    return path.join(folder, name);
  };
  return { folder, service: find("-service-"), client: find("-client-") };
}

/** The names of a package's files in npm's layout. */
export async function filesOf(tarball: string): Promise<string[]> {
  const { stdout } = await run("tar", ["-tzf", tarball], { maxBuffer: maxOutputBytes });
  return stdout
    .split("\n")
    .filter((name) => name !== "")
    .map((name) => name.replace(/^package\//, ""))
    .toSorted();
}

/**
 * Installs packages into an empty folder like a user who has only the files: without a checkout, development
 * dependencies or a build. Install scripts are blocked, as with npm 12 and in many companies.
 */
export async function install(folder: string, packages: string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, "package.json"),
    JSON.stringify({ name: "somebodys-own", private: true }),
  );
  const options = ["--ignore-scripts", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund"];
  // A stalled connection is retried well before the test times out. The default of npm is five minutes.
  options.push("--fetch-timeout=30000", "--fetch-retries=5");
  // The tests may run inside an npm script, whose folder npm would otherwise use.
  await run("npm", ["install", "--prefix", folder, ...options, ...packages], {
    cwd: folder,
    timeout: timeoutMs,
    maxBuffer: maxOutputBytes,
  });
}

export async function readJson(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
}
