import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const timeoutMs = 240_000;
const maxOutputBytes = 16 * 1024 * 1024;

export const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** What `npm run release` makes, by its path. */
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

/** The names of a package's files, as npm will lay them out. */
export async function filesOf(tarball: string): Promise<string[]> {
  const { stdout } = await run("tar", ["-tzf", tarball], { maxBuffer: maxOutputBytes });
  return stdout
    .split("\n")
    .filter((name) => name !== "")
    .map((name) => name.replace(/^package\//, ""))
    .toSorted();
}

/**
 * Installs packages into an empty folder as a user would who has nothing but the files: no checkout around it, nothing
 * for development, nothing built. Install scripts are blocked, as they are with npm 12 and in many companies.
 */
export async function install(folder: string, packages: string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, "package.json"),
    JSON.stringify({ name: "somebodys-own", private: true }),
  );
  const options = ["--ignore-scripts", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund"];
  // A connection that has gone silent is given up and tried again well before the test is; by itself npm waits five minutes.
  options.push("--fetch-timeout=30000", "--fetch-retries=5");
  // The tests may themselves run inside an npm script, whose folder npm would otherwise take for the one that is meant.
  await run("npm", ["install", "--prefix", folder, ...options, ...packages], {
    cwd: folder,
    timeout: timeoutMs,
    maxBuffer: maxOutputBytes,
  });
}

export async function readJson(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
}
