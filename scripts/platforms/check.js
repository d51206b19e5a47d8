// Checks that the lockfile provides native packages for both processors of Linux. Inspects the local
// installation and installs the packages of the other processor into a scratch folder.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { missingPrograms, nativePackagesFor } from "./native-packages.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const processors = ["x64", "arm64"];
const installTimeoutMs = 10 * 60_000;
/** If another check fails, abort the installation and remove the folder. */
const ending = new AbortController();
process.once("SIGTERM", () => ending.abort());

const lockfile = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
let isMissing = false;
for (const cpu of processors) {
  const { places, problems } = nativePackagesFor(lockfile, cpu);
  const isThisMachine = process.platform === "linux" && process.arch === cpu;
  problems.push(
    ...(isThisMachine ? missingPrograms(root, places, cpu) : await missingElsewhere(places, cpu)),
  );
  for (const problem of problems) console.error(problem);
  isMissing ||= problems.length > 0;
  if (problems.length === 0)
    console.log(
      `linux ${cpu}: all ${places.length} native packages are there${isThisMachine ? "" : " (installed into a scratch folder)"}`,
    );
}
process.exitCode = isMissing ? 1 : 0;

async function missingElsewhere(/** @type {string[]} */ places, /** @type {string} */ cpu) {
  const scratch = mkdtempSync(path.join(tmpdir(), `gatehouse-linux-${cpu}-`));
  try {
    for (const file of ["package.json", "package-lock.json", ".npmrc", ...workspaceFiles()])
      cpSync(path.join(root, file), path.join(scratch, file), { recursive: true });
    const problem = await installFor(cpu, scratch);
    return problem === undefined ? missingPrograms(scratch, places, cpu) : [problem];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function installFor(/** @type {string} */ cpu, /** @type {string} */ folder) {
  const target = ["--os", "linux", "--cpu", cpu, "--libc", "glibc"];
  const npm = spawn("npm", ["ci", ...target, "--ignore-scripts", "--prefer-offline", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    signal: ending.signal,
    timeout: installTimeoutMs,
    shell: process.platform === "win32",
  });
  return new Promise((resolve) => {
    let problem = "";
    npm.once("error", ({ message }) => (problem = `: ${message}`));
    npm.once("close", (status) =>
      resolve(status === 0 ? undefined : `npm ci for linux ${cpu} failed${problem}`),
    );
  });
}

/** npm links the workspaces and their commands, so both must exist. */
function workspaceFiles() {
  const { workspaces } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  return workspaces.flatMap((/** @type {string} */ folder) => {
    const { bin = {} } = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"));
    return [`${folder}/package.json`, ...Object.values(bin).map((file) => `${folder}/${file}`)];
  });
}
