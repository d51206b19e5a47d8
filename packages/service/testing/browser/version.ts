import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Candidate } from "./sources.js";

const run = promisify(execFile);
const versionTimeoutMs = 30_000;

/** As in "Chromium 147.0.7727.0" or "Microsoft Edge 147.0.1". */
const isVersion = /^(?:Google Chrome|Chromium|Microsoft Edge)(?: for Testing| Beta| Dev| Canary)? \d{2,4}\./;

/**
 * Queries the browser's version. A distribution may have a stub that only says how to install the browser. A browser
 * for another processor or with missing libraries does not answer either.
 */
export async function versionOf({ executable, environment }: Candidate): Promise<string> {
  const { stdout } = await run(executable, ["--version"], {
    env: { ...process.env, ...environment },
    timeout: versionTimeoutMs,
    killSignal: "SIGKILL",
  });
  const [version = ""] = stdout.trim().split("\n");
  if (!isVersion.test(version)) throw new Error(`it answers --version with ${JSON.stringify(version)}`);
  return version;
}
