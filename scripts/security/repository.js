// The project's files for the checks in this folder.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const maxListBytes = 16 * 1024 * 1024;

/** All files that git tracks or would track; in a copy without git, all files. */
export function trackedFiles() {
  const { status, stdout } = spawnSync(
    "git",
    // The checkout may belong to a different user.
    ["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    { cwd: root, encoding: "utf8", maxBuffer: maxListBytes },
  );
  const files = status === 0 ? stdout.split("\0") : everyFile();
  return [...new Set(files)].filter((file) => file !== "" && existsSync(path.join(root, file)));
}

function everyFile() {
  const made = new Set(["node_modules", "dist", "data", ".git"]);
  /** @type {(folder: string) => string[]} */
  const below = (folder) =>
    readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return made.has(entry.name) ? [] : below(name);
      return entry.isFile() ? [name] : [];
    });
  return below("");
}

export function readTracked(/** @type {string} */ file) {
  return readFileSync(path.join(root, file));
}

export function isMain(/** @type {string} */ moduleUrl) {
  return process.argv[1] === fileURLToPath(moduleUrl);
}

/** Prints the problems and fails the step, or prints that there are none. */
export function report(/** @type {string[]} */ problems, /** @type {string} */ summary) {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(summary);
}
