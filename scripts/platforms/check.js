// Both processors of the supported platform get what they need out of one lockfile: what is installed here is looked
// at in place, and the other one's packages are installed into a scratch folder.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { missingPrograms, nativePackagesFor } from "./native-packages.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const processors = ["x64", "arm64"];
const installTimeoutMs = 10 * 60_000;

const lockfile = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
let isMissing = false;
for (const cpu of processors) {
  const { places, problems } = nativePackagesFor(lockfile, cpu);
  const isThisMachine = process.platform === "linux" && process.arch === cpu;
  problems.push(...(isThisMachine ? missingPrograms(root, places, cpu) : missingElsewhere(places, cpu)));
  for (const problem of problems) console.error(problem);
  isMissing ||= problems.length > 0;
  if (problems.length === 0)
    console.log(
      `linux ${cpu}: all ${places.length} native packages are there${isThisMachine ? "" : " (installed into a scratch folder)"}`,
    );
}
process.exitCode = isMissing ? 1 : 0;

function missingElsewhere(places, cpu) {
  const scratch = mkdtempSync(path.join(tmpdir(), `gatehouse-linux-${cpu}-`));
  try {
    for (const file of ["package.json", "package-lock.json", ".npmrc", ...workspaceFiles()])
      cpSync(path.join(root, file), path.join(scratch, file), { recursive: true });
    const { status, error } = spawnSync(
      "npm",
      [
        "ci",
        "--os",
        "linux",
        "--cpu",
        cpu,
        "--libc",
        "glibc",
        "--ignore-scripts",
        "--prefer-offline",
        "--loglevel=error",
      ],
      {
        cwd: scratch,
        stdio: ["ignore", "ignore", "inherit"],
        timeout: installTimeoutMs,
        shell: process.platform === "win32",
      },
    );
    if (status !== 0) return [`npm ci for linux ${cpu} failed${error ? `: ${error.message}` : ""}`];
    return missingPrograms(scratch, places, cpu);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** npm links the workspaces and what they offer to run, so it wants to see both. */
function workspaceFiles() {
  const { workspaces } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  return workspaces.flatMap((folder) => {
    const { bin = {} } = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"));
    return [`${folder}/package.json`, ...Object.values(bin).map((file) => `${folder}/${file}`)];
  });
}
