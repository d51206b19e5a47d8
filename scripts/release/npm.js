// npm, as the release script calls it: in a folder of its own, without the network and without a word.
import { spawnSync } from "node:child_process";

const answerWithinMs = 120_000;
const maxOutputBytes = 64 * 1024 * 1024;

/** Returns what npm printed. Nothing here needs the registry, so that a release is made of the checkout alone. */
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
