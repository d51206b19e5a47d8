// The files of the project, as the checks of this folder see them.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const maxListBytes = 16 * 1024 * 1024;

/** Everything that git tracks or would track, by its path in the repository. */
export function trackedFiles() {
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: maxListBytes,
  });
  return [...new Set(list.split("\0"))].filter((file) => file !== "" && existsSync(path.join(root, file)));
}

export function readTracked(file) {
  return readFileSync(path.join(root, file));
}

export function isMain(moduleUrl) {
  return process.argv[1] === fileURLToPath(moduleUrl);
}

/** Prints what is wrong and fails the step, or says that all is well. */
export function report(problems, summary) {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(summary);
}
