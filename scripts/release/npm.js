// Runs npm for the release script: in a given folder, offline and silently.
import { spawnSync } from "node:child_process";

const answerWithinMs = 120_000;
const maxOutputBytes = 64 * 1024 * 1024;

/** Returns npm's output. The registry is not needed, so a release depends only on the checkout. */
export function npm(/** @type {string[]} */ npmArguments, /** @type {string} */ folder) {
  const { status, stdout, stderr, error } = spawnSync(
    "npm",
    [...npmArguments, "--offline", "--ignore-scripts", "--loglevel=error"],
    {
      cwd: folder,
      encoding: "utf8",
      timeout: answerWithinMs,
      maxBuffer: maxOutputBytes,
      shell: process.platform === "win32",
    },
  );
  if (status !== 0) throw new Error(`npm ${npmArguments[0]} failed: ${error?.message ?? stderr}`);
  return stdout;
}
